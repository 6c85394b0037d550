# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Put options below other options, in full or in brief.

In fragments that are built from parts, annotate each class attribute with `str`. The yamllint of ansible-test takes an
assignment without an annotation for a string literal, and fails.
"""

from __future__ import annotations

import re
from textwrap import indent

_DESCRIPTION = re.compile(
    r"^(?P<indent> *)(?P<key>description:\n(?=(?P=indent)  - ))(?P<items>(?:(?P=indent)  .*\n)+)", re.MULTILINE
)


def nested(options: str, levels: int = 1) -> str:
    """Return the YAML of `options`, which starts in the first column, indented by `levels` times two spaces."""
    return indent(options.lstrip("\n"), "  " * levels)


def in_brief(options: str) -> str:
    """Return the YAML of `options` with the first entry of each description only.

    Inside lists of objects, the page of a module would repeat the page of another one. The first entry says what the
    option is, and the other page says the rest.
    """
    return _DESCRIPTION.sub(_first_entry, options)


def _first_entry(description: re.Match[str]) -> str:
    margin = f"{description['indent']}  - "
    first = description["items"].split(f"\n{margin}", 1)[0].rstrip("\n")
    return f"{description['indent']}{description['key']}{first}\n"
