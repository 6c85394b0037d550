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
    before, _, rest = written(NOW, previous=BEFORE)["html"].partition("What has changed")
    part = rest.partition("What do we have?")[0]
    assert "What do we have?" not in before
    assert all(text in part for text in ("1 new finding", "1 gone"))
    assert [part.count(path) for path in ("/first", "/old", "/same")] == [2, 2, 0]
    assert "What has changed" not in written(NOW)["html"]
    assert "and 40 more" in written([account(*(f"/{number}" for number in range(50)))], previous=[])["html"]


def test_markdown_lists_first_what_is_new_and_what_is_gone() -> None:
    text = written(NOW, previous=BEFORE)["markdown"]
    part = text[text.index("## What has changed") : text.index("## Accounts")]
    assert "1 new finding, 1 gone. 1 new route, 1 gone." in part
    for line in ("- new: `https_edge_route path_prefix /first", "- gone: `https_edge_route path_prefix /old"):
        assert f"{line} of a.example.com:443`" in part


def test_sarif_and_junit_say_what_is_new() -> None:
    report = written(NOW, previous=BEFORE)
    document = json.loads(report["sarif"])
    assert list(sarif_problems(document)) == []
    found = {
        one["message"]["text"].partition(" of ")[0].rpartition(" ")[2]: one["baselineState"]
        for one in document["runs"][0]["results"]
    }
    assert found == {"/first": "new", "/same": "unchanged", "/old": "absent"}
    assert "baselineState" not in written(NOW)["sarif"]
    lines = [str(failure.text).partition(" at ")[0] for failure in ET.fromstring(report["junit"]).iter("failure")]
    assert lines == ["new: high protection_disabled", "high protection_disabled"]


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


def test_an_account_that_cannot_be_read_may_have_new_findings(tmp_path: Path) -> None:
    run(tmp_path, dest="before.json", format="json", accounts=BEFORE)
    down = [{"name": "shop", "error": "401"}]
    result = run(tmp_path, accounts=down, expected_accounts=["wiki"], previous="before.json", fail_on_new="high")
    assert result["failed"] is True
    assert result["msg"] == (
        "0 new findings of severity high, and 2 accounts that may have others:\n"
        "- shop: could not be read completely\n- wiki: could not be read completely"
    )


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


REQUIRED = "fail_on_new: requires previous, the report to compare with"
ITSELF = "previous: is also `dest`, so the next run would compare the report with itself"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"previous": "other.json"}, "previous: "),
    ({"fail_on_new": "low"}, REQUIRED),
    ({"dest": "a.json", "format": "json", "previous": "a.json"}, ITSELF),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_the_earlier_report_must_be_one(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    (tmp_path / "other.json").write_text("{}")
    [option_error] = run(tmp_path, accounts=NOW, **options)["option_errors"]
    assert option_error.startswith(message)
