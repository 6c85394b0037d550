# SPDX-License-Identifier: GPL-3.0-or-later
"""The elements of a page, as a tree, and those of Markdown as a reader sees it, rendered like on GitHub."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from markdown_it import MarkdownIt

VOID = frozenset({"br", "hr", "img", "input", "meta", "wbr"})
_RENDERER = MarkdownIt("gfm-like")  # with raw HTML, tables, and links made from anything that looks like one
_WITHOUT_HTML = MarkdownIt("gfm-like", {"html": False})


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

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment, a declaration, a processing instruction, or a section: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment


def _parsed(html: str) -> ET.Element:
    """The root of the elements, each of which must be closed by its own tag."""
    tree = _Tree()
    tree.feed(html)
    tree.close()
    return tree.builder.close()


def parsed(page: str) -> ET.Element:
    return _parsed(page.partition("\n")[2])


def rendered(markdown: str, *, with_html: bool = True) -> ET.Element:
    return _parsed(f"<body>{(_RENDERER if with_html else _WITHOUT_HTML).render(markdown)}</body>")


def part(page: str, identifier: str) -> ET.Element:
    found = parsed(page).find(f".//*[@id='{identifier}']")
    assert found is not None, identifier
    return found


def text_of(element: ET.Element) -> str:
    return "".join(element.itertext())


def texts(element: ET.Element, tag: str) -> list[str]:
    """The text of each element of this name."""
    return [text_of(one) for one in element.iter(tag)]


def rows(element: ET.Element) -> list[list[str]]:
    """The cells of the rows of all tables, without the rows of headings."""
    return [cells for row in element.iter("tr") if (cells := texts(row, "td"))]
