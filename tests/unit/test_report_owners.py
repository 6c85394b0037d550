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


def owned_by(owner: str, hosts: str = "*", field: str = "", **parts: Any) -> dict[str, Any]:
    judged = with_exposure({**shop(), **parts})
    return dict(Owners(field, [{"hosts": hosts, "owner": owner}] if owner else []).added_to(judged))


def test_every_format_names_the_owner_of_a_finding() -> None:
    without, report = written([owned_by("")]), written([owned_by("Jane Roe")], previous=[])
    assert [name for name in FORMATS if "Jane Roe" in without[name]] == []
    assert [name for name in FORMATS if "Jane Roe" not in report[name]] == []
    # In the page, it is next to the finding, and not in its sentence.
    assert not [one for one in part(report["html"], "rules").iter("p") if "Jane Roe" in text_of(one)]
    assert all("Owner: Jane Roe" in text_of(part(report["html"], place)) for place in ("rules", "since"))


def test_only_findings_of_edges_have_owners() -> None:
    exposure = owned_by("Jane Roe")["exposure"]
    found = [*exposure["findings"], *exposure["exposure"]]
    assert {str(one["path"]).startswith("https_edges") for one in found if one.get("owner")} == {True}
    judged = with_exposure(shop())
    assert Owners().added_to(judged) is judged


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


OLD = {"hostports": ["old.example.com:443"], "metadata": {"team": "Old team"}, "routes": []}


def test_undeclared_objects_and_edges_without_routes_have_owners() -> None:
    edges = [*shop()["estate"]["https_edges"], OLD]
    for field, owner in (("team", "Old team"), ("", "")):
        page = written([owned_by("", field=field, estate={"https_edges": edges})])["html"]
        assert [one.get("data-owner") for one in part(page, "unknowns")] == [owner]
        assert owner in [one.get("data-owner") for one in part(page, "edges")]
