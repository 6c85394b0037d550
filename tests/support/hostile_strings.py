# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings that a parser could take for something else."""

from __future__ import annotations

HOSTILE = [
    *("{{ 7 * 7 }}", "{% if true %}yes{% endif %}", "{# nothing #}", "{", "}", "{{", "}}", "{ {", "a{{", "%}", "#}"),
    "#jinja2:variable_start_string:'[[', variable_end_string:']]'\n[[ 7 * 7 ]]",
    *("!unsafe", "!unsafe text", "!vault |", "!vault", "!!binary aGk=", "!!python/object:x {}", "&anchor", "*alias"),
    *("yes", "no", "on", "Off", "y", "N", "true", "False", "null", "~", "", "=", "<<", ".inf", "-.INF", ".nan", "NaN"),
    *("012", "0o12", "0x1F", "1e3", "1E3", "1.5", "1_000", "+1", "-", "-1", "1:30", "190:20:30", "0b1", "."),
    *("2026-01-01", "2026-01-01T00:00:00Z", "2026-1-1 0:0:0"),
    *("---", "...", "--- a", "# comment", "a # comment", "a: b", "a:", ": a", "- a", "? a", "a:b", "[a]", "{a: b}"),
    *(" a", "a ", "\ta", "a\t", "\n", "\na", "a\n", "a\n\n", "a\r\nb", "a\rb", "two\nlines", "  ", "a  b"),
    *("\x00", "a\x00b", "\x07\x1b[31m", "\x7f", "\x85", "a\u2028b", "a\u2029b", "\ufeffa", "\u202eabc", "\u00a0"),
    *("'", '"', "it's", 'say "hi"', "\\", "\\n", "\\{{", "`a`", "@a", "%TAG", "|", ">", "|-\n a", ",", "a, b"),
    *("\u00e9", "\u20ac", "\U0001f600", "B\u00fccher", "\uff5b\uff5b 7 \uff5d\uff5d", "e\u0301"),
    *("__ansible_unsafe", "__ansible_vault", "$ANSIBLE_VAULT;1.1;AES256", "x" * 300, "omit", "{{ omit }}"),
]
