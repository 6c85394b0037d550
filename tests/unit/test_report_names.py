# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of backends and IP policies, which a report shows instead of their IDs, and the owners of edges."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.names import names_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.owners import Owners
from estates_to_judge import estate, route
from page_elements import part, text_of
from report_accounts import SECRET_CANARY, Account, entry, shop
from report_formats import written

READ = [
    {"id": "bkdhr_shop", "uri": "https://api.example.com", "description": "The web shop", "password": SECRET_CANARY},
    {"id": "ipp_office", "name": "Office network", "description": ""},
    {"id": "ipp_vpn", "description": ""},
    {"description": "without an ID"},
]
DECLARED = [
    {"name": "shop", "collection": "backends/http", "find_by": {"description": "The web shop"}},
    {"name": "my office.2", "collection": "ip_policies", "body": {"name": "Office network"}},
    {"name": "vpn", "id": "ipp_vpn", "collection": "ip_policies"},
]
NEW, NEW_OFFICE = "new_3f2a_would-be-created", "ipp_office_would-be-created"
MINE = [{"name": "mine", "id": "bkdhr_shop", "collection": "backends/http"}]


def shop_with(backend: str, networks: str, *objects: Account) -> Account:
    """A route that is open, although another one protects the same backend."""
    a, b = (f"[host={name}.example.com tls=1.2] / >{backend}" for name in "ab")
    return {"name": "shop", "estate": {**estate(f"{a} networks={networks} | {b}"), "objects": [*objects]}}


ROUTE = "https_edge_route path_prefix / of a.example.com:443"
FINDING = {"rule": "backend_open_elsewhere", "severity": "medium", "object": ROUTE, "created": True}
# What `estate` returns in check mode of a new route, whose backend is new as well.
PLANNED = {
    "plan": [entry("create", ROUTE, None, route(f"/ >{NEW} networks={NEW_OFFICE}"))],
    "objects": {
        "office": {"id": NEW_OFFICE, "description": "Office", "key": SECRET_CANARY},
        "web": {"id": NEW, "port": 80},
        "gone": None,
    },
    "findings": [{**FINDING, "message": f"Everyone can reach backend {NEW}."}],
}
WITH_IDS = shop_with("bkdhr_shop", "ipp_office+ipp_vpn")
ACCOUNTS: dict[str, Account] = {
    "read": {**WITH_IDS, "objects": READ},
    "declared": shop_with("ref:shop", "ref:my~office.2+ref:vpn", *DECLARED),
}
OWN = {"plan": [], "objects": {"own": {"id": "bkdhr_shop"}}}
DECLARED_NAMES = {"ipp_vpn": "vpn", "ref:my office.2": "Office network", "ref:shop": "The web shop", "ref:vpn": "vpn"}
# The parts of an account, and the names that are known from them. That of an object that was read comes first.
NAMES: list[tuple[Account, dict[str, str]]] = [
    (ACCOUNTS["read"], {"bkdhr_shop": "The web shop", "ipp_office": "Office network"}),
    (ACCOUNTS["declared"], DECLARED_NAMES),
    ({"plan": PLANNED}, {NEW_OFFICE: "Office", NEW: "web"}),
    ({"estate": {"objects": MINE}}, {"bkdhr_shop": "mine", "ref:mine": "mine"}),
    ({"estate": {"objects": MINE}, "plan": OWN}, {"bkdhr_shop": "own", "ref:mine": "mine"}),
    ({"objects": READ[:1], "plan": OWN}, {"bkdhr_shop": "The web shop"}),
]


@pytest.mark.parametrize(("account", "names"), NAMES)
def test_names_are_known_from_what_is_read_planned_or_declared(account: Account, names: dict[str, str]) -> None:
    assert names_of(account) == names


@pytest.mark.parametrize("name", ACCOUNTS)
def test_every_format_shows_names(name: str) -> None:
    sentence = "Everyone can reach backend {} through"
    report, without = written([ACCOUNTS[name]]), written([WITH_IDS])
    backend = ACCOUNTS[name]["estate"]["https_edges"][0]["routes"][0]["backend"]["backend_id"]
    for format_name in ("html", "markdown", "junit", "sarif"):
        assert sentence.format("bkdhr_shop") in without[format_name]
        assert sentence.format("The web shop") in report[format_name]
        # The page shows it if the mouse is over the sentence, by the rule and by the route.
        ids = report[format_name].count(sentence.format(backend))
        assert ids == report[format_name].count(f'<p title="{sentence.format(backend)}')
        assert ids == (2 if format_name == "html" else 0)
    assert "| `b.example.com:443 /` | `The web shop` | `shop` |" in report["markdown"]
    drawn = [one for one in part(report["html"], "edges").iter("span") if one.get("title")]
    backends = {(one.get("title"), text_of(one)) for one in drawn if one.get("class") == "backend"}
    assert backends == {(backend, "The web shop")}
    assert {text_of(one) for one in drawn if one.get("class") != "backend"} == {"networkOffice network +1"}


def test_only_ids_and_names_of_objects_are_in_a_report() -> None:
    report = written([{**ACCOUNTS["declared"], "objects": READ, "plan": PLANNED}])
    assert SECRET_CANARY not in "".join(report.values())
    [found] = json.loads(report["json"])["accounts"]
    assert found["objects"][0] == {"id": "bkdhr_shop", "description": "The web shop"}
    assert found["plan"]["objects"]["office"] == {"id": NEW_OFFICE, "description": "Office"}
    for page in (text_of(part(report["html"], "created")), report["markdown"]):
        assert "Everyone can reach backend web." in page


def test_a_part_of_a_longer_id_is_not_replaced() -> None:
    short = [{"id": "bkdhr_s", "description": "Another backend"}, {"id": "shop", "description": "Another backend"}]
    assert "Another backend" not in written([{**WITH_IDS, "objects": short}])["markdown"]


PATTERNS = ({"hosts": "*.shop.example.com", "owner": "Web team"}, {"hosts": "*", "owner": "Operations"})
HOSTS = ["blog.example.com:443", "b.shop.example.com:443"]
EDGES: list[tuple[dict[str, Any], str]] = [
    ({"metadata": '{"contact": {"team": "Payments"}}', "hostports": ["a.shop.example.com:443"]}, "Payments"),
    ({"metadata": {"contact": {"team": "Payments"}}}, "Payments"),
    ({"metadata": '{"contact": {"team": 7}}', "hostports": ["A.Shop.example.com:443"]}, "Web team"),
    ({"metadata": '{"contact": "x"}', "hostports": HOSTS[:1]}, "Operations"),
    ({"metadata": "contact.team=Payments", "hostports": HOSTS}, "Web team"),
    ({"metadata": "[" * 100_000, "hostports": []}, ""),
    ({"hostports": ["internal.shop.example.com"]}, "Web team"),
    ({"hostports": ["[::1]:443"]}, "Operations"),
    ({}, ""),
]


def test_metadata_name_the_owner_before_hosts_do() -> None:
    assert [(edge, Owners("contact.team", PATTERNS).of(edge)) for edge, _owner in EDGES] == EDGES


def test_every_format_names_the_owner_of_a_finding_on_an_edge() -> None:
    owned = Owners("", [{"hosts": "*", "owner": "Jane Roe"}]).added_to(with_exposure(shop()))
    found = [*owned["exposure"]["findings"], *owned["exposure"]["exposure"]]
    assert {str(one["path"]).startswith("https_edges") for one in found if one.get("owner")} == {True}
    report = written([owned], previous=[])
    assert [name for name in FORMATS if "Jane Roe" not in report[name]] == []
    # In the page, it is next to the finding, and not in its sentence.
    assert not [one for one in part(report["html"], "rules").iter("p") if "Jane Roe" in text_of(one)]
    assert all("Owner: Jane Roe" in text_of(part(report["html"], place)) for place in ("rules", "since"))


def test_everything_of_an_edge_in_the_page_has_its_owner() -> None:
    """The filter needs the owner of edges without routes or findings, of changes, and of undeclared objects, too."""
    account = shop()
    edges = account["estate"]["https_edges"]
    edges[0]["metadata"] = {"team": "Shop team"}
    edges.append({"hostports": ["old.example.com:443"], "metadata": {"team": "Old team"}, "routes": []})
    patterns = [{"hosts": "gifts.*", "owner": "Gift team"}, {"hosts": "partners.*", "owner": "Partners"}]
    page = written([Owners("team", patterns).added_to(with_exposure(account))])["html"]
    assert [one.text for one in part(page, "owner")][1:-1] == ["Gift team", "Old team", "Partners", "Shop team"]

    def owners(place: str, path: str, page: str = page) -> list[str]:
        return sorted(str(one.get("data-owner")) for one in part(page, place).iterfind(path))

    assert set(owners("rules", ".//li")) == {"", "Partners", "Shop team"}
    assert owners("edges", "article") == ["", "", "", "Gift team", "Old team", "Partners", "Shop team"]
    assert owners("changes", "details") == ["", "Gift team", "Gift team", "Shop team", "Shop team"]
    assert owners("created", ".//li") == ["Gift team"]
    assert (owners("unknowns", "*"), owners("unknowns", "*", written([account])["html"])) == (["Old team"], [""])


def with_team(team: str, **options: Any) -> dict[str, Any]:
    tls = {"tls_termination": {"min_version": "1.0"}}
    return {"metadata": json.dumps({"team": team}), "routes": [route("/")], **tls, **options}


A, B, BY_ID = ({"hostports": ["a.example.com:443"]}, {"hostports": ["b.example.com:443"]}, {"id": "edghts_x"})
# The edge that was judged, the edges of the estate, and the team that a finding names.
PLACES: list[tuple[dict[str, Any], list[dict[str, Any]], str]] = [
    (B, [with_team("Web", **A), with_team("Payments", **B)], "Payments"),
    (B, [with_team("Web", **A)], "By host"),
    (B, [with_team("Web", **BY_ID)], "By host"),
    (B, [], "By host"),
    (B, [with_team("Payments", **B), with_team("Web", **B)], "Payments"),
    (BY_ID, [with_team("Web", **A), with_team("Payments", **BY_ID)], "Payments"),
    ({"description": "Shop"}, [with_team("Payments", description="Shop"), with_team("Web")], "Payments"),
    ({}, [with_team("Payments"), with_team("Web")], "Payments"),
    ({}, [with_team("Web", **A), with_team("Web")], ""),
]


@pytest.mark.parametrize(("judged", "edges", "team"), PLACES)
def test_the_owner_is_that_of_the_edge_with_this_name(judged: Any, edges: Any, team: str) -> None:
    """Another edge can have its place, if the exposure was not judged from this estate."""
    exposure = judge({"https_edges": [with_team("", **judged)]}).result()
    owners = Owners("team", [{"hosts": "b.*", "owner": "By host"}])
    owned = owners.added_to({"name": "a", "estate": {"https_edges": edges}, "exposure": exposure})
    found = [*owned["exposure"]["exposure"], *owned["exposure"]["findings"]]
    assert len(found) > 1
    assert {one.get("owner", "") for one in found} == {team}
