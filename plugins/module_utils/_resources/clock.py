# SPDX-License-Identifier: GPL-3.0-or-later
"""The date on the host that runs the task. The only place of the core that asks for it."""

from __future__ import annotations

from datetime import date, datetime


def today() -> date:
    return datetime.now().astimezone().date()
