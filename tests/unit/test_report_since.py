# SPDX-License-Identifier: GPL-3.0-or-later
"""What is new or gone since an earlier report, and what the report says that nobody has read or judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from test_report_task import run

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from estates_to_judge import estate
from page_elements import part, text_of
from report_accounts import Account
from report_formats import sarif_problems, written


def shop(text: str) -> list[Account]:
    return [{"name": "shop", "estate": estate(text)}]


BEFORE, NOW = shop("/old -staff, /same -staff"), shop("/first -staff, /same -staff")
FIRST = "https_edge_route path_prefix /first of shop.example.com:443"
OLD = FIRST.replace("first", "old")
UNREAD = {"name": "shop", "error": "401"}


def test_every_format_says_what_is_new_and_what_is_gone() -> None:
    report, alone = written(NOW, previous=BEFORE), written(NOW)
    assert report["html"].index("What has changed") < report["html"].index("What do we have?")
    since = text_of(part(report["html"], "since"))
    assert "1 new finding, 1 gone; 1 new route, 1 gone" in since
    assert [since.count(path) for path in ("/first", "/old", "/same")] == [2, 2, 0]
    assert [text_of(one[0]) for one in part(report["html"], "rules").iter("li") if "new" in text_of(one)] == [FIRST]
    many = shop(", ".join(f"/{number} -staff" for number in range(50)))
    assert "and 40 more" in written(many, previous=[])["html"]

    text = report["markdown"].partition("## Accounts")[0]
    assert "1 new finding, 1 gone. 1 new route, 1 gone." in text
    listed = [f"- {state}: `{name}` of `shop`"[:60] for state, name in (("new", FIRST), ("gone", OLD))]
    assert [line[:60] for line in text.split("\n") if line.startswith("- ")] == listed * 2
    document = json.loads(report["sarif"])
    assert sarif_problems(document) == []
    states = {one["baselineState"]: one["message"]["text"] for one in document["runs"][0]["results"]}
    found = {state: text.split()[2] for state, text in states.items()}
    assert found == {"new": "/first", "unchanged": "/same", "absent": "/old"}
    lines = [str(failure.text).partition(" at ")[0] for failure in ET.fromstring(report["junit"]).iter("failure")]
    assert lines == ["new: high protection_disabled", "high protection_disabled"]
    assert ("What has changed" in alone["html"], "baselineState" in alone["sarif"]) == (False, False)


OTHER_EDGE = "[host=old.example.com] / >b adds=authorization"
BOTH = f"/ -staff | {OTHER_EDGE}"
PARTS = estate(f"{BOTH}\n tls: tls=1.0 \n events: tunnel_created.v0")
"""An estate with a finding about each of its members."""

TUNNELS = estate("tunnel: localhost:22")
AT_SHOP = "https_edge_route path_prefix / of shop.example.com:443"
AT_OLD = AT_SHOP.replace("shop", "old")


def now_with(edges: str = BOTH, tunnels: Any = TUNNELS["tunnels"], **parts: Any) -> list[Account]:
    return [{"name": "shop", "estate": {**PARTS, **estate(edges), **parts}, "tunnels": tunnels}]


def without(*unread: str, estate: Account = PARTS, judged: Account | None = None, **more: Any) -> list[Account]:
    """An account with a result of `exposure_info`, which was judged without the lists of an estate that are unread."""
    parts = {name: value for name, value in (judged or {**estate, **TUNNELS}).items() if name not in unread}
    exposure = judge(parts, parts.get("tunnels")).result()
    exposure["not_judged"] += [{"object": one.replace("_", " "), "path": one, "why": "Not read."} for one in unread]
    return [{"name": "shop", "estate": estate, "exposure": exposure, **more}]


def judged(rule: str = "", reason: str | None = None, message: str = "m", **more: Any) -> list[Account]:
    """The account with another finding, if there is a rule. `more` are parts of its exposure."""
    found = {"rule": rule, "severity": "high", "object": AT_SHOP, "path": "https_edges[0].routes[0]"}
    found |= {"message": message, "why": "w", "fix": "f", "requirement": reason, "also": ["https_edges[1].routes[0]"]}
    accounts: list[Account] = json.loads(written(now_with())["json"])["accounts"]
    accounts[0]["exposure"]["findings"] += [found] if rule else []
    accounts[0]["exposure"].update(more)
    return accounts


def doubtful(name: str, path: str) -> list[Account]:
    return judged(not_judged=[{"object": name, "path": path, "why": "Not known."}])


ALL, NO_ROUTES = now_with(), {"hostports": ["shop.example.com:443"]}
WITH_ID = "[host=shop.example.com] /same -staff id=edghtsrt_{}"
ONLY_OTHER = estate(OTHER_EDGE)
UNMET, EVERYONE, HOLE = "requirement_not_met", "policy_allows_everyone", "hole_below_protected_prefix"
ALMOST = "The rules of the IP policy ipp_all let almost everyone through."
DEMANDED = {"summary": {"requirements": ["Only staff"]}}
UNKNOWN_POLICY = doubtful("IP policy ipp_all", "objects")
# What is known of the account now and before; how many findings and routes are new, and how many of each are gone.
COUNTS: list[tuple[list[Account], list[Account], tuple[int, int, int, int]]] = [
    (NOW, BEFORE, (1, 1, 1, 1)),
    (shop(f"[host=b.example.com] | {WITH_ID.format('after')}"), shop(WITH_ID.format("before")), (0, 0, 0, 0)),
    ([UNREAD], BEFORE, (0, 0, 0, 0)),
    (NOW, [UNREAD], (0, 0, 0, 0)),
    (NOW, [{"name": "shop"}], (0, 0, 0, 0)),
    (NOW, [{**BEFORE[0], "error": "a list ended early"}], (0, 1, 0, 1)),
    (NOW, [], (2, 0, 2, 0)),
    ([], BEFORE, (0, 0, 0, 0)),
    (ALL, ALL, (0, 0, 0, 0)),
    (now_with(tunnels=[]), ALL, (0, 1, 0, 0)),
    (now_with(tunnels=None), ALL, (0, 0, 0, 0)),
    (without("tunnels", **TUNNELS), ALL, (0, 0, 0, 0)),
    (without(judged=PARTS, **TUNNELS), ALL, (0, 0, 0, 0)),
    (without(judged=PARTS), ALL, (0, 1, 0, 0)),
    (now_with(OTHER_EDGE), ALL, (0, 1, 0, 1)),
    (now_with(f"[] | {OTHER_EDGE}"), ALL, (0, 1, 0, 1)),
    (now_with(f"/ | {OTHER_EDGE}"), ALL, (0, 1, 0, 0)),
    (now_with(https_edges=[NO_ROUTES, *ONLY_OTHER["https_edges"]]), ALL, (0, 0, 0, 0)),
    (now_with(f"{BOTH}:********"), ALL, (0, 0, 0, 0)),
    (without("https_edges"), ALL, (0, 0, 0, 0)),
    (without("https_edges", estate={}), ALL, (0, 0, 0, 0)),
    (without(judged={**PARTS, **ONLY_OTHER, **TUNNELS}), ALL, (0, 0, 0, 0)),
    (now_with(tls_edges=[]), ALL, (0, 0, 0, 0)),
    (now_with(**estate("tls: tls=1.2 office")), ALL, (0, 1, 0, 0)),
    # What the option is about is not known.
    (now_with(f"/ no-provider | {OTHER_EDGE}"), ALL, (0, 0, 0, 0)),
    (now_with(event_subscriptions=[]), ALL, (0, 0, 0, 0)),
    (now_with(**estate("events: ip_policy_created.v0")), ALL, (0, 1, 0, 0)),
    # Whether the requirement still holds.
    (judged(UNMET, "Only staff", **DEMANDED), judged(UNMET, "Only staff"), (0, 0, 0, 0)),
    (judged(UNMET, "Only staff", **DEMANDED), judged(UNMET, "Only the office"), (1, 0, 0, 0)),
    (judged(**DEMANDED), judged(UNMET, "Only staff"), (0, 1, 0, 0)),
    (judged(**DEMANDED), judged(UNMET), (0, 1, 0, 0)),
    (judged(), judged(UNMET, "Only staff"), (0, 0, 0, 0)),
    (judged(), judged(UNMET), (0, 0, 0, 0)),
    # Whom its policy allows.
    (judged(), judged(EVERYONE, message=ALMOST), (0, 1, 0, 0)),
    (UNKNOWN_POLICY, judged(EVERYONE, message=ALMOST), (0, 0, 0, 0)),
    (UNKNOWN_POLICY, judged(EVERYONE, message=ALMOST.replace("_all", "_all_others")), (0, 1, 0, 0)),
    # Who gets through to the route, or to the other one that it is about.
    (judged(), judged(HOLE), (0, 1, 0, 0)),
    (doubtful(AT_SHOP, "https_edges[0].routes[0].match"), judged(HOLE), (0, 1, 0, 0)),
    (doubtful(AT_SHOP, "https_edges[0].routes[0].oauth"), judged(HOLE), (0, 0, 0, 0)),
    (doubtful(AT_OLD, "https_edges[1].routes[0].policy"), judged(HOLE), (0, 0, 0, 0)),
    (doubtful("https_edge c.example.com:443", "https_edges[2].routes"), judged(HOLE), (0, 0, 0, 0)),
]


@pytest.mark.parametrize(("now", "before", "counts"), COUNTS)
def test_only_what_was_read_and_judged_both_times_is_new_or_gone(
    now: list[Account], before: list[Account], counts: tuple[int, ...]
) -> None:
    since = json.loads(written(now, previous=before)["json"])["summary"]["since"]
    new = sum(since["new"].values())
    assert (new, since["gone"], since["new_routes"], since["gone_routes"]) == counts


NO_FINDING = estate("[host=old.example.com] ")
NOT_JUDGED = [AT_SHOP, "TLS edge edgtls_vpn", "tunnel tcp://1.tcp.example.net:4711"]
DOUBTS = ("Agents can restrict", "Of TLS edges, the API shows", "No event subscription was named")
# What is known of the account now, and what of it and of an earlier report is not covered.
NOT_COVERED: list[tuple[list[Account], list[str]]] = [
    (ALL, []),
    (now_with(tunnels=[]), []),
    (now_with(tunnels=None), ["not judged: tunnels"]),
    (without("tunnels", **TUNNELS), ["not judged: tunnels"]),
    (without("https_edges"), ["not judged: https edges"]),
    (without(judged=ONLY_OTHER, **TUNNELS), [f"not judged: {one}" for one in NOT_JUDGED]),
    (without(judged=NO_FINDING, estate=NO_FINDING), []),
    (without(judged={"https_edges": []}, estate=NO_FINDING), ["not judged: https_edge old.example.com:443"]),
    ([], ["not read: the whole account"]),
]


@pytest.mark.parametrize(("now", "gaps"), NOT_COVERED)
def test_what_nobody_has_read_or_judged_is_said(now: list[Account], gaps: list[str]) -> None:
    report = written(now, previous=ALL)
    lines = report["markdown"].partition("## Not covered")[2].split("\n")
    said = [line for line in lines if line.startswith("- ") and not any(doubt in line for doubt in DOUBTS)]
    assert [line[2:].replace("`", "").partition(" of shop: ")[0] for line in said] == gaps
    assert ("online tunnel" in report["html"].partition("What is open")[0]) == (now not in ([], now_with(tunnels=None)))


ACCEPTED: list[Account] = json.loads(written(BEFORE)["json"])["accounts"]
ACCEPTED[0]["exposure"]["findings"][0]["accepted"] = {"reason": "A campaign"}
UGLY, SHOWN = "a\n\x1b[32mok: [b]\u202e", "a\\n\\u001b[32mok: [b]\\u202e"
MAY_HAVE = "0 new findings of severity high, and {} that may have others:\n- {}: could not be read completely"
MISSING_THEN = {**NOW[0], "name": "missing then"}
# The accounts now, the severity that fails the task, the number of new findings of high severity, and the message.
FAILING: list[tuple[list[Account], str, int, str]] = [
    (NOW, "medium", 1, f"1 new finding of severity medium or higher:\n- shop: {FIRST}"),
    (BEFORE, "medium", 0, ""),
    (ACCEPTED, "low", 0, ""),
    ([*BEFORE, MISSING_THEN], "low", 0, ""),
    ([UNREAD, {"name": "wiki", "error": "401"}], "high", 0, MAY_HAVE.format("2 accounts", "shop")),
    ([{**UNREAD, "name": UGLY}], "high", 0, MAY_HAVE.format("1 account", SHOWN)),
    ([{**NOW[0], "name": UGLY}], "low", 2, f"2 new findings of severity low or higher:\n- {SHOWN}: {FIRST}: "),
]


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(("now", "severity", "new", "message"), FAILING)
def test_a_task_fails_for_new_findings_after_the_report_is_written(
    tmp_path: Path, now: list[Account], severity: str, new: int, message: str, check_mode: bool
) -> None:
    run(tmp_path, dest="before.json", format="json", accounts=BEFORE, expected_accounts=["missing then"])
    options: dict[str, Any] = {"previous": "before.json", "fail_on_new": severity, "check_mode": check_mode}
    result = run(tmp_path, accounts=now, owners=[{"hosts": "*", "owner": UGLY}], **options)
    assert result.get("failed", False) is bool(message)
    assert result.get("msg", "").startswith(message)
    assert not {"\x1b", "\u202e"} & set(result.get("msg", ""))
    assert result["summary"]["since"]["new"] == {"high": new, "medium": 0, "low": 0}
    assert (tmp_path / "report.html").exists() is not check_mode


def test_before_the_first_report_there_is_none_to_compare_with(tmp_path: Path) -> None:
    result = run(tmp_path, accounts=NOW, previous="none.json", fail_on_new="low")
    assert "since" not in result["summary"]
    assert "failed" not in result
    [warning] = result["warnings"]
    assert warning.startswith(f"previous: {tmp_path}/none.json does not exist, so nothing is compared.")

    unread = run(tmp_path, accounts=[UNREAD], previous="none.json", fail_on_new="high")
    assert (unread["failed"], unread["msg"]) == (True, MAY_HAVE.format("1 account", "shop"))
    assert unread["warnings"] == [warning]
