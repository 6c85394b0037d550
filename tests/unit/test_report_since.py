# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed since an earlier report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from test_report_task import run

from page_elements import part, text_of
from report_accounts import Account, edge, route
from report_formats import sarif_problems, written

OFF = {"oauth": {"enabled": False, "provider": {"github": {"organizations": ["staff"]}}}}


def account(*matches: str, **parts: Any) -> Account:
    """An account with a route for each path, whose login is disabled."""
    routes = (route(match, "a", **OFF) for match in matches)
    return {"name": "shop", "estate": {"https_edges": [edge("a.example.com", *routes)]}, **parts}


BEFORE, NOW = [account("/old", "/same")], [account("/first", "/same")]
FIRST = "https_edge_route path_prefix /first of a.example.com:443"
OLD = FIRST.replace("first", "old")
MANY = [account(*(f"/{number}" for number in range(50)))]


def test_every_format_says_what_is_new_and_what_is_gone() -> None:
    report, alone = written(NOW, previous=BEFORE), written(NOW)
    assert report["html"].index("What has changed") < report["html"].index("What do we have?")
    since = text_of(part(report["html"], "since"))
    assert "1 new finding, 1 gone; 1 new route, 1 gone" in since
    assert [since.count(path) for path in ("/first", "/old", "/same")] == [2, 2, 0]
    assert [text_of(one[0]) for one in part(report["html"], "rules").iter("li") if "new" in text_of(one)] == [FIRST]
    assert "and 40 more" in written(MANY, previous=[])["html"]

    text = report["markdown"].partition("## Accounts")[0]
    assert "1 new finding, 1 gone. 1 new route, 1 gone." in text
    assert [line[:60] for line in text.split("\n") if line.startswith("- ")] == [
        *(f"- {state}: `{name}` of `shop`"[:60] for state, name in (("new", FIRST), ("gone", OLD)) * 2)
    ]

    document = json.loads(report["sarif"])
    assert list(sarif_problems(document)) == []
    states = {one["baselineState"]: one["message"]["text"] for one in document["runs"][0]["results"]}
    assert {state: text.split()[2] for state, text in states.items()} == {
        "new": "/first",
        "unchanged": "/same",
        "absent": "/old",
    }
    lines = [str(failure.text).partition(" at ")[0] for failure in ET.fromstring(report["junit"]).iter("failure")]
    assert lines == ["new: high protection_disabled", "high protection_disabled"]
    changed = {name: text in alone[name] for name, text in (("html", "What has changed"), ("sarif", "baselineState"))}
    assert not any(changed.values())


def with_route_id(identifier: str, *more: Any) -> Account:
    found = account("/same")
    found["estate"]["https_edges"][0]["routes"][0]["id"] = identifier
    found["estate"]["https_edges"][:0] = more
    return found


UNREAD = {"name": "shop", "error": "401"}
# The accounts now and before; how many findings and routes are new, and how many are gone.
COUNTS: list[tuple[list[Account], list[Account], tuple[int, int, int, int]]] = [
    (NOW, BEFORE, (1, 1, 1, 1)),
    ([with_route_id("edghtsrt_after", edge("b.example.com"))], [with_route_id("edghtsrt_before")], (0, 0, 0, 0)),
    ([UNREAD], BEFORE, (0, 0, 0, 0)),
    *((NOW, [unread], (0, 0, 0, 0)) for unread in (UNREAD, {"name": "shop"})),
    (NOW, [{**BEFORE[0], "error": "a list ended early"}], (0, 0, 1, 1)),
    (NOW, [], (2, 2, 0, 0)),
]


@pytest.mark.parametrize(("now", "before", "counts"), COUNTS)
def test_what_is_new_and_what_is_gone(now: list[Account], before: list[Account], counts: tuple[int, ...]) -> None:
    """An account that was not read has lost nothing, and what was unknown before is not new."""
    since = json.loads(written(now, previous=before)["json"])["summary"]["since"]
    new = sum(since["new"].values())
    assert (new, since["new_routes"], since["gone"], since["gone_routes"]) == counts


def accepted() -> Account:
    [judged] = json.loads(written(BEFORE)["json"])["accounts"]
    judged["exposure"]["findings"][0]["accepted"] = {"reason": "A campaign"}
    return dict(judged)


# The accounts now, the severity that fails the task, the number of new findings of each severity, and the message.
FAILING: list[tuple[list[Account], str, list[int], str | None]] = [
    (NOW, "medium", [1, 0, 0], f"1 new finding of severity medium or higher:\n- shop: {FIRST}"),
    (BEFORE, "medium", [0, 0, 0], None),
    ([accepted()], "low", [0, 0, 0], None),
    (
        [UNREAD, {"name": "wiki", "error": "401"}],
        "high",
        [0, 0, 0],
        "0 new findings of severity high, and 2 accounts that may have others:\n- shop: could not be read completely",
    ),
]


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(("now", "severity", "new", "message"), FAILING)
def test_a_task_fails_for_new_findings_after_the_report_is_written(
    tmp_path: Path, now: list[Account], severity: str, new: list[int], message: str | None, check_mode: bool
) -> None:
    run(tmp_path, dest="before.json", format="json", accounts=BEFORE)
    options = {"previous": "before.json", "fail_on_new": severity, "check_mode": check_mode}
    result = run(tmp_path, accounts=now, **options)
    assert result.get("failed", False) is (message is not None)
    assert result.get("msg", "").startswith(message or "")
    assert list(result["summary"]["since"]["new"].values()) == new
    assert (tmp_path / "report.html").exists() is not check_mode


def test_before_the_first_report_there_is_none_to_compare_with(tmp_path: Path) -> None:
    result = run(tmp_path, accounts=NOW, previous="none.json", fail_on_new="low")
    assert "since" not in result["summary"]
    assert "failed" not in result
    [warning] = result["warnings"]
    assert warning.startswith(f"previous: {tmp_path}/none.json does not exist, so nothing is compared.")
