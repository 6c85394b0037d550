# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
short_description: x
"""

EXAMPLES = r"""
"""

import asyncio
import runpy
from pathlib import Path
from typing import Any

_own_module = runpy.run_path(str(Path(__file__).resolve().parents[1] / "own_package.py"))["own_module"]


async def main(queue: asyncio.Queue[Any], args: dict[str, Any]) -> None:
    """Poll the account, and put what has changed into the queue."""
    await _own_module("plugin_utils._changes.source").run(queue, args)
