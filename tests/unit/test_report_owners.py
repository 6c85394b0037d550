# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings name the owners of their edges."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.owners import Owners
from report_accounts import shop
from report_formats import written

PATTERNS = ({"hosts": "*.shop.example.com", "owner": "Web team"}, {"hosts": "*", "owner": "Operations"})


@pytest.mark.parametrize(
    ("edge", "owner"),
    [
        ({"metadata": '{"contact": {"team": "Payments"}}', "hostports": ["a.shop.example.com:443"]}, "Payments"),
        ({"metadata": {"contact": {"team": "Payments"}}}, "Payments"),
        ({"metadata": '{"contact": {"team": 7}}', "hostports": ["A.Shop.example.com:443"]}, "Web team"),
        ({"metadata": '{"contact": "x"}', "hostports": ["blog.example.com:443"]}, "Operations"),
        (
            {"metadata": "contact.team=Payments", "hostports": ["blog.example.com:443", "b.shop.example.com:443"]},
            "Web team",
        ),
        ({"metadata": "[" * 100_000, "hostports": []}, ""),
        ({}, ""),
    ],
)
def test_metadata_name_the_owner_before_hosts_do(edge: dict[str, Any], owner: str) -> None:
    assert Owners("contact.team", PATTERNS).of(edge) == owner


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_the_owner_of_a_finding(name: str) -> None:
    judged = with_exposure(shop())
    assert "Jane Roe" not in written([judged])[name]
    owned = Owners("", [{"hosts": "*", "owner": "Jane Roe"}]).added_to(judged)
    assert "Jane Roe" in written([owned])[name]


def test_only_findings_of_edges_have_owners() -> None:
    judged = with_exposure(shop())
    owned = Owners("", [{"hosts": "*", "owner": "Jane Roe"}]).added_to(judged)
    findings = owned["exposure"]["findings"]
    assert {str(one["path"]).startswith("https_edges") for one in findings if one.get("owner")} == {True}
    assert Owners().added_to(judged) is judged
    json.dumps(owned)
