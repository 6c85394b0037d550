# SPDX-License-Identifier: GPL-3.0-or-later
"""What has changed since an earlier report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from test_report_task import run

from report_accounts import Account, edge, route
from report_formats import sarif_problems, written

OFF = {"oauth": {"enabled": False, "provider": {"github": {"organizations": ["staff"]}}}}


def account(*matches: str, name: str = "shop", **parts: Any) -> Account:
    """An account with a route for each path, whose login is disabled."""
    return {
        "name": name,
        "estate": {"https_edges": [edge("a.example.com", *(route(m, "a", **OFF) for m in matches))]},
        **parts,
    }


BEFORE, NOW = [account("/old", "/same")], [account("/first", "/same")]


def test_a_page_lists_first_what_is_new_and_what_is_gone() -> None:
    page = written(NOW, previous=BEFORE)["html"]
    start = page.index("What has changed")
    assert start < page.index("What do we have?")
    part = page[start : page.index("What do we have?")]
    assert "1 new finding" in part
    assert "1 gone" in part
    assert [part.count(path) for path in ("/first", "/old", "/same")] == [2, 2, 0]
    assert "What has changed" not in written(NOW)["html"]


def test_a_page_shortens_long_lists_of_what_is_new() -> None:
    page = written([account(*(f"/{number}" for number in range(50)))], previous=[])["html"]
    assert "and 40 more" in page


def test_markdown_lists_first_what_is_new_and_what_is_gone() -> None:
    text = written(NOW, previous=BEFORE)["markdown"]
    part = text[text.index("## What has changed") : text.index("## Accounts")]
    assert "1 new finding, 1 gone. 1 new route, 1 gone." in part
    assert "- new: `https_edge_route path_prefix /first of a.example.com:443`" in part
    assert "- gone: `https_edge_route path_prefix /old of a.example.com:443`" in part


def test_sarif_says_what_is_new() -> None:
    document = json.loads(written(NOW, previous=BEFORE)["sarif"])
    assert list(sarif_problems(document)) == []
    found = {
        one["message"]["text"].partition(" of ")[0].rpartition(" ")[2]: one["baselineState"]
        for one in document["runs"][0]["results"]
    }
    assert found == {"/first": "new", "/same": "unchanged", "/old": "absent"}
    assert "baselineState" not in written(NOW)["sarif"]


def test_junit_says_what_is_new() -> None:
    suites = ET.fromstring(written(NOW, previous=BEFORE)["junit"])
    lines = [str(failure.text).partition(" at ")[0] for failure in suites.iter("failure")]
    assert lines == ["new: high protection_disabled", "high protection_disabled"]


def test_a_finding_stays_the_same_if_an_edge_is_added_before_it_or_a_route_gets_another_id() -> None:
    before, now = account("/same"), account("/same")
    before["estate"]["https_edges"][0]["routes"][0]["id"] = "edghtsrt_before"
    now["estate"]["https_edges"][0]["routes"][0]["id"] = "edghtsrt_after"
    now["estate"]["https_edges"].insert(0, edge("b.example.com"))
    assert json.loads(written([now], previous=[before])["json"])["summary"]["since"] == {
        "new": {"high": 0, "medium": 0, "low": 0},
        "gone": 0,
        "new_routes": 0,
        "gone_routes": 0,
    }


def test_an_account_that_was_not_read_has_lost_nothing() -> None:
    summary = json.loads(written([{"name": "shop", "error": "401"}], previous=BEFORE)["json"])["summary"]
    assert summary["since"]["gone"] == summary["since"]["gone_routes"] == 0


@pytest.mark.parametrize(
    "unread",
    [{"name": "shop", "error": "401"}, {"name": "shop"}, {**BEFORE[0], "error": "a list ended early"}],
    ids=str,
)
def test_what_was_unknown_before_is_not_new(unread: dict[str, Any]) -> None:
    summary = json.loads(written(NOW, previous=[unread])["json"])["summary"]
    assert sum(summary["since"]["new"].values()) == summary["since"]["new_routes"] == 0


def test_a_new_account_is_new() -> None:
    summary = json.loads(written(NOW, previous=[])["json"])["summary"]
    assert sum(summary["since"]["new"].values()) > 0


def test_an_account_that_cannot_be_read_may_have_new_findings(tmp_path: Path) -> None:
    run(tmp_path, dest="before.json", format="json", accounts=BEFORE)
    down = [{"name": "shop", "error": "401"}]
    result = run(tmp_path, accounts=down, expected_accounts=["wiki"], previous="before.json", fail_on_new="high")
    assert result["failed"] is True
    assert result["msg"] == (
        "0 new findings of severity high, and 2 accounts that may have others:\n"
        "- shop: could not be read completely\n- wiki: could not be read completely"
    )


def test_a_report_is_not_compared_with_itself(tmp_path: Path) -> None:
    [option_error] = run(tmp_path, dest="a.json", format="json", accounts=NOW, previous="a.json")["option_errors"]
    assert option_error == "previous: is also `dest`, so the next run would compare the report with itself"


def test_what_is_accepted_now_is_not_open_any_more(tmp_path: Path) -> None:
    run(tmp_path, dest="before.json", format="json", accounts=BEFORE)
    judged = json.loads((tmp_path / "before.json").read_text())["accounts"][0]
    judged["exposure"]["findings"][0]["accepted"] = {"reason": "A campaign"}
    result = run(tmp_path, previous="before.json", accounts=[judged], fail_on_new="low")
    assert result["summary"]["since"]["gone"] == 1


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_task_fails_for_new_findings_after_the_report_is_written(tmp_path: Path, check_mode: bool) -> None:
    run(tmp_path, dest="before.json", format="json", accounts=BEFORE)
    options = {"previous": "before.json", "fail_on_new": "medium", "check_mode": check_mode}
    result = run(tmp_path, accounts=NOW, **options)
    assert result["failed"] is True
    assert result["msg"].startswith(
        "1 new finding of severity medium or higher:\n- shop: https_edge_route path_prefix /first of a.example.com:443"
    )
    assert result["summary"]["since"]["new"] == {"high": 1, "medium": 0, "low": 0}
    assert (tmp_path / "report.html").exists() is not check_mode
    assert "failed" not in run(tmp_path, accounts=BEFORE, **options)


def test_before_the_first_report_there_is_none_to_compare_with(tmp_path: Path) -> None:
    result = run(tmp_path, accounts=NOW, previous="none.json", fail_on_new="low")
    assert "since" not in result["summary"]
    assert "failed" not in result
    [warning] = result["warnings"]
    assert warning.startswith(f"previous: {tmp_path}/none.json does not exist, so nothing is compared.")


def test_the_earlier_report_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    [option_error] = run(tmp_path, accounts=NOW, previous="other.json")["option_errors"]
    assert option_error.startswith("previous: ")
    [option_error] = run(tmp_path, accounts=NOW, fail_on_new="low")["option_errors"]
    assert option_error == "fail_on_new: requires previous, the report to compare with"


@pytest.mark.parametrize("name", ["html", "markdown", "json"])
def test_a_report_says_when_each_account_was_read(name: str) -> None:
    time = "2027-01-31T04:05:06Z"
    assert time in written([account("/", collected_at=time)])[name]


def test_parts_of_an_account_are_as_old_as_the_oldest_of_them() -> None:
    older, newer = account("/", collected_at="2027-01-30T00:00:00Z"), account("/", collected_at="2027-01-31T00:00:00Z")
    for given in ([older, newer], [newer, older]):
        [found] = json.loads(written(given)["json"])["accounts"]
        assert found["collected_at"] == "2027-01-30T00:00:00Z"
