# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings name the owners of their edges."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.owners import Owners
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.page_data import PageData
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.report import Report
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
    data = PageData(Report("Report", [owned])).data()
    owners = ["Gift team", "Partners", "Shop team"]
    assert data["owners"] == owners

    def names(kind: str, field: str) -> dict[str, str]:
        return {str(one[field]): owners[one["u"]] for one in data[kind] if "u" in one}

    assert {each: name for each, name in names("findings", "o").items() if " /admin " in each} == {
        "https_edge_route path_prefix /admin of shop.example.com:443": "Shop team"
    }
    assert set(names("findings", "o").values()) == {"Partners", "Shop team"}
    assert names("groups", "h") == {
        "['gifts.example.com']": "Gift team",
        "['partners.example.com']": "Partners",
        "['shop.example.com']": "Shop team",
    }
    assert set(names("plan", "o").values()) == {"Gift team", "Shop team"}
    assert len(names("plan", "o")) == 4
    assert names("created", "o") == {"https_edge_route path_prefix / of gifts.example.com:443": "Gift team"}


def test_without_an_estate_findings_have_the_owners_of_their_hosts() -> None:
    judged = {"name": "shop", "exposure": with_exposure(shop())["exposure"]}
    owned = Owners("", [{"hosts": "partners.*", "owner": "Partners"}]).added_to(judged)
    found = {one["object"] for one in owned["exposure"]["findings"] if one.get("owner") == "Partners"}
    assert "https_edge partners.example.com:443" in found
    assert not [one for one in found if "partners.example.com:443" not in one]


def test_undeclared_objects_have_owners() -> None:
    account = shop()
    account["estate"]["https_edges"].append({"hostports": ["old.example.com:443"], "metadata": {"team": "Old team"}})
    data = PageData(Report("Report", [Owners("team").added_to(with_exposure(account))])).data()
    assert [data["owners"][one[5]] for one in data["undeclared"]] == ["Old team"]
    assert [one[5] for one in PageData(Report("Report", [with_exposure(account)])).data()["undeclared"]] == [-1]


def test_the_owner_is_next_to_the_finding_in_the_page_and_not_in_its_sentence() -> None:
    owned = owned_by(shop())
    data = PageData(Report("Report", [owned])).data()
    assert not [one for one in data["findings"] if "Jane Roe" in one["m"]]
    page = written([owned], previous=[])["html"]
    tables, since = page.partition("<noscript>")[2], page.partition('id="since"')[2].partition("</section>")[0]
    assert "Owner: Jane Roe" in tables
    assert "Owner: Jane Roe" in since
