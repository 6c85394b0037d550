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

OBJECTS = [
    {"id": "bkdhr_shop", "uri": "https://api.example.com", "description": "The web shop", "password": SECRET_CANARY},
    {"id": "ipp_office", "name": "Office network", "description": ""},
    {"id": "ipp_vpn", "description": ""},
    {"description": "without an ID"},
]


def account(**parts: Any) -> Account:
    """An account with a route that is open, although another one protects the same backend."""
    edges = [
        edge("a.example.com", route("/", "shop", ip_restriction=OFFICE)),
        edge("b.example.com", route("/", "shop")),
    ]
    return {"name": "shop", "estate": {"https_edges": edges}, **parts}


DECLARED = {
    "objects": [
        {"name": "shop", "collection": "backends/http", "find_by": {"description": "The web shop"}},
        {"name": "my office.2", "collection": "ip_policies", "body": {"name": "Office network", "key": SECRET_CANARY}},
        {"name": "vpn", "id": "ipp_vpn", "collection": "ip_policies"},
    ],
    "https_edges": [
        edge("a.example.com", route("/", "x", ip_restriction={"ip_policy_ids": ["ref:my office.2", "ref:vpn"]})),
        edge("b.example.com", route("/", "x")),
    ],
}
for one in DECLARED["https_edges"]:
    one["routes"][0]["backend"]["backend_id"] = "ref:shop"


def test_names_are_known_from_declared_objects() -> None:
    assert names_of({"estate": DECLARED}) == {
        "ipp_vpn": "vpn",
        "ref:my office.2": "Office network",
        "ref:shop": "The web shop",
        "ref:vpn": "vpn",
    }
    report = written([{"name": "shop", "estate": DECLARED}])
    for name in ("html", "markdown", "junit", "sarif"):
        assert "Everyone can reach backend The web shop through" in report[name]
    assert "| `b.example.com:443 /` | `The web shop` | `shop` |" in report["markdown"]
    assert {text_of(one) for one in part(report["html"], "edges").iterfind(".//*[@class='backend']")} == {
        "The web shop"
    }


def planned() -> dict[str, Any]:
    """What `estate` returns in check mode of a new route, whose backend is new as well."""
    after = route("/", "x", ip_restriction={"enabled": True, "ip_policy_ids": ["ipp_office_would-be-created"]})
    after["backend"]["backend_id"] = "new_3f2a_would-be-created"
    return {
        "plan": [entry("create", "https_edge_route path_prefix / of a.example.com:443", None, after)],
        "objects": {
            "office": {"id": "ipp_office_would-be-created", "description": "Office", "key": SECRET_CANARY},
            "web": {"id": "new_3f2a_would-be-created", "port": 80},
            "gone": None,
        },
        "findings": [
            {
                "rule": "backend_open_elsewhere",
                "severity": "medium",
                "object": "https_edge_route path_prefix / of a.example.com:443",
                "message": "Everyone can reach backend new_3f2a_would-be-created.",
                "created": True,
            }
        ],
    }


def test_names_are_known_from_a_plan() -> None:
    known = {"ipp_office_would-be-created": "Office", "new_3f2a_would-be-created": "web"}
    assert names_of({"plan": planned()}) == known
    report = written([{"name": "shop", "plan": planned()}])
    assert "Everyone can reach backend web." in text_of(part(report["html"], "created"))
    assert "Everyone can reach backend web." in report["markdown"]
    [account] = json.loads(report["json"])["accounts"]
    assert account["plan"]["objects"]["office"] == {"id": "ipp_office_would-be-created", "description": "Office"}
    assert SECRET_CANARY not in "".join(report.values())


def test_the_name_of_an_object_that_was_read_comes_first() -> None:
    declared = {**DECLARED, "objects": [{"name": "mine", "id": "bkdhr_shop", "collection": "backends/http"}]}
    plan = {"plan": [], "objects": {"own": {"id": "bkdhr_shop"}}}
    read = [{"id": "bkdhr_shop", "description": "As it was read"}]
    found = [
        names_of({"estate": declared, **parts})["bkdhr_shop"]
        for parts in ({}, {"plan": plan}, {"plan": plan, "objects": read})
    ]
    assert found == ["mine", "own", "As it was read"]


def test_the_page_shows_names_and_has_ids_in_titles() -> None:
    edges = part(written([account(objects=OBJECTS)])["html"], "edges")
    shown = {str(one.get("title")): text_of(one) for one in edges.iter("span") if one.get("title")}
    assert shown == {"bkdhr_shop": "The web shop", "ip_restriction: ipp_office +1": "networkOffice network +1"}


@pytest.mark.parametrize("name", ["html", "markdown", "junit", "sarif"])
def test_findings_contain_names_instead_of_ids(name: str) -> None:
    assert "Everyone can reach backend bkdhr_shop through" in written([account()])[name]
    report = written([account(objects=OBJECTS)])[name]
    assert "Everyone can reach backend The web shop through" in report
    with_id = "Everyone can reach backend bkdhr_shop"
    # The page shows it if the mouse is over the sentence, by the rule and by the route.
    assert report.count(with_id) == report.count(f'<p title="{with_id}') == (2 if name == "html" else 0)


def test_the_list_of_public_routes_shows_names() -> None:
    report = written([account(objects=OBJECTS)])["markdown"]
    assert "| `b.example.com:443 /` | `The web shop` | `shop` |" in report


def test_only_ids_and_names_of_objects_are_in_a_report() -> None:
    report = written([account(objects=OBJECTS)])
    assert SECRET_CANARY not in "".join(report.values())
    [found] = json.loads(report["json"])["accounts"]
    assert found["objects"][0] == {"id": "bkdhr_shop", "description": "The web shop"}


def test_a_part_of_a_longer_id_is_not_replaced() -> None:
    short = [{"id": "bkdhr_s", "description": "Another backend"}, {"id": "shop", "description": "Another backend"}]
    assert "Another backend" not in written([account(objects=short)])["markdown"]
