# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan in short, as Markdown, in lines, or in pieces: what is omitted is counted, and what decides never is.

What is dangerous comes first, and in pieces, no deletion and no opening is missing, however long it is.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_facts import deletions_of, plan_lines, summary_line
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.document import plan_markdown
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.limited import ShortenedList, limited
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_pieces import plan_pieces
from page_elements import rendered, rows, texts

pytestmark = pytest.mark.every_core

DIGEST = "3cc90ff6fd20e8db7a8e2408225e48aa"
LONG = "ä" * 3000


def entry(action: str, name: str, *methods: str, opens: Any = (), changes: Any = (), **more: Any) -> dict[str, Any]:
    operations = [{"method": method} for method in methods]
    opened = [{"kind": "unlocked", "request": "https://a.example/", "text": text} for text in opens]
    return {"action": action, "object": name, "opens": opened, "changes": [*changes], "operations": operations, **more}


def result(*plan: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"plan": list(plan), "plan_digest": DIGEST, **more}


def displayed(piece: list[str]) -> int:
    """The bytes of the lines, as Ansible displays a list on a terminal."""
    text = json.dumps({"msg": piece}, ensure_ascii=False, indent=4).replace("\n", "\r\n")
    return len(text.encode()) - len(json.dumps({"msg": [1]}, indent=4).replace("\n", "\r\n")) + len("        1\r\n")


CREATED = [entry("create", f"new{number}", "POST") for number in range(60)]
DELETED = [entry("delete", f"old{number}", "DELETE") for number in range(3)]
OPENED = entry("update", "opened", "PATCH", opens=("oauth is removed",))
OPENED_BY_DELETION = entry("delete", "guard", "DELETE", opens=("the route around it is public",))
REPLACED = entry("update", "moved", "DELETE", "POST", changes=["match"])
UPDATED = entry("update", "changed", "PATCH", changes=["description", "oauth.provider"])
NAMES = {"hostports": ["a.example:443", "b.example:443"]}
GIVES_UP = entry("update", "edge", "PATCH", changes=["description", "hostports"], gives_up=NAMES)
MORE = "may let more requests through: https://a.example/"
GIVES_UP_ONE = {"changes": ["hostports"], "gives_up": {"hostports": ["a.example:443"]}}
OPENS_AND_GIVES_UP = entry("update", "edge", opens=("opened",), **GIVES_UP_ONE)
MOVED, GIVEN_UP = "~ replace moved: match", "hostports: - a.example:443, hostports: - b.example:443"
# A plan, how many lines it may have, and its lines.
LINES: dict[str, tuple[list[dict[str, Any]], int, list[str]]] = {
    "nothing": ([], 2, []),
    "several openings": (
        [entry("update", "opened", opens=("oauth is removed", "saml is disabled"))],
        2,
        [f"~ update opened: {MORE}: oauth is removed; https://a.example/: saml is disabled"],
    ),
    "too many": ([*CREATED[:3], DELETED[0]], 2, ["- delete old0", "+ create new0", "and 2 more"]),
    "what a terminal would obey": ([entry("delete", "a\x1bb")], 2, ["- delete a\\u001bb"]),
    "names that are given up": ([REPLACED, GIVES_UP], 2, [f"~ update edge: description, {GIVEN_UP}", MOVED]),
    "and an opening": ([OPENS_AND_GIVES_UP], 2, [f"~ update edge: {MORE}: opened; hostports: - a.example:443"]),
}


@pytest.mark.parametrize("name", LINES)
def test_a_plan_is_shortened_to_some_lines(name: str) -> None:
    plan, most, lines = LINES[name]
    assert list(plan_lines(plan, most)) == lines


def test_what_failed_is_counted_and_does_not_look_as_if_it_were_done() -> None:
    failures = [{"object": "old0", "msg": "rejected"}, {"object": "elsewhere", "msg": "not planned"}]
    assert list(plan_lines([DELETED[0], CREATED[0], OPENED], failures=failures)) == [
        f"~ update opened: {MORE}: oauth is removed",
        "+ create new0",
        "not done, or only in part, as the error says: 1 of 3 changes",
    ]


def test_names_that_are_given_up_are_counted() -> None:
    planned = summary_line({"updated": 2}, [UPDATED, GIVES_UP], 0, is_planned=True)
    assert planned == "2 to update, 2 host names to give up"
    done = summary_line({"updated": 2}, [GIVES_UP], 1, is_planned=False)
    assert done == "2 updated, 2 host names given up, 1 undeclared"
    assert deletions_of([CREATED[0], DELETED[0], GIVES_UP]) == 3


def test_what_is_dangerous_comes_first_and_everything_is_counted() -> None:
    plan = [*CREATED, UPDATED, REPLACED, *DELETED, OPENED, OPENED_BY_DELETION]
    [piece] = plan_pieces(result(*plan, undeclared=[{"object": "other"}]), 2000, 3)
    assert piece == [
        f"60 to create, 3 to update, 4 to delete, 1 undeclared. Digest: {DIGEST}",
        "2 of 2 openings shown, 4 of 4 deletions shown, 3 of 62 other changes shown:",
        f"~ update opened: {MORE}: oauth is removed",
        f"- delete guard: {MORE}: the route around it is public",
        "- delete old0",
        "- delete old1",
        "- delete old2",
        MOVED,
        "~ update changed: description, oauth.provider",
        "+ create new0",
        "59 other changes are not shown here. End of the list.",
    ]


@pytest.mark.parametrize("limit", [100, 800])
def test_all_deletions_and_openings_are_shown_in_pieces_within_the_limit(limit: int) -> None:
    plan = [
        *CREATED,
        *(entry("delete", f"https_edge ö{number}.example.com:443", "DELETE") for number in range(1000)),
        *(entry("update", f"route{number}", "PATCH", opens=("saml is removed",)) for number in range(500)),
    ]
    pieces = plan_pieces(result(*plan), limit, 20)
    assert max(map(displayed, pieces)) <= limit
    joined = "".join(line.removeprefix("  … ") for piece in pieces for line in piece)
    assert all(f"https_edge ö{number}.example.com:443" in joined for number in range(1000))
    assert all(f"route{number}: {MORE}: saml is removed" in joined for number in range(500))


def test_a_long_line_is_continued_so_that_no_line_looks_like_another_one() -> None:
    name = f'{LONG}\n- delete something\u202e"\\'
    pieces = plan_pieces(result(entry("delete", name, "DELETE")), 300, 20)
    assert max(map(displayed, pieces)) <= 300
    _head, _counts, start, *continued, end = [line for piece in pieces for line in piece]
    assert end == "Nothing is omitted. End of the list."
    assert {line[:4] for line in continued} == {"  … "}
    whole = start + "".join(line.removeprefix("  … ") for line in continued)
    assert whole == f'- delete {LONG}\\n- delete something\\u202e"\\\\'


def test_yaml_shows_a_piece_within_the_limit_as_well() -> None:
    pieces = plan_pieces(result(entry("delete", "\U0001f642" * 2000, "DELETE")), 300, 20)
    assert max(len(yaml.dump(piece, width=10_000)) for piece in pieces) <= 300


NOTHING, COMPLETE = "There is nothing to change. End of the list.", "Nothing is omitted. End of the list."
FAILED = {"plan_digest": "", "failed": True, "failures": [{"object": "a", "msg": "b"}]}
START = "1 to create. There is no digest, because an object could not be planned."
ONE = "No openings, no deletions, 1 of 1 other changes shown:"
# A result, and its lines.
SHORT: list[tuple[dict[str, Any], list[str]]] = [
    (result(summary={"created": 0, "unchanged": 4}), [f"4 unchanged. Digest: {DIGEST}", NOTHING]),
    (result(undeclared=[{}], undeclared_counts={"https_edge": 500}), [f"500 undeclared. Digest: {DIGEST}", NOTHING]),
    ({**result(CREATED[0]), **FAILED}, [START, ONE, "+ create new0", COMPLETE]),
]


@pytest.mark.parametrize(("value", "lines"), SHORT)
def test_a_plan_that_is_shown_completely_says_so(value: dict[str, Any], lines: list[str]) -> None:
    assert plan_pieces(value, 800, 20) == [lines]


INTEGER = "expected an integer, at least"
ERRORS: list[tuple[Any, Any, Any, str]] = [
    ({"shop": result(), "blog": result()}, 800, 20, "expected the result of one account"),
    (result({"action": "delete", "object": "old"}), 800, 20, r"plan\[0\].opens: expected a list, got null"),
    (result(), 99, 20, f"pieces: {INTEGER} 100, got 99"),
    (result(), 800, -1, f"most: {INTEGER} 0, got -1"),
    (result(), 800, True, f"most: {INTEGER} 0, got the boolean true"),
]


@pytest.mark.parametrize(("value", "limit", "most", "said"), ERRORS)
def test_what_is_not_a_plan_is_an_error(value: Any, limit: Any, most: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        plan_pieces(value, limit, most)


ACTIONS = ("create", "update", "delete")

# Some objects are much longer than others. A row shows a part of the name, the details show the whole description.
lengths = st.integers(0, 400) | st.sampled_from([2, 3000])
entries = st.builds(
    lambda action, name, length: entry(
        action, "o" * name, "PUT", changes="d", after={"description": "`" + "d" * length}
    ),
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
    lambda plan, *lists: result(
        *plan,
        summary={"created": len(plan), "unchanged": 1},
        **{
            name: [{"object": "o" * length, key: said * (length + 1)} for length in members]
            for (name, (key, said, _omitted)), members in zip(LISTS.items(), lists, strict=True)
        },
    ),
    st.lists(entries, max_size=20),
    *(st.lists(lengths, max_size=12) for _list in LISTS),
)


def omitted(markdown: str, noun: str) -> int:
    return sum(map(int, re.findall(rf"^… and (\d+) more {noun}", markdown, re.MULTILINE)))


def check_counts(markdown: str, values: list[dict[str, Any]]) -> None:
    found = rendered(markdown)  # fails if an element is open at the end
    number = {key: sum(len(value[key]) for value in values) for key in ("plan", *LISTS)}
    details = sum(text.split()[0] in ACTIONS for text in texts(found, "summary"))
    without = sum(map(int, re.findall(r"^… and (\d+) more details?$", markdown, re.MULTILINE)))
    assert len(rows(found)) + omitted(markdown, r"objects? \(") == number["plan"]
    assert details + without == number["plan"] == len(texts(found, "pre")) + without
    for key, (_key, said, noun) in LISTS.items():
        shown = sum(f": {said}" in text for text in texts(found, "li"))
        assert shown + omitted(markdown, noun) == number[key]
    for action in ACTIONS:
        more = re.findall(rf"^… and .* more objects? \(.*?(\d+) to {action}", markdown, re.MULTILINE)
        shown = [row[0] for row in rows(found)].count(action) + sum(map(int, more))
        assert shown == sum(entry["action"] == action for value in values for entry in value["plan"])
    assert texts(found, "p").count(f"Digest: {DIGEST}") == len(values)
    assert sum("unchanged" in text for text in texts(found, "p")) == len(values)


@given(st.lists(results, min_size=1, max_size=4), st.integers(0, 12_000))
def test_results_are_shortened_to_the_limit_and_only_then(values: list[dict[str, Any]], more: int) -> None:
    named = {f"account {number}": value for number, value in enumerate(values)} if values[1:] else values[0]
    with pytest.raises(ValueError, match=r"at least \d+ for this result, got 0") as caught:
        plan_markdown(named, 0, "Plan")
    limit = int(str(caught.value).partition("at least ")[2].split()[0]) + more
    markdown = plan_markdown(named, limit, "Plan")
    assert len(markdown) <= limit
    assert plan_markdown(named, limit, "Plan") == markdown
    check_counts(markdown, values)
    whole = plan_markdown(named, 10**9, "Plan")
    assert "… and" not in whole
    assert plan_markdown(named, len(whole) + 1, "Plan") == whole


SHARED: list[tuple[list[list[str]], int, str]] = [
    ([["a"] * 9, ["b"] * 9], 22, "(aaaaaaaaa)(bbbbbbbbb)"),
    ([["a"] * 9, ["b"] * 9], 20, "(aaaaaa)+3(bbbbbb)+3"),
    ([["a"] * 99, ["b"] * 2], 20, f"({'a' * 11})+88(bb)"),
    # A list with nothing short enough leaves its room to the others, and a long member its room to shorter ones.
    ([["a" * 20], ["b"] * 22], 29, f"+1({'b' * 22})"),
    ([["a" * 20, "b", "c"]], 6, "(bc)+1"),
]


@pytest.mark.parametrize(("lists", "limit", "text"), SHARED)
def test_lists_share_the_room(lists: list[list[str]], limit: int, text: str) -> None:
    shortened = [ShortenedList(letters, lambda omitted: f"+{len(omitted)}", "(", ")") for letters in lists]
    assert limited(shortened, limit) == text


MANY = [entry("create", str(name)) for name in range(1000)]
MANY_NAMES = {"hostports": [f"{number}.org:443" for number in range(300)]}
GIVES_UP_MANY = entry("update", "short", changes=["hostports"], gives_up=MANY_NAMES)
# A long plan, and what nothing longer hides.
NOT_HIDDEN: list[tuple[dict[str, Any], list[str]]] = [
    (result(*MANY, GIVES_UP_MANY), [", 300 host names to give up\n", "`hostports: - 0.org:443`"]),
    ({"long": result(*MANY), "short": result(DELETED[0])}, ["<summary>delete <code>old0</code></summary>", "| `9` |"]),
    (result(*MANY, undeclared=MANY, failures=[{"object": "failed", "msg": "m"}]), ["- `failed`: `m`"]),
]


@pytest.mark.parametrize(("value", "shown"), NOT_HIDDEN)
def test_what_is_long_does_not_hide_the_rest(value: dict[str, Any], shown: list[str]) -> None:
    markdown = plan_markdown(value, 3000, "Plan")
    assert [text for text in shown if text not in markdown] == []
