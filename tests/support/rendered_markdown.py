# SPDX-License-Identifier: GPL-3.0-or-later
"""Markdown as a reader sees it: rendered like on GitHub, and read from the HTML by a parser that knows no Markdown."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt

_RENDERER = MarkdownIt("gfm-like")  # with raw HTML, tables, and links made from anything that looks like one
_WITHOUT_HTML = MarkdownIt("gfm-like", {"html": False})
_EMPTY = {"br", "hr", "img", "input", "wbr"}


class Rendered(HTMLParser):
    """The rendered text. `tags` are all tags in order, with their attributes; `elements` has the text of each."""

    def __init__(self, markdown: str, *, with_html: bool = True) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.elements: list[tuple[str, str]] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed((_RENDERER if with_html else _WITHOUT_HTML).render(markdown))
        self.close()
        assert self._open == [], "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(" ".join([tag, *(f"{name}={value}" for name, value in attrs)]))
        if tag not in _EMPTY:
            self._open.append((tag, []))

    def handle_endtag(self, tag: str) -> None:
        name, elements = self._open.pop()
        assert name == tag
        self.elements.append((tag, "".join(elements)))
        self.tags.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        for _tag, elements in self._open:
            elements.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment, a declaration, a processing instruction, or a section: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment

    def all(self, tag: str) -> list[str]:
        """The text of each element of this name, in the order in which they end."""
        return [text for name, text in self.elements if name == tag]

    def rows(self) -> list[list[str]]:
        """The cells of the rows of all tables, without the rows of headings."""
        cells = iter(self.all("td"))
        rows = " ".join(tag for tag in self.tags if tag in ("tr", "td")).split("tr")
        return [[next(cells) for _ in row.split()] for row in rows if row.split()]
