# SPDX-License-Identifier: GPL-3.0-or-later
"""The names of backends and IP policies, which a report shows instead of their IDs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.page_data import PageData
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.report import Report
from report_accounts import OFFICE, SECRET_CANARY, Account, edge, route
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


def test_the_page_knows_the_names_of_objects_by_their_ids() -> None:
    data = PageData(Report("Report", [with_exposure(account(objects=OBJECTS))])).data()
    assert data["names"] == [{"bkdhr_shop": "The web shop", "ipp_office": "Office network"}]
    assert data["groups"][0]["l"][0]["v"][3] == "bkdhr_shop"


@pytest.mark.parametrize("name", ["html", "markdown", "junit", "sarif"])
def test_findings_contain_names_instead_of_ids(name: str) -> None:
    assert "Everyone can reach backend bkdhr_shop through" in written([account()])[name]
    report = written([account(objects=OBJECTS)])[name]
    assert "Everyone can reach backend The web shop through" in report
    assert "Everyone can reach backend bkdhr_shop" not in report


def test_the_list_of_public_routes_shows_names() -> None:
    report = written([account(objects=OBJECTS)])["markdown"]
    assert "| `b.example.com:443 /` | `The web shop` | `shop` |" in report


def test_only_ids_and_names_of_objects_are_in_a_report() -> None:
    report = written([account(objects=OBJECTS)])
    assert SECRET_CANARY not in "".join(report.values())
    [found] = json.loads(report["json"])["accounts"]
    assert found["objects"][0] == {"id": "bkdhr_shop", "description": "The web shop"}


def test_a_part_of_a_longer_id_is_not_replaced() -> None:
    short = [{"id": "bkdhr_s", "description": "Another backend"}]
    assert "Another backend" not in written([account(objects=short)])["markdown"]
