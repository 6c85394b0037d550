# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts as gone since an earlier report, and what the report says that nobody has read or judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_report_task import run

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from report_accounts import OFFICE, Account, edge, route
from report_formats import written

OFF = {"oauth": {"enabled": False, "provider": {"github": {"organizations": ["staff"]}}}}
TUNNEL = {"id": "tn_one", "public_url": "tcp://1.tcp.example.net:1", "proto": "tcp", "forwards_to": "localhost:22"}
TLS = {"edge_id": "edgtls_x", "tls_termination": {"min_version": "1.0"}}
SENT = {"request_headers": {"enabled": True, "add": {"authorization": "Bearer x"}}}
PARTS = {
    "https_edges": [edge("a.example.com", route("/", "a", **OFF)), edge("b.example.com", route("/", "b", **SENT))],
    "tls_edges": [TLS],
    "event_subscriptions": [{"subscription_id": "esb_x", "sources": ["tunnel_created.v0"]}],
}
"""An estate with a finding about each of its members."""

WITH_MORE = [{"name": "shop", "estate": PARTS, "tunnels": [TUNNEL]}]


def without(*unread: str, estate: Account = PARTS, judged: Account | None = None, **more: Any) -> list[Account]:
    """An account with a result of `exposure_info`, which was judged without the lists of an estate that are unread."""
    parts = {name: value for name, value in (judged or {**estate, "tunnels": [TUNNEL]}).items() if name not in unread}
    exposure = judge(parts, parts.get("tunnels")).result()
    exposure["not_judged"] += [{"object": one.replace("_", " "), "path": one, "why": "Not read."} for one in unread]
    return [{"name": "shop", "estate": estate, "exposure": exposure, **more}]


def now_with(tunnels: Any = (TUNNEL,), **parts: Any) -> list[Account]:
    return [{"name": "shop", "estate": {**PARTS, **parts}, "tunnels": None if tunnels is None else list(tunnels)}]


EDGES = PARTS["https_edges"]
MASKED = [EDGES[0], edge("b.example.com", route("/", "b", request_headers={"add": {"authorization": "********"}}))]
# What is known of the account now; how many findings and routes are gone.
GONE: list[tuple[list[Account], tuple[int, int]]] = [
    (now_with(), (0, 0)),
    (now_with(tunnels=()), (1, 0)),
    (now_with(tunnels=None), (0, 0)),
    (without("tunnels"), (0, 0)),
    (without("tunnels", tunnels=[TUNNEL]), (0, 0)),
    (without(judged=PARTS, tunnels=[TUNNEL]), (0, 0)),
    (without(judged=PARTS), (1, 0)),
    (now_with(https_edges=EDGES[1:]), (1, 1)),
    (now_with(https_edges=[edge("a.example.com"), EDGES[1]]), (1, 1)),
    (now_with(https_edges=[edge("a.example.com", route("/", "a")), EDGES[1]]), (1, 0)),
    (now_with(https_edges=[{"hostports": ["a.example.com:443"]}, EDGES[1]]), (0, 0)),
    (now_with(https_edges=MASKED), (0, 0)),
    (without("https_edges"), (0, 0)),
    ([{**without("https_edges")[0], "estate": None}], (0, 0)),
    (without(judged={**PARTS, "https_edges": EDGES[1:], "tunnels": [TUNNEL]}), (0, 0)),
    (now_with(tls_edges=[]), (0, 0)),
    (
        now_with(
            tls_edges=[{"edge_id": "edgtls_x", "tls_termination": {"min_version": "1.2"}, "ip_restriction": OFFICE}]
        ),
        (1, 0),
    ),
    # What the option is about is not known.
    (now_with(https_edges=[edge("a.example.com", route("/", "a", oauth={"provider": {}})), EDGES[1]]), (0, 0)),
    (now_with(event_subscriptions=[]), (0, 0)),
    (now_with(event_subscriptions=[{"subscription_id": "esb_x", "sources": ["ip_policy_created.v0"]}]), (1, 0)),
]


@pytest.mark.parametrize(("now", "gone"), GONE)
def test_nothing_is_gone_that_nobody_has_read_and_judged_again(now: list[Account], gone: tuple[int, int]) -> None:
    since = json.loads(written(now, previous=WITH_MORE)["json"])["summary"]["since"]
    assert (since["gone"], since["gone_routes"]) == gone
    assert (sum(since["new"].values()), since["new_routes"]) == (0, 0)


ONLY_B = without(judged={"https_edges": EDGES[1:]})[0]["exposure"]
DOUBTS = ("Agents can restrict", "Of TLS edges, the API shows", "No event subscription was named")
AT_A = "https_edge_route path_prefix / of a.example.com:443"
# What is known of the account now, and what of it and of an earlier report is not covered.
NOT_COVERED: list[tuple[list[Account], list[str]]] = [
    (now_with(), []),
    (now_with(tunnels=()), []),
    (now_with(tunnels=None), ["not judged: tunnels"]),
    (without("tunnels", tunnels=[TUNNEL]), ["not judged: tunnels"]),
    (without("https_edges"), ["not judged: https edges"]),
    (
        [{"name": "shop", "estate": PARTS, "exposure": ONLY_B, "tunnels": [TUNNEL]}],
        [f"not judged: {one}" for one in (AT_A, "TLS edge edgtls_x", f"tunnel {TUNNEL['public_url']}")],
    ),
    (without(judged={"https_edges": [edge("b.example.com")]}, estate={"https_edges": [edge("b.example.com")]}), []),
    (
        without(judged={"https_edges": []}, estate={"https_edges": [edge("b.example.com")]}),
        ["not judged: https_edge b.example.com:443"],
    ),
    ([], ["not read: the whole account"]),
]


@pytest.mark.parametrize(("now", "gaps"), NOT_COVERED)
def test_what_nobody_has_read_or_judged_is_said(now: list[Account], gaps: list[str]) -> None:
    report = written(now, previous=WITH_MORE)
    lines = report["markdown"].partition("## Not covered")[2].split("\n")
    said = [line for line in lines if line.startswith("- ") and not any(doubt in line for doubt in DOUBTS)]
    assert [line[2:].replace("`", "").partition(" of shop: ")[0] for line in said] == gaps
    assert ("online tunnel" in report["html"].partition("What is open")[0]) == (now not in ([], now_with(tunnels=None)))


def test_nothing_is_new_in_an_account_that_was_missing_then(tmp_path: Path) -> None:
    names = ["bank", "shop"]
    bank = {**now_with()[0], "name": "bank"}
    run(tmp_path, dest="then.json", format="json", accounts=now_with(), expected_accounts=names)
    result = run(
        tmp_path, accounts=[*now_with(), bank], expected_accounts=names, previous="then.json", fail_on_new="low"
    )
    assert not result.get("failed")
    since = result["summary"]["since"]
    assert (sum(since["new"].values()), since["new_routes"]) == (0, 0)


def judged(rule: str = "", reason: str | None = None, message: str = "m", **more: Any) -> Account:
    """The account with another finding, if there is a rule. `more` are parts of its exposure."""
    found = {"rule": rule, "severity": "high", "object": AT_A, "path": "https_edges[0].routes[0]", "message": message}
    [account] = json.loads(written(now_with())["json"])["accounts"]
    found |= {"why": "w", "fix": "f", "requirement": reason, "also": ["https_edges[1].routes[0]"]}
    account["exposure"]["findings"] += [found] if rule else []
    account["exposure"].update(more)
    return dict(account)


UNMET, EVERYONE = "requirement_not_met", "policy_allows_everyone"
ALMOST = "The rules of the IP policy ipp_all let almost everyone through."
DEMANDED = {"summary": {"requirements": ["Only staff"]}}
HOLE, AT_B = "hole_below_protected_prefix", AT_A.replace("a.", "b.")


def doubtful(name: str, path: str) -> Account:
    return {"not_judged": [{"object": name, "path": path, "why": "Not known."}]}


UNKNOWN = doubtful("IP policy ipp_all", "objects")
# The account now and before; how many findings of high severity are new, and how many are gone.
HIGH: list[tuple[Account, Account, tuple[int, int]]] = [
    (judged(UNMET, "Only staff", **DEMANDED), judged(UNMET, "Only staff"), (0, 0)),
    (judged(UNMET, "Only staff", **DEMANDED), judged(UNMET, "Only the office"), (1, 0)),
    (judged(**DEMANDED), judged(UNMET, "Only staff"), (0, 1)),
    (judged(**DEMANDED), judged(UNMET), (0, 1)),
    (judged(), judged(UNMET, "Only staff"), (0, 0)),
    (judged(), judged(UNMET), (0, 0)),
    (judged(), judged(EVERYONE, message=ALMOST), (0, 1)),
    (judged(**UNKNOWN), judged(EVERYONE, message=ALMOST), (0, 0)),
    (judged(**UNKNOWN), judged(EVERYONE, message=ALMOST.replace("_all", "_all_others")), (0, 1)),
    # Who gets through to the route, or to the other one that it is about.
    (judged(), judged(HOLE), (0, 1)),
    (judged(**doubtful(AT_A, "https_edges[0].routes[0].match")), judged(HOLE), (0, 1)),
    (judged(**doubtful(AT_A, "https_edges[0].routes[0].oauth")), judged(HOLE), (0, 0)),
    (judged(**doubtful(AT_B, "https_edges[1].routes[0].policy")), judged(HOLE), (0, 0)),
    (judged(**doubtful("https_edge c.example.com:443", "https_edges[2].routes")), judged(HOLE), (0, 0)),
]


@pytest.mark.parametrize(("now", "before", "counts"), HIGH)
def test_a_finding_is_gone_if_its_requirement_and_its_policy_are_known(
    now: Account, before: Account, counts: tuple[int, int]
) -> None:
    since = json.loads(written([now], previous=[before])["json"])["summary"]["since"]
    assert (since["new"]["high"], since["gone"]) == counts
