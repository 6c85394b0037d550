# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a task, or of several, as Markdown for the comment of a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._errors import counted
from ...module_utils._planning.plan_document import RESULTS
from ...module_utils._values.option_wording import kind_of
from .._plan_facts import by_danger, changes_of, openings_in_words
from .._visible_text import as_text
from .limited import Part, ShortenedList, least_length, limited, shortened
from .result import WITHOUT_DIGEST, Result, check_integer, results_of
from .state_diff import diff_lines
from .text import code, code_block, code_in_html, code_in_table, heading, table_head, table_row

_LONGEST_NAME = 200
_LONGEST_CHANGE = 80
_LONGEST_MESSAGE = 1000
_MOST_CHANGES = 10


def plan_markdown(value: Any, limit: Any, title: Any) -> str:
    """Return the plan in the result of a task, or the plans in a dictionary of results, as Markdown.

    Raises ValueError if there is no plan, or if the limit is not a number of characters that is large enough.
    """
    if not isinstance(title, str):
        raise ValueError(f"title: expected a string, got {kind_of(title)}")
    parts: list[Part] = [f"## {heading(title, _LONGEST_NAME)}\n\n"]
    for name, result in results_of(value):
        if name is not None:
            parts.append(f"### {heading(name, _LONGEST_NAME)}\n\n")
        parts += _section(result)
    check_integer(limit, "limit", least_length(parts), " for this result")
    return limited(parts, limit).rstrip("\n") + "\n"


def _section(result: Result) -> Iterator[Part]:
    yield f"{_summary(result)}\n\n"
    if result.expected_digest:
        yield f"Expected digest: {code(result.expected_digest, _LONGEST_NAME)}\n\n"
    yield f"Digest: {code(result.digest, _LONGEST_NAME)}\n\n" if result.digest else f"{WITHOUT_DIGEST}\n\n"
    if result.message and not result.failures:
        yield f"The task failed: {code(result.message, _LONGEST_MESSAGE)}\n\n"
    # A failure is shown unfolded, because the plan lacks the object.
    yield from _list(result.failures, "failures", "msg", "<details open>")
    yield from _openings(result.plan)
    yield from _objects(by_danger(result.plan))
    yield from _list(result.undeclared, "undeclared objects", "why")
    if result.unlisted:
        objects = counted(result.unlisted, "more undeclared objects")
        yield f"… and {objects}, which the result of the task only counts\n\n"
    yield from _list(result.not_examined, "unexamined objects", "why")


def _summary(result: Result) -> str:
    line = result.line if result.counts or result.undeclared_count or result.secrets else ""
    if result.plan or result.has_failed:
        return line or "The plan is empty."
    return f"There is nothing to change ({line})." if line else "There is nothing to change."


def _openings(plan: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    items = [
        f"- {code(opening, _LONGEST_MESSAGE)}: {code(as_text(entry.get('object')), _LONGEST_NAME)}\n"
        for entry in plan
        for opening in openings_in_words(entry)
    ]
    if items:
        yield shortened(items, "**Opens:**\n\n")


def _objects(plan: Sequence[Mapping[str, Any]]) -> Iterator[Part]:
    if not plan:
        return

    def more(omitted: Sequence[int]) -> str:
        actions = Counter(plan[number]["action"] for number in omitted)
        counts = ", ".join(f"{actions[action]} to {action}" for action in RESULTS if actions[action])
        return f"… and {counted(len(omitted), 'more objects')} ({counts})\n\n"

    yield ShortenedList([_row(entry) for entry in plan], more, table_head("Action", "Object", "Changes"), "\n")
    yield shortened([_details(entry) for entry in plan], "", "", "more details")


def _row(entry: Mapping[str, Any]) -> str:
    changes = [code_in_table(change, _LONGEST_CHANGE) for change in changes_of(entry)]
    more = f" and {len(changes) - _MOST_CHANGES} more" if len(changes) > _MOST_CHANGES else ""
    shown = ", ".join(changes[:_MOST_CHANGES]) + more
    return table_row(entry["action"], code_in_table(as_text(entry.get("object")), _LONGEST_NAME), shown)


def _details(entry: Mapping[str, Any]) -> str:
    summary = f"{entry['action']} {code_in_html(as_text(entry.get('object')), _LONGEST_NAME)}"
    blocks = [f"<details>\n<summary>{summary}</summary>\n"]
    if lines := list(diff_lines(entry.get("before"), entry.get("after"))):
        blocks.append(code_block(lines, "diff"))
    if operations := entry.get("operations"):
        blocks.append("".join(map(_request, operations)))
    return "\n".join([*blocks, "</details>\n\n"])


def _request(operation: Mapping[str, Any]) -> str:
    request = f"{as_text(operation.get('method'))} {as_text(operation.get('path'))}"
    reason = f": {code(as_text(operation['reason']))}" if operation.get("reason") else ""
    return f"- {code(request)}{reason}\n"


def _list(members: Sequence[Mapping[str, Any]], noun: str, key: str, tag: str = "<details>") -> Iterator[Part]:
    """Yield a folded list of objects, each with the text of this key."""
    if members:
        items = [
            f"- {code(as_text(one.get('object')), _LONGEST_NAME)}: {code(as_text(one.get(key)), _LONGEST_MESSAGE)}\n"
            for one in members
        ]
        opening = f"{tag}\n<summary>{counted(len(members), noun)}</summary>\n\n"
        yield shortened(items, opening, "\n</details>\n\n", f"more {noun}")
