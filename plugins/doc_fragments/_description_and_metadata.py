# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options `description` and `metadata` of edges and routes."""

from __future__ import annotations

OPTIONS = """
description:
  description:
    - A description for human readers.
    - Maximum length is 255 bytes in UTF-8, where characters outside ASCII count as several bytes.
    - If omitted, the current value is kept. An empty string clears it.
  type: str
metadata:
  description:
    - Data for your own tools.
    - Either a string, or a dictionary or list, which is stored as compact JSON with sorted keys. Maximum length is 4096
      bytes in UTF-8.
    - JSON is compared as JSON, and other strings without blanks and line breaks at their ends.
    - If omitted, the current value is kept. An empty string, dictionary, or list clears it.
  type: raw
"""
