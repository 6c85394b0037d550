# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages on the page about troubleshooting are those of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from collection_tree import CHECKOUT, tracked_files

PAGE = (CHECKOUT / "docs/troubleshooting.md").read_text(encoding="utf-8")
QUOTED = [message.strip() for _ticks, message in re.findall(r"^\| (`+)([^|]+?)\1 \|", PAGE, re.MULTILINE)]


def strings(source: str) -> Iterator[str]:
    """The strings in the code, with … for each value in them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


MESSAGES = [
    text
    for name in tracked_files("plugins/module_utils/**/*.py", "plugins/module_utils/*.py")
    for text in strings((CHECKOUT / name).read_text(encoding="utf-8"))
]


def is_in(quoted: str, message: str) -> bool:
    """Whether a message contains the quoted text, in which … stands for any text."""
    pattern = ".*".join(re.escape(part) for part in quoted.split("…"))
    return re.search(pattern, message, re.DOTALL) is not None


@pytest.mark.parametrize("quoted", QUOTED)
def test_a_message_exists(quoted: str) -> None:
    assert any(is_in(quoted, message) for message in MESSAGES)


def test_the_page_has_messages() -> None:
    assert len(QUOTED) > 15
    assert not any(is_in("Nobody would say this", message) for message in MESSAGES)
