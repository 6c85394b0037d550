# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan in one line for each object: what is dangerous comes first, and nothing is left uncounted."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_in_lines import (
    deletions_of,
    plan_lines,
    summary_line,
)


def opening(text: str) -> dict[str, str]:
    return {"kind": "unlocked", "request": "https://a.example/", "text": text}


def entry(action: str, name: str, *methods: str, opens: tuple[str, ...] = (), changes: Any = ()) -> dict[str, Any]:
    operations = [{"method": method} for method in methods]
    return {
        "action": action,
        "object": name,
        "opens": [opening(one) for one in opens],
        "changes": [*changes],
        "operations": operations,
    }


CREATED = entry("create", "new", "POST")
UPDATED = entry("update", "changed", "PATCH", changes=["description", "oauth.provider"])
REPLACED = entry("update", "moved", "DELETE", "POST", changes=["match"])
DELETED = entry("delete", "old", "DELETE")
GIVES_UP = {
    **entry("update", "edge", "PATCH", changes=["description", "hostports"]),
    "gives_up": {"hostports": ["a.example:443", "b.example:443"]},
}
OPENED_IN_WORDS = "https://a.example/: oauth is removed; https://a.example/: saml is disabled"
OPENED = entry("update", "opened", "PATCH", opens=("oauth is removed", "saml is disabled"), changes=["oauth"])


def test_what_failed_is_counted_and_does_not_look_as_if_it_were_done() -> None:
    failures = [{"object": "old", "msg": "rejected"}, {"object": "elsewhere", "msg": "not planned"}]
    assert list(plan_lines([DELETED, CREATED, OPENED], failures=failures)) == [
        f"~ update opened: may let more requests through: {OPENED_IN_WORDS}",
        "+ create new",
        "not done, or only in part, as the error says: 1 of 3 changes",
    ]


def test_names_that_are_given_up_are_counted() -> None:
    assert (
        summary_line({"updated": 2}, [UPDATED, GIVES_UP], 0, is_planned=True) == "2 to update, 2 host names to give up"
    )
    assert summary_line({"updated": 2}, [GIVES_UP], 1, is_planned=False) == (
        "2 updated, 2 host names given up, 1 undeclared"
    )
    assert deletions_of([CREATED, DELETED, GIVES_UP]) == 3


@pytest.mark.parametrize(
    ("plan", "lines"),
    [
        ([], []),
        (
            [CREATED, UPDATED, REPLACED, DELETED, OPENED],
            [
                f"~ update opened: may let more requests through: {OPENED_IN_WORDS}",
                "- delete old",
                "~ replace moved: match",
                "~ update changed: description, oauth.provider",
                "+ create new",
            ],
        ),
        ([CREATED, CREATED, CREATED, DELETED], ["- delete old", "+ create new", "and 2 more"]),
        ([CREATED, CREATED], ["+ create new", "+ create new"]),
        (
            [REPLACED, GIVES_UP],
            [
                "~ update edge: description, hostports: - a.example:443, hostports: - b.example:443",
                "~ replace moved: match",
            ],
        ),
        (
            [
                {
                    **GIVES_UP,
                    "opens": [opening("opened")],
                    "changes": ["hostports"],
                    "gives_up": {"hostports": ["a.example:443"]},
                }
            ],
            ["~ update edge: may let more requests through: https://a.example/: opened; hostports: - a.example:443"],
        ),
    ],
    ids=["nothing", "the order of danger", "too many", "just enough", "names that are given up", "and an opening"],
)
def test_a_plan_is_shortened_to_some_lines(plan: list[dict[str, Any]], lines: list[str]) -> None:
    most = 20 if len(plan) == 5 else 2
    assert list(plan_lines(plan, most)) == lines
