# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches that let lists show less of an object, and responses other values than those that were sent."""

from __future__ import annotations

import pytest

from running_service import Running

OWN = ("id", "uri", "created_at")
TEXT_FIELDS = ("description", "metadata")
PARTS = ("hostports", "mutual_tls", "tls_termination", "routes")


@pytest.mark.parametrize("value", ["empty", "null", "missing"])
def test_empty_pages_have_the_chosen_form(service: Running, value: str) -> None:
    service.switches(empty_pages=value, empty_lists="missing")
    for path, name in (("/edges/https", "https_edges"), ("/tunnels", "tunnels"), ("/ip_policies", "ip_policies")):
        found = service.done("GET", path)
        assert {key: found[key] for key in found if key == name} == (
            {"empty": {name: []}, "null": {name: None}, "missing": {}}[value]
        )
        assert "uri" in found


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("whole", {*OWN, *TEXT_FIELDS, *PARTS}),
        ("without_routes", {*OWN, *TEXT_FIELDS, *PARTS} - {"routes"}),
        ("short_routes", {*OWN, *TEXT_FIELDS, *PARTS}),
        ("without_parts", {*OWN, *TEXT_FIELDS}),
        ("without_texts", {*OWN, *PARTS}),
        ("id_and_uri", {"id", "uri"}),
    ],
)
def test_members_of_lists_are_shortened(service: Running, value: str, left: set[str]) -> None:
    path = service.new_edge(mutual_tls={}, tls_termination={})
    service.new_route(path)
    whole = service.done("GET", path)
    service.switches(list_members=value)
    [member] = service.done("GET", "/edges/https")["https_edges"]
    expected = {name: shown for name, shown in whole.items() if name in left}
    if value == "short_routes":
        expected["routes"] = [{name: route[name] for name in ("id", "uri")} for route in whole["routes"]]
    assert member == expected
    assert service.done("GET", path) == whole


def test_addresses_are_returned_without_the_port(service: Running) -> None:
    service.switches(changed_identity="addresses")
    body = {"address": "shop.example.com:443"}
    assert service.done("POST", "/backends/static", body, 201)["address"] == "shop.example.com"
