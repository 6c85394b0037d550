# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings name the owners of their edges."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.owners import Owners
from page_elements import part, text_of
from report_accounts import shop
from report_formats import written

PATTERNS = ({"hosts": "*.shop.example.com", "owner": "Web team"}, {"hosts": "*", "owner": "Operations"})


HOSTS = ["blog.example.com:443", "b.shop.example.com:443"]
EDGES: list[tuple[dict[str, Any], str]] = [
    ({"metadata": '{"contact": {"team": "Payments"}}', "hostports": ["a.shop.example.com:443"]}, "Payments"),
    ({"metadata": {"contact": {"team": "Payments"}}}, "Payments"),
    ({"metadata": '{"contact": {"team": 7}}', "hostports": ["A.Shop.example.com:443"]}, "Web team"),
    ({"metadata": '{"contact": "x"}', "hostports": HOSTS[:1]}, "Operations"),
    ({"metadata": "contact.team=Payments", "hostports": HOSTS}, "Web team"),
    ({"metadata": "[" * 100_000, "hostports": []}, ""),
    ({}, ""),
]


@pytest.mark.parametrize("number", range(len(EDGES)))
def test_metadata_name_the_owner_before_hosts_do(number: int) -> None:
    edge, owner = EDGES[number]
    assert Owners("contact.team", PATTERNS).of(edge) == owner


def owned_by(account: dict[str, Any], *patterns: dict[str, str]) -> Any:
    return Owners("", patterns or [{"hosts": "*", "owner": "Jane Roe"}]).added_to(with_exposure(account))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_the_owner_of_a_finding(name: str) -> None:
    judged = with_exposure(shop())
    assert "Jane Roe" not in written([judged])[name]
    owned = Owners("", [{"hosts": "*", "owner": "Jane Roe"}]).added_to(judged)
    assert "Jane Roe" in written([owned])[name]


def test_only_findings_of_edges_have_owners() -> None:
    judged = with_exposure(shop())
    owned = Owners("", [{"hosts": "*", "owner": "Jane Roe"}]).added_to(judged)
    findings = [*owned["exposure"]["findings"], *owned["exposure"]["exposure"]]
    assert {str(one["path"]).startswith("https_edges") for one in findings if one.get("owner")} == {True}
    assert Owners().added_to(judged) is judged
    json.dumps(owned)


def test_everything_of_an_edge_in_the_page_has_its_owner() -> None:
    """The filter needs the owner of edges and changes without findings, too."""
    account = shop()
    account["estate"]["https_edges"][0]["metadata"] = json.dumps({"team": "Shop team"})
    patterns = [{"hosts": "gifts.*", "owner": "Gift team"}, {"hosts": "partners.*", "owner": "Partners"}]
    owned = Owners("team", patterns).added_to(with_exposure(account))
    page = written([owned])["html"]
    assert [one.text for one in part(page, "owner")][1:-1] == ["Gift team", "Partners", "Shop team"]

    def owners(place: str, path: str) -> list[str]:
        found = (one.get("data-owner", "") for one in part(page, place).iterfind(path))
        return [owner for owner in found if owner]

    assert set(owners("rules", ".//li")) == {"Partners", "Shop team"}
    assert sorted(owners("edges", "article")) == ["Gift team", "Partners", "Shop team"]
    assert sorted(owners("changes", "details")) == ["Gift team", "Gift team", "Shop team", "Shop team"]
    assert owners("created", ".//li") == ["Gift team"]


def test_without_an_estate_findings_have_the_owners_of_their_hosts() -> None:
    judged = {"name": "shop", "exposure": with_exposure(shop())["exposure"]}
    owned = Owners("", [{"hosts": "partners.*", "owner": "Partners"}]).added_to(judged)
    found = {one["object"] for one in owned["exposure"]["findings"] if one.get("owner") == "Partners"}
    assert "https_edge partners.example.com:443" in found
    assert not [one for one in found if "partners.example.com:443" not in one]


def test_undeclared_objects_have_owners() -> None:
    account = shop()
    account["estate"]["https_edges"].append({"hostports": ["old.example.com:443"], "metadata": {"team": "Old team"}})
    page = written([Owners("team").added_to(with_exposure(account))])["html"]
    assert [one.get("data-owner") for one in part(page, "unknowns")] == ["Old team"]
    assert [one.get("data-owner") for one in part(written([account])["html"], "unknowns")] == [""]


def test_the_owner_is_next_to_the_finding_in_the_page_and_not_in_its_sentence() -> None:
    page = written([owned_by(shop())], previous=[])["html"]
    assert not [one for one in part(page, "rules").iter("p") if "Jane Roe" in text_of(one)]
    for place in ("rules", "since"):
        assert "Owner: Jane Roe" in text_of(part(page, place))
