# SPDX-License-Identifier: GPL-3.0-or-later
"""The table in docs/sameness.md that says what an omitted suboption of a traffic module means."""

from __future__ import annotations

from sameness_table import HEAD, PAGE, table


def test_page_lists_every_suboption_with_its_meaning_if_omitted() -> None:
    assert f"{HEAD}{table()}\n" in PAGE.read_text(encoding="utf-8"), "run `make format`"
