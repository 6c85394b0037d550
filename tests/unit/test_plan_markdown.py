# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as Markdown, rendered: every string of others is shown as text, whatever it contains and wherever it is."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown import text as shown_as
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.document import plan_markdown
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.state_diff import diff_lines
from hostile_strings import HOSTILE_MARKDOWN
from page_elements import rendered, rows, texts

pytestmark = pytest.mark.every_core

NO_LIMIT = 10**9
HARMLESS = "x.y"
"""It is shown as code, as everything that is not a word."""

OUR_TAGS = "body h2 h3 p table thead tbody tr th td details summary ul li pre code"


def result_of(text: str) -> dict[str, Any]:
    """The result of a task, with this text in the place of every string that others can choose."""
    present = text or HARMLESS
    return {
        "plan": [
            {
                "object": text,
                "kind": text,
                "action": action,
                "changes": [text, text] if action == "update" else [],
                "operations": [{"method": "PATCH", "path": text, "reason": present}],
                "before": None if action == "create" else {text: {text: [text, f"{text}1"]}, f"{text}2": text},
                "after": None if action == "delete" else {text: {text: [text, f"{text}3"]}, f"{text}4": text},
            }
            for action in ("create", "update", "delete")
        ],
        "plan_digest": present,
        "expected_plan_digest": present,
        "summary": {"created": 1, "updated": 1, "deleted": 1, "unchanged": 54, "failed": 1},
        "undeclared": [{"object": text, "kind": text, "option": text, "why": text, "declaration": {text: text}}],
        "not_examined": [{"object": text, "why": text}],
        "failures": [{"object": text, "msg": text}],
        "failed": True,
        "msg": text,
    }


def plan_page(value: Any) -> ET.Element:
    return rendered(plan_markdown(value, NO_LIMIT, "Plan"))


@lru_cache(maxsize=1000)  # the tests share their examples
def document(text: str) -> str:
    """Markdown with this text everywhere."""
    return plan_markdown({f"@{text}": result_of(text)}, NO_LIMIT, f"@{text}")


@lru_cache(maxsize=1000)
def rendered_document(text: str, *, with_html: bool = True) -> ET.Element:
    return rendered(document(text), with_html=with_html)


def shape(element: ET.Element) -> tuple[Any, ...]:
    """The elements without their text."""
    return element.tag, element.attrib, [shape(one) for one in element]


def original(shown: str) -> str:
    """Undo what is done to show a string: the quotes of blank text, and the escape sequences."""
    quoted = re.fullmatch(r'"((?:[^"\\]|\\.)*)"', shown)
    body = quoted[1] if quoted else shown.replace('"', '\\"')
    return ast.literal_eval(f'"{body}"') if "\\" in body else body


strings = st.text(max_size=60) | st.text(alphabet="`|\\<>&[]()!@#*_~$-:.w/ \n\"'ahtpu1\u202e\ud800\u0301", max_size=40)
any_string = (
    strings | st.sampled_from(HOSTILE_MARKDOWN) | st.builds(str.__add__, st.sampled_from(HOSTILE_MARKDOWN), strings)
)


def for_any_text(test: Any) -> Any:
    test = given(any_string)(test)
    for text in HOSTILE_MARKDOWN:
        test = example(text)(test)
    return settings(max_examples=so_many(50, 50))(test)


@for_any_text
def test_text_changes_nothing_but_text_and_none_of_it_is_hidden(text: str) -> None:
    for with_html in (True, False):
        found = rendered_document(text, with_html=with_html)
        expected = rendered_document(HARMLESS, with_html=with_html)
        assert shape(found) == shape(expected)
        assert {one.tag for one in found.iter()} <= set(OUR_TAGS.split())
        assert [(len(row), row[0]) for row in rows(found)] == [(3, "delete"), (3, "update"), (3, "create")]
    markdown = document(text)
    assert all(char.isprintable() or char == "\n" for char in markdown), "something is hidden"
    assert "`" * 7 not in markdown
    markdown.encode()


@for_any_text
def test_text_is_shown_as_it_is(text: str) -> None:
    text = text[:70]  # longer names are cut
    found = rendered_document(text)
    shown = [original(code) for code in texts(found, "code") if "\n" not in code]
    listed = [text, text]
    cells = [text] * (1 + 3 + 1)
    present = text or HARMLESS
    details = [text, f"PATCH {text}", present] * 3
    assert shown == [f"@{text}", f"@{text}", present, present, *listed, *cells, *details, *listed, *listed]


@for_any_text
def test_states_are_shown_as_a_diff(text: str) -> None:
    text = text[:70]  # YAML limits the length of keys
    found = rendered_document(text)
    deleted, updated, created = texts(found, "pre")
    before, after = ({text: {text: [text, f"{text}{end}"]}, f"{text}{end + 1}": text} for end in (1, 3))
    for diff, mark, expected in ((created, "+ ", after), (deleted, "- ", before)):
        assert {line[:2] for line in diff.splitlines()} == {mark}
        assert yaml.safe_load("\n".join(line[2:] for line in diff.splitlines())) == expected
    same, same_too, *changes = updated.splitlines()
    assert (yaml.safe_load(same), yaml.safe_load(same_too[2:])) == ({text: None}, {text: None})
    assert [(line[0], yaml.safe_load(line[2:])) for line in changes] == [
        ("-", [f"{text}1"]),
        ("+", [f"{text}3"]),
        ("-", {f"{text}2": text}),
        ("+", {f"{text}4": text}),
    ]


EDGE = {
    "object": "https_edge shop.example.com:443 (edghts_1)",
    "action": "update",
    "changes": ["description", "backend.backend_id"],
    "operations": [{"method": "PATCH", "path": "/edges/https/edghts_1", "reason": "differs: description"}],
    "before": {"description": "The shop", "backend": {"backend_id": "bk_1", "enabled": True}},
    "after": {"description": "Closed | soon", "backend": {"backend_id": "bk_2", "enabled": True}},
}
RESULT = {
    "plan": [EDGE],
    "plan_digest": "8f2c41d7a95e03b6c1d4f7082ab35e96",
    "summary": {"created": 0, "updated": 1, "deleted": 0, "unchanged": 54, "failed": 0},
    "undeclared": [{"object": "https_edge old", "why": "the task does not purge edges"}],
}
MARKDOWN = """\
## Plan

1 to update, 54 unchanged, 1 undeclared

Digest: `8f2c41d7a95e03b6c1d4f7082ab35e96`

| Action | Object | Changes |
|---|---|---|
| update | `https_edge shop.example.com:443 (edghts_1)` | `description`, `backend.backend_id` |

<details>
<summary>update <code>https&#95;edge shop&#46;example&#46;com&#58;443 (edghts&#95;1)</code></summary>

```diff
- description: The shop
+ description: "Closed | soon"
  backend:
-   backend_id: bk_1
+   backend_id: bk_2
```

- `PATCH /edges/https/edghts_1`: `differs: description`

</details>

<details>
<summary>1 undeclared object</summary>

- `https_edge old`: `the task does not purge edges`

</details>
"""


def test_the_whole_document_is_as_expected() -> None:
    assert plan_markdown(RESULT, 60000, "Plan") == MARKDOWN


def test_sections_of_several_accounts() -> None:
    digests = {"shop": "1" * 32, "plan": "2" * 32, "eu-1": "3" * 32}
    found = plan_page({name: {**RESULT, "plan_digest": digest} for name, digest in digests.items()})
    shown = [text.removeprefix("Digest: ") for text in texts(found, "p") if text.startswith("Digest")]
    assert dict(zip(texts(found, "h3"), shown, strict=True)) == digests


NOTHING, DIGEST = "There is nothing to change", f"Digest: {'1' * 32}"
NO_DIGEST = "There is no digest, because an object could not be planned."
FAILURE = {"failed": True, "failures": [{"object": "a", "msg": "b"}], "msg": "c", "summary": {"failed": 1}}
OTHER = {"failed": True, "msg": "Other plan"}
EMPTY, FAILED = "The plan is empty.", [DIGEST, "The task failed: Other plan"]
UNDECLARED = {"undeclared": RESULT["undeclared"], "undeclared_counts": {"https_edge": 480, "https_edge_route": 1}}
ONLY_COUNTED = "… and 480 more undeclared objects, which the result of the task only counts"
# What differs in a result without changes, and the paragraphs.
PARAGRAPHS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, [f"{NOTHING} (54 unchanged).", DIGEST]),
    ({"summary": None}, [f"{NOTHING}.", DIGEST]),
    ({"summary": {"created": True, "<b>": 1, "failed": "<b>"}}, [f"{NOTHING}.", DIGEST]),
    ({**OTHER, "summary": None}, [EMPTY, *FAILED]),
    (FAILURE, ["1 failed", DIGEST]),
    ({"plan_digest": None}, [f"{NOTHING} (54 unchanged).", NO_DIGEST]),
    (UNDECLARED, [f"{NOTHING} (54 unchanged, 481 undeclared).", DIGEST, ONLY_COUNTED]),
    ({**OTHER, "summary": None, "expected_plan_digest": "2" * 32}, [EMPTY, f"Expected digest: {'2' * 32}", *FAILED]),
]


@pytest.mark.parametrize(("changes", "paragraphs"), PARAGRAPHS)
def test_what_the_task_does_in_words(changes: dict[str, Any], paragraphs: list[str]) -> None:
    result = {"plan": [], "plan_digest": "1" * 32, "summary": {"unchanged": 54, "created": 0}, **changes}
    assert texts(plan_page(result), "p") == paragraphs


def test_failures_are_not_folded() -> None:
    folded = [one.attrib for one in plan_page(result_of("a")).iter("details")]
    assert folded == [{"open": ""}, *[{}] * 5]


def test_long_names_are_cut() -> None:
    """One object with a long name must not hide all others."""
    found = plan_page({**RESULT, "plan": [{**EDGE, "object": "n" * 10_000, "changes": [*"abcdefghijklm"]}, EDGE]})
    assert rows(found)[0][1:] == ["n" * 200 + "… (9800 more characters)", "a, b, c, d, e, f, g, h, i, j and 3 more"]
    assert texts(found, "summary")[0] == f"update {'n' * 200}… (9800 more characters)"


PLAIN = ["Plan", "Plan: shop, blog", "Übersicht 2026"]
AS_CODE = ["plan.example", "shop GH-1", "revert deadbeef", "a5c3785", "a #", "*a*"]


def test_title_of_plain_words_is_not_shown_as_code() -> None:
    titles = {title: title for title in PLAIN} | {title: f"`{title}`" for title in AS_CODE}
    titles |= {"a\u3164b": "`a\\u3164b`", "": '`""`'}
    found = {title: plan_markdown(RESULT, 60000, title).splitlines()[0] for title in titles}
    assert found == {title: f"## {markdown}" for title, markdown in titles.items()}


EXPECTED = "expected the result of edgeops.ingress.estate, https_edge_routes, or event_sources, or a dictionary"
NO_LIST, NO_PLAN = "got a dictionary without a list `plan`", "a task that failed before it had a plan"
ACTIONS = "expected one of create, update, delete"
ERRORS: list[tuple[Any, str]] = [
    ("text", f"{EXPECTED}.*, got a string"),
    ({}, f"{EXPECTED}.*, {NO_LIST}"),
    ({"failed": True, "msg": "?"}, f"{NO_PLAN}; fix the failure first"),
    ({"changed": False, "skipped": True}, "a task that was skipped"),
    ({"results": [RESULT]}, "the result of a loop; use the members of its `results`"),
    ({"a": RESULT, "b": {"failed": True}}, f"^b: {EXPECTED}.*{NO_PLAN}"),
    ({"a": {"failed": True}, "b": {"failed": True}}, f"^a: {EXPECTED}.*{NO_PLAN}"),
    ({"a": RESULT, "b\n": {"skipped": True}}, rf"^b\\n: {EXPECTED}.*a task that was skipped"),
    ({"plan": ["?"]}, r"plan\[0\]: expected a dictionary, got a string"),
    ({"plan": [{"object": "a"}]}, rf"plan\[0\].action: {ACTIONS}"),
    ({"plan": [{"action": ["create"]}]}, rf"plan\[0\].action: {ACTIONS}"),
    ({"plan": [{**EDGE, "changes": 3}]}, r"plan\[0\].changes: expected a list, got a number"),
    ({"plan": [{**EDGE, "changes": ["a", ["b"]]}]}, r"plan\[0\].changes\[1\]: expected a string, got a list"),
    ({"plan": [{**EDGE, "operations": ["?"]}]}, r"plan\[0\].operations\[0\]: expected a dictionary, got a string"),
    ({"a": {"plan": [], "failures": {}}}, "a: failures: expected a list of dictionaries, got a dictionary"),
]


@pytest.mark.parametrize(("value", "message"), ERRORS)
def test_result_without_plan_is_an_error(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan_markdown(value, 60000, "Plan")
    with pytest.raises(ValueError, match="title: expected a string, got a number"):
        plan_markdown(value, 60000, 3)


CODE = {
    "https_edge shop.example.com:443 (edghts_1)": "`https_edge shop.example.com:443 (edghts_1)`",
    "a\\b": "`a\\\\b`",
    "a\nb\tc\rd": "`a\\nb\\tc\\rd`",
    "": '`""`',
    " a": '`" a"`',
    '"a"': '`"\\"a\\""`',
    "a`b": "``a`b``",
    "`````": f"`````` {'`' * 5} ``````",
    "``````": "`" + "\\u0060" * 6 + "`",
    "e\u0301\u0302\u0303": "`e\u0301\u0302\u0303`",
    "e\u0301\u0302\u0303\u0304": "`e\u0301\u0302\u0303\\u0304`",
    "\u0301": "`\\u0301`",
    "\u1fef": "`\\u1fef`",
    "\u3164": "`\\u3164`",
    "abcdefghijk": "`abcdefghij`… (1 more character)",
    "a\\|b": "`a\\\\|b`",
}


def test_text_as_code_in_each_place() -> None:
    most = {text: 10 if text.startswith("abc") else 100 for text in CODE}
    assert {text: shown_as.code(text, most[text]) for text in CODE} == CODE
    in_table = {text: markdown.replace("|", "\\|") for text, markdown in CODE.items()}
    assert {text: shown_as.code_in_table(text, most[text]) for text in CODE} == in_table
    assert shown_as.code_in_html("www.a <b> \u00e9|", 8) == "<code>www&#46;a &#60;b</code>… (4 more characters)"
    assert shown_as.code_block(["```", "````"], "diff") == "`````diff\n```\n````\n`````\n"


DIFFERENCES: list[tuple[object, object, list[str]]] = [
    ({"a": ["x", "x"]}, {"a": ["x"]}, ["  a:", "-   - x"]),
    ({"a": ["x", "v", "z"]}, {"a": ["x", "b", "z"]}, ["  a:", "-   - v", "+   - b"]),
    ({"a": [{"b": 1, "c": [2]}]}, {"a": []}, ["- a:", "-   - b: 1", "-     c:", "-       - 2", "+ a: []"]),
    ({"a": {"b": {"c": None}}}, {"a": {"b": {"c": 1.5}}}, ["  a:", "    b:", "-     c: null", "+     c: 1.5"]),
    ({"a": "yes", "b": "1"}, {"b": 1}, ['- a: "yes"', '- b: "1"', "+ b: 1"]),
    ({"a": "********"}, {"a": "******** (a new value)"}, ['- a: "********"', '+ a: "******** (a new value)"']),
    (None, {}, []),
    ("a", "b", ["- a", "+ b"]),
]


def test_differences_are_shown_as_lines() -> None:
    assert [(before, after, list(diff_lines(before, after))) for before, after, _lines in DIFFERENCES] == DIFFERENCES
