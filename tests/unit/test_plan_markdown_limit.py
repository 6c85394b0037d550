# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as Markdown of limited length: what is omitted is counted, and what decides is never omitted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.document import plan_markdown
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.limited import ShortenedList, limited
from rendered_markdown import Rendered

pytestmark = pytest.mark.every_core

NO_LIMIT = 10**9
ACTIONS = ("create", "update", "delete")
DIGEST = "8f2c41d7a95e03b6c1d4f7082ab35e96"

# Some objects are much longer than others. A row shows a part of the name, the details show the whole description.
lengths = st.integers(0, 400) | st.sampled_from([2, 3000])
entries = st.builds(
    lambda action, name, description: {
        "object": "o" * name,
        "action": action,
        "changes": ["description"],
        "operations": [{"method": "PUT", "path": "/a", "reason": "b"}],
        "before": None,
        "after": {"description": "`" + "d" * description},
    },
    st.sampled_from(ACTIONS),
    lengths,
    lengths,
)
# Of each list of a result: the key and the beginning of what is said, and what is written of those that are omitted.
LISTS = {
    "failures": ("msg", "m", "failures?$"),
    "undeclared": ("why", "u", "undeclared objects?$"),
    "not_examined": ("why", "n", "unexamined objects?$"),
}
results = st.builds(
    lambda plan, *lists: {
        "plan": plan,
        "plan_digest": DIGEST,
        "summary": {"created": len(plan), "unchanged": 1},
        **{
            name: [{"object": "o" * length, key: said * (length + 1)} for length in members]
            for (name, (key, said, _omitted)), members in zip(LISTS.items(), lists, strict=True)
        },
    },
    st.lists(entries, max_size=20),
    *(st.lists(lengths, max_size=12) for _list in LISTS),
)


def least_limit(value: Any) -> int:
    with pytest.raises(ValueError, match="for this result, got 0") as caught:
        plan_markdown(value, 0, "Plan")
    return int(re.search(r"at least (\d+) for this result", str(caught.value))[1])  # type: ignore[index]


def omitted(markdown: str, noun: str) -> int:
    return sum(map(int, re.findall(rf"^… and (\d+) more {noun}", markdown, re.MULTILINE)))


def check_counts(markdown: str, values: list[dict[str, Any]]) -> None:
    found = Rendered(markdown)  # fails if an element is open at the end
    number = {key: sum(len(value[key]) for value in values) for key in ("plan", *LISTS)}
    details = sum(text.split()[0] in ACTIONS for text in found.all("summary"))
    without = sum(map(int, re.findall(r"^… and (\d+) more details?$", markdown, re.MULTILINE)))
    assert len(found.rows()) + omitted(markdown, r"objects? \(") == number["plan"]
    assert details + without == number["plan"] == len(found.all("pre")) + without
    for key, (_key, said, noun) in LISTS.items():
        shown = sum(f": {said}" in text for text in found.all("li"))
        assert shown + omitted(markdown, noun) == number[key]
    for action in ACTIONS:
        more = re.findall(rf"^… and .* more objects? \(.*?(\d+) to {action}", markdown, re.MULTILINE)
        rows = [row[0] for row in found.rows()].count(action) + sum(map(int, more))
        assert rows == sum(entry["action"] == action for value in values for entry in value["plan"])
    assert found.all("p").count(f"Digest: {DIGEST}") == len(values)
    assert sum("unchanged" in text for text in found.all("p")) == len(values)


@given(st.lists(results, min_size=1, max_size=4), st.integers(0, 12_000))
def test_results_are_shortened_to_the_limit_and_only_then(values: list[dict[str, Any]], more: int) -> None:
    named = {f"account {number}": value for number, value in enumerate(values)} if values[1:] else values[0]
    limit = least_limit(named) + more
    markdown = plan_markdown(named, limit, "Plan")
    assert len(markdown) <= limit
    assert plan_markdown(named, limit, "Plan") == markdown
    check_counts(markdown, values)
    whole = plan_markdown(named, NO_LIMIT, "Plan")
    assert "… and" not in whole
    assert plan_markdown(named, len(whole) + 1, "Plan") == whole


def letters(items: list[str]) -> ShortenedList:
    return ShortenedList(items, lambda omitted: f"+{len(omitted)}", "(", ")")


SHARED: list[tuple[list[list[str]], int, str]] = [
    ([["a"] * 9, ["b"] * 9], 22, "(aaaaaaaaa)(bbbbbbbbb)"),
    ([["a"] * 9, ["b"] * 9], 20, "(aaaaaa)+3(bbbbbb)+3"),
    ([["a"] * 99, ["b"] * 2], 20, f"({'a' * 11})+88(bb)"),
    # A list with nothing short enough leaves its room to the others.
    ([["a" * 20], ["b"] * 22], 29, f"+1({'b' * 22})"),
]


@pytest.mark.parametrize(("lists", "limit", "text"), SHARED)
def test_lists_share_the_room(lists: list[list[str]], limit: int, text: str) -> None:
    assert limited([letters(items) for items in lists], limit) == text


def entry(name: str, description: str = "d") -> dict[str, Any]:
    return {"object": name, "action": "create", "before": None, "after": {"description": description}}


def result(*plan: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"plan": list(plan), "plan_digest": DIGEST, **values}


def edges(number: int) -> list[dict[str, Any]]:
    return [entry(f"edge {one}") for one in range(number)]


GIVES_UP = {"changes": ["hostports"], "gives_up": {"hostports": [f"{number}.org:443" for number in range(300)]}}
FEW = result(entry("long", "d" * 5000), entry("a"), entry("b"))
FAILED = result(*edges(1000), undeclared=edges(1000), failures=[{"object": "failed", "msg": "m"}])
MADE = "<summary>create <code>{}</code></summary>"
# A long plan, its limit, and what nothing longer hides.
NOT_HIDDEN: list[tuple[dict[str, Any], int, list[str]]] = [
    (
        result(*edges(600), {**entry("short"), "action": "update", **GIVES_UP}),
        2000,
        ["600 to create, 1 to update, 300 host names to give up\n", "`hostports: - 0.org:443`"],
    ),
    (FEW, 2000, ["| `long` |", "| `a` |", "| `b` |", MADE.format("a"), MADE.format("b")]),
    ({"long": result(*edges(1000)), "short": result(entry("a"))}, 3000, [MADE.format("a"), "| `edge 9` |"]),
    (FAILED, 3000, ["- `failed`: `m`"]),
]


@pytest.mark.parametrize(("value", "limit", "shown"), NOT_HIDDEN)
def test_what_is_long_does_not_hide_the_rest(value: dict[str, Any], limit: int, shown: list[str]) -> None:
    markdown = plan_markdown(value, limit, "Plan")
    assert [text for text in shown if text not in markdown] == []


def test_undeclared_objects_that_the_result_only_counts_are_counted() -> None:
    counts = {"https_edge": 480, "https_edge_route": 20}
    lines = plan_markdown(result(undeclared=edges(20), undeclared_counts=counts), 60_000, "Plan").splitlines()
    assert "There is nothing to change (500 undeclared)." in lines
    assert "<summary>20 undeclared objects</summary>" in lines
    assert lines[-1] == "… and 480 more undeclared objects, which the result of the task only counts"
