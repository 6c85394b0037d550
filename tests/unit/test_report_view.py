# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report shows: who gets through each lane, what a plan changes, and what is not known.

Values of any type in any place of an account are reported on, or they are option errors.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from amount import seeds
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import EDGE_MODULES, ROUTE_MODULES
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report import drawing
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.account_view import highest_severity
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import NOT_JUDGED, with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import option_errors
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.plan_view import effect
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.report import Report
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report_formats import html
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report_formats.markdown import markdown_page
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report_formats.page_view import ICONS, declaration_of
from estates_to_judge import estate, route
from page_elements import part, text_of
from report_accounts import Account, accounts, entry, shop
from report_formats import written


def report_of(*given: Account) -> Report:
    return Report("Report", [with_exposure(account) for account in given])


def drawn_in(report: Report) -> dict[str, Any]:
    return {f"{group.hosts[0].partition('.')[0]} {one.name}": one for group in report.groups for one in group.objects}


def edge(text: str = "") -> dict[str, Any]:
    [found] = estate(text)["https_edges"]
    return dict(found)


def states(lane: Any) -> dict[str, str]:
    return {lock.module: lock.state for lock in lane.live.locks}


def test_each_traffic_module_is_drawn_in_one_place() -> None:
    locks = [name for name, kind in {**ROUTE_MODULES, **EDGE_MODULES}.items() if kind.protects in drawing.CHECKS]
    drawn = [*locks, *drawing.OTHERS, drawing.BACKEND]
    assert sorted(drawn) == sorted(set(drawn))
    assert set(drawn) == {*ROUTE_MODULES, *EDGE_MODULES} - {"tls_termination"}
    assert {*ROUTE_MODULES, *EDGE_MODULES} <= drawing.MODULES
    assert set(drawing.CHECKS) <= ICONS.keys()


def test_a_traffic_module_without_an_icon_of_its_own_has_a_general_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "OTHERS", (*drawing.OTHERS, "rate_limit"))
    page = html.html_page(report_of(shop()))
    for name in (*drawing.OTHERS, "rate_limit"):
        assert page.count(f'<symbol id="i-{name}" viewBox="0 0 16 16"><path d="M') == 1


def test_lanes_show_who_gets_through_and_what_is_disabled() -> None:
    lanes = drawn_in(report_of(shop()))
    found: dict[tuple[str, ...], list[str]] = {}
    for name, lane in lanes.items():
        found.setdefault((lane.live.openness, *lane.live.access) if lane.live else (), []).append(name)
    tunnel = "Online tunnels tcp://1.tcp.example.net:12345"
    assert found == {
        ("public", "public"): ["shop /", "shop /admin", "shop /checkout", "shop /healthz", "staff /export", tunnel],
        ("one", "signature"): ["shop /hooks"],
        ("one", "login"): ["staff /"],
        ("several", "network", "login"): ["staff /reports"],
        ("one", "certificate"): ["partners /"],
        ("closed", "closed"): ["partners /old"],
        ("one", "network"): ["TLS edges edgtls_depot"],
        (): ["gifts /"],
    }
    assert states(lanes["shop /admin"]) == {"oauth": "off"}
    assert states(lanes["partners /"]) == {"mutual_tls": "on", "policy": "open"}
    assert [lock.label for lock in lanes["staff /reports"].live.locks] == ["ipp_office +1", "shop-staff"]
    assert [highest_severity(lanes[f"shop /{name}"].findings) for name in ("admin", "")] == ["high", ""]


def test_the_plan_shows_who_gets_through_before_and_after() -> None:
    report = report_of(shop())
    shown = {str(change.entry["object"]): (change.effect, change.sides) for change in report.changes}
    lanes = drawn_in(report)
    assert shown == {
        "https_edge_route path_prefix /admin of shop.example.com:443": ("closes", "public → login"),
        "https_edge gifts.example.com:443": ("", ""),
        "https_edge_route path_prefix / of gifts.example.com:443": ("opens", "new → public"),
        "https_edge_route path_prefix /checkout of shop.example.com:443": ("", "public → public"),
        "event_source api_key_deleted.v0 of esb_audit": ("", ""),
    }
    assert report.effects == {"opens": 1, "closes": 1, "adds": 0, "removes": 0, "not judged": 0}
    assert report.summary()["created"] == 1
    assert lanes["shop /admin"].action == "update"
    assert list(lanes["shop /admin"].planned.access) == ["login"]
    assert report.count("https_edge") == 3


LIVE, NAME = edge("[certificates=ca_x] /, /own"), "https_edge shop.example.com:443"
ANY, OWN = LIVE["routes"]
LOGIN = route("/ staff")
HOSTS = [f"h{number}.example.com:443" for number in range(10, 35)]
IN_SHORT = entry("update", f"https_edge_route path_prefix / of {', '.join(HOSTS[:20])}, and 5 more", ANY, LOGIN)
OF_ANY = entry("update", "https_edge_route path_prefix / of shop.example.com:443", ANY, LOGIN)
OF_OWN = entry("update", "https_edge_route path_prefix /own of shop.example.com:443 (edghtsrt_x)", OWN, OWN)
NO_TLS = entry("update", f"{NAME} (edghts_x)", edge("[certificates=ca_x]"), edge(), "https_edge")
GONE = entry("delete", NAME, edge("/"), None, "https_edge")
# The edges that were read, the changes, and the effect of each: mutual TLS of an edge protects its routes.
CHANGES: dict[str, tuple[list[dict[str, Any]] | None, list[dict[str, Any]], list[str]]] = {
    "mutual TLS is removed": ([LIVE], [NO_TLS, OF_OWN], ["opens: certificate → public"] * 2),
    "an edge is deleted with its route": ([], [GONE], ["removes: public → gone"]),
    "some of many hostports": ([{**edge("/"), "hostports": HOSTS}], [IN_SHORT], ["closes: public → login"]),
    "nobody has read the edge of a route": (None, [OF_ANY], ["not judged: "]),
    "nobody has read the routes of an edge": (None, [NO_TLS], ["not judged: "]),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_has_an_effect_on_routes(name: str) -> None:
    edges, changes, effects = CHANGES[name]
    read = {} if edges is None else {"estate": {"https_edges": edges}}
    report = report_of({"name": "a", **read, "plan": {"plan": changes}})
    assert [f"{one.effect}: {one.sides}" for one in report.changes] == effects
    assert sum(report.effects.values()) == len(effects)
    assert [len(one.pairs) for one in report.changes] == [1] * len(effects)
    if edges is None:
        assert report.accounts[0].error == "Only its plan is known."
        assert "Opens 0, closes 0, adds 0, and removes 0 routes. 1 not judged." in markdown_page(report)


@pytest.mark.parametrize("name", ["'shop'", "'team of shops'", "(edghts_x)", "without hostports"])
def test_an_edge_without_hostports_is_found_by_its_name(name: str) -> None:
    """Only the routes of an edge that its routes belong to are protected by its mutual TLS."""
    of = {"without hostports": ""}.get(name, f" of {name.strip('()')}")
    changes = [
        entry("create", f"https_edge {name}", None, edge("[certificates=ca_x]"), "https_edge"),
        entry("create", "https_edge 'other'", None, {}, "https_edge"),
        entry("create", f"https_edge_route path_prefix /{of}", None, ANY),
        entry("create", "https_edge_route path_prefix / of 'other'", None, ANY),
    ]
    report = report_of({"name": "a", "estate": {"https_edges": []}, "plan": {"plan": changes}})
    drawn = {str(one.entry["object"]): pair.now for one in report.changes for pair in one.pairs}
    assert {subject: each and list(each.access) for subject, each in drawn.items()} == {
        f"https_edge_route path_prefix /{of}": ["certificate"],
        "https_edge_route path_prefix / of 'other'": ["public"],
    }


def test_a_new_route_in_the_place_of_a_deleted_one_is_drawn() -> None:
    changes = [
        entry("create", "https_edge 'shop'", None, {}, "https_edge"),
        entry("create", "https_edge_route path_prefix / of 'shop'", None, ANY),
        entry("delete", "https_edge 'shop' (edghts_x)", {"routes": [ANY]}, None, "https_edge"),
    ]
    page = html.html_page(report_of({"name": "a", "plan": {"plan": changes}}))
    assert "This edge has no routes" not in page


def test_the_plan_shows_what_it_opens_and_to_whom() -> None:
    """A route that is deleted leaves its requests to the prefix around it, so the plan says who gets through then."""
    live = estate("/, /admin staff")
    opens = [
        {"kind": "new", "request": "https://new.example.com/", "text": "nothing took it before"},
        {"kind": "unlocked", "request": "https://shop.example.com/admin", "text": "no longer requires a login"},
        {"kind": "stranger", "request": "x", "text": "of a later version"},
    ]
    subject = "https_edge_route path_prefix /admin of shop.example.com:443"
    change = {**entry("delete", subject, live["https_edges"][0]["routes"][1], None), "opens": opens, "opens_count": 30}
    others = [{"kind": "others", "request": "https://shop.example.com/", "text": "also admits 0.0.0.0/0"}]
    rule = {**entry("update", "object ip_policy_rules all", {}, {}, "object"), "opens": others, "opens_count": 1}
    harmless = {**entry("update", "object backends/static page", {}, {}, "object"), "opens": [], "opens_count": 0}
    report = report_of({"name": "a", "estate": live, "plan": {"plan": [harmless, change, rule]}})
    assert [(one.effect, one.sides) for one in report.changes] == [("opens", "login → gone"), ("opens", ""), ("", "")]
    assert report.effects == {"opens": 2, "closes": 0, "adds": 0, "removes": 1, "not judged": 0}
    text = markdown_page(report)
    line = "- unlocked: `https://shop.example.com/admin: no longer requires a login`: "
    assert f"**The plan opens:**\n\n{line}`{subject}` of `a`\n- stranger: " in text
    assert "The plan only counts 27 more requests." in text
    page = html.html_page(report)
    assert page.index("no longer requires a login") < page.index("object backends/static page")
    openings = part(page, "openings")
    assert [str(one[0].text) for one in openings.iter("li")] == ["unlocked", "stranger", "others", "new"]
    assert text_of(openings).endswith("The plan only counts 27 more requests.")


# Who gets through before and after; None if the route does not exist.
EFFECTS: list[tuple[str | None, str | None, str]] = [
    ("closed", "login", "opens"),
    ("network login", "login", "opens"),
    ("login", "closed", "closes"),
    ("login", "network", "shifts"),
    ("login", "login", ""),
    ("login", "", "not judged"),
    (None, "public", "opens"),
    (None, "login", "adds"),
    (None, "closed", ""),
    ("public", None, "removes"),
    ("closed", None, ""),
]


@pytest.mark.parametrize(("was", "now", "expected"), EFFECTS)
def test_the_effect_of_a_change(was: str | None, now: str | None, expected: str) -> None:
    before, after = (None if one is None else SimpleNamespace(access=tuple(one.split())) for one in (was, now))
    assert effect(before, after) == expected  # type: ignore[arg-type]


def test_without_judgement_nothing_is_public_or_closed() -> None:
    report = Report("Report", [{**shop(), "exposure": {}, "plan": None}])
    assert report.openness == {"unknown": 10}
    assert drawn_in(report)["staff /"].live.locks == []


def test_locks_are_drawn_as_they_were_judged() -> None:
    report = report_of({"name": "a", "estate": estate("/ no-policies -organization=shop-staff rules=deny")})
    locks = drawn_in(report)["shop /"].live.locks
    assert [(one.module, one.state, one.label, one.is_weak, one.is_unknown) for one in locks] == [
        ("ip_restriction", "open", "none", True, True),
        ("oauth", "off", "shop-staff", False, False),
        ("policy", "unknown", "deny", False, True),
    ]


@pytest.mark.parametrize(("others", "widths"), [([], [3, 1, 2]), ([("compression", True)], [3, 1, 1])])
def test_checks_without_locks_share_a_piece_of_the_line(others: list[tuple[str, bool]], widths: list[int]) -> None:
    login = drawing.Lock("login", "oauth", "shop-staff", "on")
    pieces = list(drawing.Drawing(locks=[login], others=others).cells)
    assert [(one.width, one.is_behind) for one in pieces] == list(zip(widths, (False, False, True), strict=True))


def test_objects_of_other_collections_that_serve_traffic_are_drawn() -> None:
    body = edge("[office]") | {"backend": {"backend_id": "bk_ssh"}}
    objects = [{"name": "ssh", "collection": "edges/tcp", "body": body}]
    report = report_of({"name": "a", "estate": {"https_edges": [], "objects": objects}})
    [group] = report.groups
    [drawn] = group.objects
    assert (group.kind, drawn.name, drawn.live and drawn.live.access) == ("object", "edges/tcp ssh", ["network"])


def test_what_only_the_exposure_contains_is_drawn_and_said() -> None:
    account = {"name": "shop", "exposure": with_exposure(shop())["exposure"]}
    other = {"estate": estate("[host=api.example.com] /, /own")}
    alone, beside = (Report("Report", [{**account, **more}]) for more in ({}, other))
    assert states(drawn_in(alone)["staff /reports"]) == {"ip_restriction": "on", "oauth": "on"}
    assert [group.hosts for group in alone.groups][:2] == [["shop.example.com:443"], ["staff.example.com:443"]]
    assert [dict(report.openness) for report in (alone, beside)] == [
        {"public": 5, "one": 3, "several": 1, "closed": 1},
        {"unknown": 2, "public": 5, "one": 3, "several": 1, "closed": 1},
    ]
    assert [[gap.kind for gap in report.gaps].count("not read") for report in (alone, beside)] == [0, 11]


def test_each_finding_leads_to_its_object() -> None:
    report = report_of(*accounts())
    placed = {one for group in report.groups for place in (group, *group.objects) for one in place.findings}
    assert len(report.findings) > 5
    assert {one for one in report.findings if not one.path.startswith("event_")} == placed
    holes = {"/metrics": ["/"], "/export": ["/"]}
    assert {one.at.name: [other.name for other in one.others] for one in report.findings if one.others} == holes


def test_links_to_equal_objects_are_unique() -> None:
    report = report_of({"name": "a", "estate": {"https_edges": [edge("/, /")] * 2}})
    assert len({lane.anchor for group in report.groups for lane in group.objects}) == 4


def test_a_declaration_to_copy_is_a_member_of_its_list() -> None:
    offered: list[tuple[str, Any, str]] = [
        ("https_edges", {"id": "edghts_1"}, "- id: edghts_1\n"),
        ("https_edges[0].routes", {"match": "/"}, "- match: /\n"),
        ("https_edges[0].routes[1].compression", {"enabled": True}, "enabled: true\n"),
        ("https_edges", None, ""),
        ("https_edges[0].mutual_tls", None, ""),
    ]
    for option, declaration, expected in offered:
        assert declaration_of({"option": option, "declaration": declaration}) == expected


ODD: list[Any] = [None, "", 0, 1.5, True, [], {}, "x", ["x"], {"a": 1}, [[]], [None], -1]
ACCOUNTS = (shop(), with_exposure(shop()))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if len(path) > 1:
        yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from places(member, (*path, name))


@pytest.mark.parametrize("seed", seeds(200, 5000, "odd values"))
def test_any_value_is_reported_on_or_an_option_error(seed: str) -> None:
    draw = random.Random(seed)
    account = copy.deepcopy(draw.choice(ACCOUNTS))
    for _ in range(draw.randint(1, 3)):
        *path, last = draw.choice(list(places(account)))
        place: Any = account
        for name in path:
            place = place[name]
        place[last] = copy.deepcopy(draw.choice(ODD))
    if not list(option_errors({"accounts": [account]})):
        report = written([account])
        assert json.loads(report["json"])["summary"]["accounts"] == 1


FAILED = {"failed": True, "msg": "401 ERR_API_KEY"}
UNREAD: list[tuple[dict[str, Any], str]] = [
    ({"estate": {}}, "Neither its estate nor its exposure is known."),
    ({"estate": FAILED}, "401 ERR_API_KEY"),
    ({"exposure": FAILED, "error": "timed out"}, "401 ERR_API_KEY; timed out"),
    ({"estate": {"tls_edges": []}}, "Its HTTPS edges were not read."),
    ({"estate": {"https_edges": [{**edge(), "routes": [{**ANY, "oauth": "on"}, OWN]}]}}, NOT_JUDGED),
]


@pytest.mark.parametrize(("parts", "reason"), UNREAD)
def test_an_account_that_was_not_read_or_judged_is_not_clean(parts: dict[str, Any], reason: str) -> None:
    account = {"name": "a", **parts}
    assert not list(option_errors({"accounts": [account]}))
    report = written([account])
    summary = json.loads(report["json"])["summary"]
    assert summary["incomplete"] == ["a"]
    assert summary["not_judged"] == summary["routes"] == (2 if reason == NOT_JUDGED else 0)
    assert [name for name in ("html", "markdown", "junit", "sarif") if reason not in report[name]] == []


@pytest.mark.parametrize("text", ["/ staff, /", "[certificates=ca_x] / | [host=shop.example.com] /"])
def test_equal_objects_are_judged_one_by_one(text: str) -> None:
    access = json.loads(written([{"name": "a", "estate": estate(text)}])["json"])["summary"]["access"]
    assert access["public"] == 1
    assert access["login"] + access["certificate"] == 1


TYPO = {"estate": estate("tls: ") | {"https_edges": []}, "tls_edges_not_found": ["edgtls_vpn"]}
NOT_LISTED = ["other TLS edges", "other event subscriptions"]
# What estate_info returned, and what was not judged.
LIVE_ESTATES: list[tuple[dict[str, Any], list[str]]] = [
    (TYPO, ["TLS edge edgtls_vpn"]),
    ({**TYPO, "tls_edges_not_found": []}, []),
    ({**TYPO, "collected_at": "2026-01-31T12:00:00Z"}, ["TLS edge edgtls_vpn", *NOT_LISTED]),
]


@pytest.mark.parametrize(("live", "not_judged"), LIVE_ESTATES)
def test_what_may_not_exist_or_cannot_be_listed_is_not_judged(live: dict[str, Any], not_judged: list[str]) -> None:
    """As in the result of `exposure_info`, and again after merging."""
    first = json.loads(written([{"name": "a", "estate": live}])["json"])["accounts"]
    for account in (first[0], json.loads(written([*first])["json"])["accounts"][0]):
        report = Report("Report", [account])
        drawn = [one.live.openness for group in report.groups for one in group.objects if one.live]
        assert drawn == ["unknown" if not_judged else "public"]
        always = {"TLS edges", "event subscriptions", "tunnels"}
        assert [one.object for one in report.gaps if one.object not in always] == not_judged
