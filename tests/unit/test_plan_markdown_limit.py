# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as Markdown of limited length: what is omitted is counted, and what decides is never omitted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.document import plan_markdown
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.limited import ShortenedList, limited
from rendered_markdown import Rendered

pytestmark = pytest.mark.every_python

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
objects = st.lists(
    st.builds(lambda name: {"object": "o" * name, "why": "w", "msg": "m" * (name + 1)}, lengths), max_size=12
)
results = st.builds(
    lambda plan, undeclared, not_examined, failures: {
        "plan": plan,
        "plan_digest": DIGEST,
        "undeclared": undeclared,
        "not_examined": not_examined,
        "failures": failures,
        "summary": {"created": len(plan), "unchanged": 1},
    },
    st.lists(entries, max_size=20),
    objects,
    objects,
    objects,
)


def least_limit(value: Any) -> int:
    with pytest.raises(ValueError, match="too small") as caught:
        plan_markdown(value, 0, "Plan")
    return int(re.search(r"expected at least (\d+) for this result", str(caught.value))[1])  # type: ignore[index]


def omitted(markdown: str, noun: str) -> int:
    return sum(map(int, re.findall(rf"^… and (\d+) more {noun}", markdown, re.MULTILINE)))


def check_counts(markdown: str, values: list[dict[str, Any]]) -> None:
    found = Rendered(markdown)  # fails if an element is open at the end
    number = {
        key: sum(len(value[key]) for value in values) for key in ("plan", "failures", "undeclared", "not_examined")
    }
    details = sum(text.split()[0] in ACTIONS for text in found.all("summary"))
    assert len(found.rows()) + omitted(markdown, r"objects? \(") == number["plan"]
    detail_notes = re.findall(r"^… and the details of (\d+) more objects?$", markdown, re.MULTILINE)
    assert (
        details + sum(map(int, detail_notes)) == number["plan"] == len(found.all("pre")) + sum(map(int, detail_notes))
    )
    for noun, key in (
        ("failures?$", "failures"),
        ("undeclared objects?$", "undeclared"),
        ("objects? that w(?:as|ere) not examined$", "not_examined"),
    ):
        shown = sum(f": {'m' if key == 'failures' else 'w'}" in text for text in items_below(found, key))
        assert shown + omitted(markdown, noun) == number[key]
    for match in re.finditer(r"more objects? \((.*)\)$", markdown, re.MULTILINE):
        total = sum(map(int, re.findall(r"(\d+) to ", match[1])))
        assert f"… and {total} more object" in markdown
    assert found.all("p").count(f"Digest: {DIGEST}") == len(values)
    assert sum("unchanged" in text for text in found.all("p")) == len(values)


def items_below(found: Rendered, key: str) -> list[str]:
    """The items of the lists whose summary has the words of this key."""
    words = {"failures": "failure", "undeclared": "undeclared", "not_examined": "not examined"}[key]
    items: list[str] = []
    waiting: list[str] = []
    title = ""
    for tag, text in found.elements:
        if tag == "summary":
            title, waiting = text, []
        elif tag == "li":
            waiting.append(text)
        elif tag == "details":
            items += waiting if words in title else []
    return items


@given(results, st.integers(0, 12_000))
def test_one_result_is_shortened_to_the_limit(value: dict[str, Any], more: int) -> None:
    limit = least_limit(value) + more
    markdown = plan_markdown(value, limit, "Plan")
    assert len(markdown) <= limit
    assert plan_markdown(value, limit, "Plan") == markdown
    check_counts(markdown, [value])


@settings(max_examples=so_many(40, 40))
@given(st.lists(results, min_size=1, max_size=4), st.integers(0, 12_000))
def test_several_results_are_shortened_to_the_limit(values: list[dict[str, Any]], more: int) -> None:
    named = {f"account {number}": value for number, value in enumerate(values)}
    limit = least_limit(named) + more
    markdown = plan_markdown(named, limit, "Plan")
    assert len(markdown) <= limit
    check_counts(markdown, values)


@settings(max_examples=so_many(40, 40))
@given(results)
def test_nothing_is_omitted_without_need(value: dict[str, Any]) -> None:
    markdown = plan_markdown(value, NO_LIMIT, "Plan")
    assert "… and" not in markdown
    assert plan_markdown(value, len(markdown) + 1, "Plan") == markdown


def letters(items: list[str]) -> ShortenedList:
    return ShortenedList(items, lambda omitted: f"+{len(omitted)}", "(", ")")


@given(
    st.lists(st.lists(st.sampled_from(["a", "bbb", "c" * 12]), min_size=1, max_size=12), max_size=4), st.integers(0, 99)
)
def test_lists_are_never_longer_than_the_limit(lists: list[list[str]], more: int) -> None:
    parts = ["title", *map(letters, lists)]
    limit = sum(len(limited([part], 0)) for part in parts) + more
    text = limited(parts, limit)
    assert len(text) <= limit
    assert (text == f"title{''.join(map('({})'.format, map(''.join, lists)))}") == ("+" not in text)


@pytest.mark.parametrize(
    ("lists", "limit", "text"),
    [
        ([["a"] * 9, ["b"] * 9], 22, "(aaaaaaaaa)(bbbbbbbbb)"),
        ([["a"] * 9, ["b"] * 9], 20, "(aaaaaa)+3(bbbbbb)+3"),
        ([["a"] * 99, ["b"] * 2], 20, f"({'a' * 11})+88(bb)"),
        # A list with nothing short enough leaves its room to the others.
        ([["a" * 20], ["b"] * 22], 29, f"+1({'b' * 22})"),
    ],
)
def test_lists_share_the_room(lists: list[list[str]], limit: int, text: str) -> None:
    assert limited([letters(items) for items in lists], limit) == text


def entry(name: str, description: str = "d") -> dict[str, Any]:
    return {"object": name, "action": "create", "before": None, "after": {"description": description}}


def result(*plan: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {"plan": list(plan), "plan_digest": DIGEST, **values}


def test_omitted_objects_are_counted_by_action() -> None:
    plan = [{**entry(f"edge {number}"), "action": "delete" if number >= 900 else "create"} for number in range(1000)]
    markdown = plan_markdown(result(*plan), 2000, "Plan")
    rows = len(Rendered(markdown).rows())
    assert rows > 10
    assert f"… and {1000 - rows} more objects (900 to create, {100 - rows} to delete)\n" in markdown


def test_names_that_are_given_up_are_among_the_first() -> None:
    gives_up = {"changes": ["hostports"], "gives_up": {"hostports": [f"{number}.org:443" for number in range(300)]}}
    plan = [*(entry(f"edge {number}") for number in range(600)), {**entry("short"), "action": "update", **gives_up}]
    markdown = plan_markdown(result(*plan), 2000, "Plan")
    assert "600 to create, 1 to update, 300 host names to give up\n" in markdown
    assert "`hostports: - 0.org:443`" in markdown


def test_one_long_object_does_not_hide_the_others() -> None:
    found = Rendered(plan_markdown(result(entry("long", "d" * 5000), entry("a"), entry("b")), 2000, "Plan"))
    assert [row[1] for row in found.rows()] == ["long", "a", "b"]
    assert found.all("summary") == ["create a", "create b"]


def test_long_account_does_not_hide_short_ones() -> None:
    long = result(*(entry(f"edge {number}") for number in range(1000)))
    found = Rendered(plan_markdown({"long": long, "short": result(entry("a"))}, 3000, "Plan"))
    assert found.all("summary")[-1] == "create a"
    assert len(found.rows()) > 10


def test_long_list_does_not_hide_failures() -> None:
    undeclared = [{"object": f"edge {number}", "why": "w"} for number in range(1000)]
    failures = [{"object": "failed", "msg": "m"}]
    value = result(*(entry(f"edge {number}") for number in range(1000)), undeclared=undeclared, failures=failures)
    assert "failed: m" in Rendered(plan_markdown(value, 3000, "Plan")).all("li")


@pytest.mark.parametrize(
    ("limit", "got"),
    [
        (-1, "-1 is too small; expected at least 82 for this result"),
        (81, "81 is too small; expected at least 82 for this result"),
        (True, "expected an integer, at least 82 for this result, got the boolean true"),
        (None, "expected an integer, at least 82 for this result, got null"),
        ("60000", "expected an integer, at least 82 for this result, got a string"),
        (60000.5, "expected an integer, at least 82 for this result, got a number"),
        ([], "expected an integer, at least 82 for this result, got a list"),
    ],
)
def test_impossible_limit_is_an_error(limit: Any, got: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared
        plan_markdown({"plan": [], "plan_digest": DIGEST}, limit, "Plan")
    assert str(caught.value) == f"limit: {got}"


def test_least_limit_is_possible() -> None:
    value = result(*(entry(f"edge {number}") for number in range(1000)))
    markdown = plan_markdown(value, least_limit(value), "Plan")
    assert Rendered(markdown).all("p") == [
        "1000 to create",
        f"Digest: {DIGEST}",
        "… and 1000 more objects (1000 to create)",
        "… and the details of 1000 more objects",
    ]


def test_undeclared_objects_that_the_result_only_counts_are_counted() -> None:
    undeclared = [{"object": f"edge {number}", "why": "w"} for number in range(20)]
    counts = {"https_edge": 480, "https_edge_route": 20}
    result = {"plan": [], "plan_digest": "d", "undeclared": undeclared, "undeclared_counts": counts}
    lines = plan_markdown(result, 60_000, "Plan").splitlines()
    assert "There is nothing to change (500 undeclared)." in lines
    assert "<summary>20 undeclared objects</summary>" in lines
    assert lines[-1] == "… and 480 more undeclared objects, which the result of the task only counts"
