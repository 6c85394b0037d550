# SPDX-License-Identifier: GPL-3.0-or-later
"""The elements of a page, as a tree."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree as ET

VOID = frozenset({"meta", "input"})


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.builder = ET.TreeBuilder()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.builder.end(tag)

    def handle_endtag(self, tag: str) -> None:
        self.builder.end(tag)

    def handle_data(self, data: str) -> None:
        self.builder.data(data)


def parsed(page: str) -> ET.Element:
    """The page, in which each element must be closed by its own tag."""
    tree = _Tree()
    tree.feed(page.partition("\n")[2])
    return tree.builder.close()


def part(page: str, identifier: str) -> ET.Element:
    found = parsed(page).find(f".//*[@id='{identifier}']")
    assert found is not None, identifier
    return found


def text_of(element: ET.Element) -> str:
    return "".join(element.itertext())
