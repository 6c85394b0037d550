# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of the documentation as a sequence of blocks of code, with what the comments before them say about them.

A comment is invisible to readers, and belongs to the next block:

- `<!-- file: NAME -->`: the block is the content of that file
- `<!-- exit: 2 -->`: its last command ends with that code instead of 0
- `<!-- not run: WHY -->`: what the block needs cannot be had in a test; only its syntax is looked at
- `<!-- environment: JSON -->`: from here on, more variables

What the service holds is visible: a link to a file in docs/accounts says so from there on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from markdown_it import MarkdownIt

_COMMENT = re.compile(r"<!--\s*([a-z ]+):\s*(.*?)\s*-->", re.DOTALL)
_DIRECTIVES = ("file", "exit", "not run", "environment")
_ACCOUNT = re.compile(r"\]\(([^)]*accounts/\w+\.json)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block. `line` is that of its first line in the page; `language` is what its fence says."""

    language: str
    text: str
    line: int
    file: str | None = None
    exit: int = 0
    not_run: str | None = None
    seed: dict[str, Any] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of a page, from top to bottom. A comment that says nothing known raises ValueError."""
    about: dict[str, Any] = {}
    for token in MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8")):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "html_block":
            about |= dict(_said(token.content, f"{page.name}:{line}"))
        elif token.type == "inline":
            for account in _ACCOUNT.findall(token.content):
                about["seed"] = json.loads((page.parent / account).read_text(encoding="utf-8"))
        elif token.type == "fence":
            yield Block(token.info.strip(), token.content, line + 1, **about)
            about = {}


def _said(comments: str, place: str) -> Iterator[tuple[str, Any]]:
    for name, value in _COMMENT.findall(comments):
        if name not in _DIRECTIVES:
            raise ValueError(f"{place}: {name!r} is none of {', '.join(_DIRECTIVES)}")
        is_json = name in ("environment", "exit")
        yield name.replace(" ", "_"), json.loads(value) if is_json else value


class Command(NamedTuple):
    """A command of a console block, and the lines below it, which it has to print."""

    text: str
    output: str


def commands(block: Block) -> list[Command]:
    """The commands of a console block. A line that ends in a backslash goes on."""
    before, *parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    if before:
        raise ValueError(f"line {block.line}: the block starts with no command")
    found = []
    for part in parts:
        command = re.findall(r"\A(?:.*\\\n)*.*", part)[0]
        found.append(Command(command, part.removeprefix(command).strip("\n")))
    return found
