# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report shows: who gets through each lane, what a plan changes, and what is not known."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import EDGE_MODULES, ROUTE_MODULES
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report import html
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.gates import (
    BACKEND,
    GATES,
    MODULES,
    OTHERS,
    POLICY,
)
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.icons import ICONS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.lane import Judgement, lane
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.markdown import markdown_page
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.page_data import PageData
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.plan_view import effect
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.report import Report
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.summary import summary_of
from report_accounts import EXPECTED, GITHUB, OFFICE, Account, accounts, edge, entry, route, shop


def report_of(*given: Account, expected: tuple[str, ...] = ()) -> Report:
    return Report("Report", [with_exposure(account) for account in given], expected)


def lanes_of(report: Report) -> dict[str, Any]:
    return {f"{group.hosts[0].partition('.')[0]} {one.name}": one for group in report.groups for one in group.lanes}


def states(lane: Any) -> dict[str, str]:
    return {gate.module: gate.state for gate in lane.live.gates}


def test_each_traffic_module_is_drawn_in_one_place() -> None:
    drawn = [name for names in GATES.values() for name in names] + list(OTHERS) + [POLICY, BACKEND]
    assert sorted(drawn) == sorted(set(drawn))
    assert set(drawn) == {*ROUTE_MODULES, *EDGE_MODULES} - {"tls_termination"}
    assert {*ROUTE_MODULES, *EDGE_MODULES} <= MODULES
    assert {*GATES, POLICY} <= ICONS.keys()


def test_a_traffic_module_without_an_icon_of_its_own_has_a_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "OTHERS", (*OTHERS, "rate_limit"))
    page = html.html_page(report_of(shop()))
    for name in (*OTHERS, "rate_limit"):
        assert page.count(f'<symbol id="i-{name}" viewBox="0 0 16 16"><path d="M') == 1


def test_lanes_show_who_gets_through_and_what_is_disabled() -> None:
    lanes = lanes_of(report_of(shop()))

    assert {name: (list(lane.live.access), lane.live.openness) for name, lane in lanes.items() if lane.live} == {
        "shop /": (["public"], "public"),
        "shop /admin": (["public"], "public"),
        "shop /checkout": (["public"], "public"),
        "shop /healthz": (["public"], "public"),
        "shop /hooks": (["signature"], "one"),
        "staff /": (["login"], "one"),
        "staff /reports": (["network", "login"], "several"),
        "staff /export": (["public"], "public"),
        "partners /": (["certificate"], "one"),
        "partners /old": (["closed"], "closed"),
        "TLS edges edgtls_depot": (["network"], "one"),
        "Online tunnels tcp://1.tcp.example.net:12345": (["public"], "public"),
    }
    assert states(lanes["shop /admin"]) == {"oauth": "off"}
    assert states(lanes["staff /reports"]) == {"ip_restriction": "on", "oauth": "on"}
    assert states(lanes["partners /"]) == {"mutual_tls": "on", "policy": "open"}
    assert states(lanes["partners /old"]) == {"mutual_tls": "on"}
    assert [gate.label for gate in lanes["staff /reports"].live.gates] == ["ipp_office +1", "shop-staff"]
    assert lanes["shop /admin"].severity == "high"
    assert lanes["shop /"].severity == ""


def test_the_plan_shows_who_gets_through_before_and_after() -> None:
    report = report_of(shop())
    shown = {str(change.entry["object"]): (change.effect, change.sides) for change in report.changes}
    lanes = lanes_of(report)

    assert shown == {
        "https_edge_route path_prefix /admin of shop.example.com:443": ("closes", "public → login"),
        "https_edge gifts.example.com:443": ("", ""),
        "https_edge_route path_prefix / of gifts.example.com:443": ("opens", "nobody → public"),
        "https_edge_route path_prefix /checkout of shop.example.com:443": ("", "public → public"),
        "event_source api_key_deleted.v0 of esb_audit": ("", ""),
    }
    assert report.effects == {"opens": 1, "closes": 1, "adds": 0, "removes": 0, "not judged": 0}
    assert summary_of(report)["created"] == 1
    assert lanes["shop /admin"].action == "update"
    assert list(lanes["shop /admin"].planned.access) == ["login"]
    assert lanes["gifts /"].live is None
    assert report.count("https_edge") == 3


def test_mutual_tls_of_an_edge_counts_for_its_routes() -> None:
    name = "api.example.com"
    mutual_tls = {"enabled": True, "certificate_authority_ids": ["ca_x"]}
    before = {"hostports": [f"{name}:443"], "mutual_tls": mutual_tls}
    live = edge(name, route("/", "api"), route("/own", "api"), mutual_tls=mutual_tls)
    change = entry("update", f"https_edge {name}:443 (edghts_x)", before, {"hostports": [f"{name}:443"]}, "https_edge")
    own = entry(
        "update", f"https_edge_route path_prefix /own of {name}:443 (edghtsrt_x)", live["routes"][1], live["routes"][1]
    )
    report = report_of({"name": "a", "estate": {"https_edges": [live]}, "plan": {"plan": [change, own]}})

    assert [(one.effect, len(one.pairs)) for one in report.changes] == [("opens", 1), ("opens", 1)]
    assert report.effects["opens"] == 2


@pytest.mark.parametrize("name", ["'shop'", "(edghts_x)", "without hostports"])
def test_an_edge_without_hostports_is_found_by_its_name(name: str) -> None:
    """Only the routes of an edge that its routes belong to are protected by its mutual TLS."""
    mutual_tls = {"enabled": True, "certificate_authority_ids": ["ca_x"]}
    declared = route("/", "api")
    of = {"without hostports": ""}.get(name, f" of {name.strip('()')}")
    changes = [
        entry("create", f"https_edge {name}", None, {"mutual_tls": mutual_tls}, "https_edge"),
        entry("create", "https_edge 'other'", None, {}, "https_edge"),
        entry("create", f"https_edge_route path_prefix /{of}", None, declared),
        entry("create", "https_edge_route path_prefix / of 'other'", None, declared),
    ]
    report = report_of({"name": "a", "estate": {"https_edges": []}, "plan": {"plan": changes}})
    lanes = [pair.now for one in report.changes for pair in one.pairs]
    assert [lane and list(lane.access) for lane in lanes] == [["certificate"], ["public"]]


@pytest.mark.parametrize(
    ("around", "path", "expected"),
    [
        (route("/", "api"), "/admin", ("opens", "login → public")),
        (route("/admin", "api"), "/admin", ("opens", "login → public")),
        (route("/adm", "api"), "/admin", ("removes", "login → nobody")),
        (route("/", "api", "exact_path"), "/admin", ("removes", "login → nobody")),
        (route("/", "api", ip_restriction=OFFICE), "/admin", ("shifts", "login → network")),
        (route("/", "api") | {"backend": {"enabled": False}}, "/admin", ("removes", "login → nobody")),
    ],
)
def test_requests_for_a_deleted_route_reach_the_one_around_it(around: Any, path: str, expected: Any) -> None:
    name = "api.example.com"
    admin = route(path, "api", "exact_path", oauth={"enabled": True, "provider": GITHUB})
    live = edge(name, around, admin, route("/admin/deeper", "api"))
    change = entry("delete", f"https_edge_route exact_path {path} of {name}:443", admin, None)
    report = report_of({"name": "a", "estate": {"https_edges": [live]}, "plan": {"plan": [change]}})
    assert [(one.effect, one.sides) for one in report.changes] == [expected]
    assert lanes_of(report)["api /admin"].planned is None
    [shown] = PageData(report).data()["plan"]
    assert shown.get("s") == (None if "nobody" in expected[1] else around["match"])


def test_the_routes_of_a_deleted_edge_are_removed() -> None:
    live = edge("api.example.com", route("/", "api"))
    change = entry("delete", "https_edge api.example.com:443", live, None, "https_edge")
    report = report_of({"name": "a", "estate": {"https_edges": []}, "plan": {"plan": [change]}})
    assert [(one.effect, one.sides) for one in report.changes] == [("removes", "public → nobody")]


def test_a_route_of_an_edge_that_nobody_has_read_is_not_judged() -> None:
    """Mutual TLS of the edge could protect it."""
    change = entry("update", "https_edge_route path_prefix / of api.example.com:443", route("/", "a"), route("/", "b"))
    report = report_of({"name": "a", "plan": {"plan": [change]}})
    assert [one.effect for one in report.changes] == ["not judged"]
    assert report.accounts[0].error == "Only its plan is known."


class Passing:
    def __init__(self, *access: str) -> None:
        self.access = access


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        (("login",), ("public",), "opens"),
        (("closed",), ("login",), "opens"),
        (("network", "login"), ("login",), "opens"),
        (("public",), ("login",), "closes"),
        (("login",), ("network", "login"), "closes"),
        (("login",), ("closed",), "closes"),
        (("login",), ("network",), "shifts"),
        (("login",), ("login",), ""),
        (("login",), (), "not judged"),
        (None, ("public",), "opens"),
        (None, ("login",), "adds"),
        (None, ("closed",), ""),
        (("public",), None, "removes"),
        (("closed",), None, ""),
    ],
)
def test_the_effect_of_a_change(was: Any, now: Any, expected: str) -> None:
    assert effect(*(None if one is None else Passing(*one) for one in (was, now))) == expected  # type: ignore[arg-type]


def test_what_is_not_known_is_not_clean() -> None:
    report = report_of(*accounts(), {"name": "empty"}, expected=tuple(EXPECTED))
    errors = {view.name: view.error for view in report.incomplete}
    gaps = {(gap.kind, gap.account) for gap in report.gaps}

    assert errors.keys() == {"field", "hub", "empty"}
    assert {("not read", "field"), ("not read", "hub"), ("not examined", "shop")} <= gaps
    assert summary_of(report)["missing"] == ["hub"]
    assert summary_of(report)["incomplete"] == ["empty", "field"]
    assert summary_of(report)["read"] == 2


def test_without_judgement_nothing_is_public_or_closed() -> None:
    exposure = {"exposure": [], "findings": [], "not_judged": []}
    report = Report("Report", [{**shop(), "exposure": exposure, "plan": None}])
    assert report.openness == {"unknown": 10}
    [gate] = lanes_of(report)["staff /"].live.gates
    assert (gate.state, gate.unknown) == ("on", True)


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        (
            Judgement(("network",), frozenset({"ip_restriction"})),
            {"ip_restriction": "on", "oauth": "off", "policy": "open"},
        ),
        (Judgement(("public",)), {"ip_restriction": "open", "oauth": "off", "policy": "open"}),
        (Judgement(("closed",)), {"ip_restriction": "on", "oauth": "off", "policy": "open"}),
        (Judgement(()), {"ip_restriction": "on", "oauth": "off", "policy": "open"}),
    ],
)
def test_a_gate_is_open_only_if_it_certainly_lets_everybody_through(
    judgement: Judgement, expected: dict[str, str]
) -> None:
    modules = {"ip_restriction": {"enabled": True}, "oauth": {"enabled": False}, "policy": {"enabled": True}}
    assert {gate.module: gate.state for gate in lane(route("/", "a", **modules), judgement).gates} == expected


def test_an_exposure_alone_is_drawn() -> None:
    judged = with_exposure(shop())
    report = Report("Report", [{"name": "shop", "exposure": judged["exposure"]}])
    lanes = lanes_of(report)
    assert report.openness["public"] == 5
    assert states(lanes["staff /reports"]) == {"ip_restriction": "on", "oauth": "on"}
    assert [group.hosts for group in report.groups][:2] == [["shop.example.com:443"], ["staff.example.com:443"]]


def test_each_finding_leads_to_its_object() -> None:
    report = report_of(*accounts())
    placed = [
        one for group in report.groups for one in [*group.findings, *(f for lane in group.lanes for f in lane.findings)]
    ]
    everything = [one for view in report.accounts for one in view.exposure.findings]
    assert len(everything) > 5
    assert {id(one) for one in everything if not str(one["path"]).startswith("event_")} == {id(one) for one in placed}


def test_links_stay_the_same_and_are_unique() -> None:
    twice = {"https_edges": [edge("a.example.com", route("/", "a"), route("/", "b"))] * 2}
    first, second = (report_of({"name": "a", "estate": twice}) for _ in range(2))
    anchors = [[lane.anchor for group in report.groups for lane in group.lanes] for report in (first, second)]
    assert anchors[0] == anchors[1]
    assert len(set(anchors[0])) == 4


def test_an_edge_without_known_routes_is_not_judged() -> None:
    before = {
        "hostports": ["x.example.com:443"],
        "mutual_tls": {"enabled": True, "certificate_authority_ids": ["ca_x"]},
    }
    change = entry("update", "https_edge x.example.com:443", before, {"hostports": before["hostports"]}, "https_edge")
    report = report_of({"name": "a", "plan": {"plan": [change]}})
    assert [one.effect for one in report.changes] == ["not judged"]
    assert "Opens 0, closes 0, adds 0, and removes 0 routes. 1 not judged." in markdown_page(report)
