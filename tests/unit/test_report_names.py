# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of backends and IP policies, which a report shows instead of their IDs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.names import names_of
from page_elements import part, text_of
from report_accounts import OFFICE, SECRET_CANARY, Account, edge, entry, route
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


def estate(backend: str, policies: list[str], objects: Any = ()) -> dict[str, Any]:
    """A route that is open, although another one protects the same backend."""
    hosts = {"a.example.com": {"ip_restriction": {"enabled": True, "ip_policy_ids": policies}}, "b.example.com": {}}
    backend_of = {"backend": {"enabled": True, "backend_id": backend}}
    edges = [edge(host, route("/", "x", **modules) | backend_of) for host, modules in hosts.items()]
    return {"https_edges": edges, "objects": list(objects)}


def planned() -> dict[str, Any]:
    """What `estate` returns in check mode of a new route, whose backend is new as well."""
    subject = "https_edge_route path_prefix / of a.example.com:443"
    after = estate(NEW, [NEW_OFFICE])["https_edges"][0]["routes"][0]
    finding = {"rule": "backend_open_elsewhere", "severity": "medium", "object": subject, "created": True}
    return {
        "plan": [entry("create", subject, None, after)],
        "objects": {
            "office": {"id": NEW_OFFICE, "description": "Office", "key": SECRET_CANARY},
            "web": {"id": NEW, "port": 80},
            "gone": None,
        },
        "findings": [{**finding, "message": f"Everyone can reach backend {NEW}."}],
    }


WITH_IDS = {"name": "shop", "estate": estate("bkdhr_shop", OFFICE["ip_policy_ids"])}
ACCOUNTS: dict[str, Account] = {
    "read": {**WITH_IDS, "objects": READ},
    "declared": {"name": "shop", "estate": estate("ref:shop", ["ref:my office.2", "ref:vpn"], DECLARED)},
}
OWN = {"plan": [], "objects": {"own": {"id": "bkdhr_shop"}}}
# The parts of an account, and the names that are known from them. That of an object that was read comes first.
NAMES: list[tuple[Account, dict[str, str]]] = [
    (ACCOUNTS["read"], {"bkdhr_shop": "The web shop", "ipp_office": "Office network"}),
    (
        ACCOUNTS["declared"],
        {"ipp_vpn": "vpn", "ref:my office.2": "Office network", "ref:shop": "The web shop", "ref:vpn": "vpn"},
    ),
    ({"plan": planned()}, {NEW_OFFICE: "Office", NEW: "web"}),
    ({"estate": {"objects": MINE}}, {"bkdhr_shop": "mine", "ref:mine": "mine"}),
    ({"estate": {"objects": MINE}, "plan": OWN}, {"bkdhr_shop": "own", "ref:mine": "mine"}),
    (
        {"estate": {"objects": MINE}, "objects": READ[:1], "plan": OWN},
        {"bkdhr_shop": "The web shop", "ref:mine": "mine"},
    ),
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


def test_names_are_in_the_findings_that_a_plan_creates() -> None:
    report = written([{"name": "shop", "plan": planned()}])
    assert "Everyone can reach backend web." in text_of(part(report["html"], "created"))
    assert "Everyone can reach backend web." in report["markdown"]


def test_only_ids_and_names_of_objects_are_in_a_report() -> None:
    report = written([{**ACCOUNTS["declared"], "objects": READ, "plan": planned()}])
    assert SECRET_CANARY not in "".join(report.values())
    [found] = json.loads(report["json"])["accounts"]
    assert found["objects"][0] == {"id": "bkdhr_shop", "description": "The web shop"}
    assert found["plan"]["objects"]["office"] == {"id": NEW_OFFICE, "description": "Office"}


def test_a_part_of_a_longer_id_is_not_replaced() -> None:
    short = [{"id": "bkdhr_s", "description": "Another backend"}, {"id": "shop", "description": "Another backend"}]
    assert "Another backend" not in written([{**WITH_IDS, "objects": short}])["markdown"]
