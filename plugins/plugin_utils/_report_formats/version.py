# SPDX-License-Identifier: GPL-3.0-or-later
"""The version of this collection, written by `make format`: plugins must work without the files at its root."""

from __future__ import annotations

VERSION = "1.0.0"
