# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The two texts that edges and routes carry."""

from __future__ import annotations

OPTIONS = """
description:
  description:
    - What it is for, for people to read. At most 255 bytes in UTF-8, which are fewer characters when some of them are
      not ASCII.
    - Left out, what it has now is kept. An empty string clears it.
  type: str
metadata:
  description:
    - Data of your own, for programs to read. At most 4096 bytes in UTF-8.
    - A text, or a dictionary or a list, which is written as compact JSON with sorted keys.
    - Left out, what it has now is kept. An empty string, dictionary or list clears it.
  type: raw
"""
