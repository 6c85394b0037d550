# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Puts the YAML of options below another option, so that a text stands once, however deep its option is.

A fragment that is put together so has the type `str` written beside its name: ansible-test's yamllint takes every
assignment without a type in a fragment for one of a literal, and stops there.
"""

from __future__ import annotations

from textwrap import indent


def nested(options: str, levels: int = 1) -> str:
    """`options` starts in the first column; a level is two blanks."""
    return indent(options.lstrip("\n"), "  " * levels)
