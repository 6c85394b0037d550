# SPDX-License-Identifier: GPL-3.0-or-later
"""All operations: their responses, what they change, and what they leave unchanged (API reference, section 4)."""

from __future__ import annotations

import re

import pytest

from reference_fields import ROUTE
from running_service import Running

RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def test_a_new_edge_has_defaults(service: Running) -> None:
    edge = service.done("POST", "/edges/https", {}, status=201)
    assert edge.pop("id").startswith("edghts_")
    assert RFC_3339.fullmatch(edge.pop("created_at"))
    assert edge.pop("uri").startswith(f"{service.base_url}/edges/https/edghts_")
    unset = {"mutual_tls": None, "tls_termination": None, "routes": []}
    assert edge.items() >= {"description": "", "metadata": "", "hostports": [], **unset}.items()


def test_a_patch_changes_only_the_given_fields_of_an_edge(service: Running) -> None:
    """Rules 1 to 3 of section 4.3. Omitted fields do not change."""
    authorities = {"certificate_authority_ids": ["ca_1"], "enabled": False}
    given = {"description": "d", "metadata": "m", "hostports": ["a:443", "b:443"]}
    edge = service.new_edge(**given, mutual_tls=authorities, tls_termination={"min_version": "1.3"})
    before = service.done("GET", edge)
    shown = [{"id": "ca_1", "uri": f"{service.base_url}/certificate_authorities/ca_1"}]
    assert {**before, **given, "mutual_tls": {"enabled": False, "certificate_authorities": shown}} == before
    termination = {"enabled": True, "terminate_at": "edge", "min_version": "1.3"}
    assert service.done("PATCH", edge, {}) == {**before, "tls_termination": termination}
    after = service.done("PATCH", edge, {"description": "", "tls_termination": {}})
    assert after == {**before, "description": "", "tls_termination": {**termination, "min_version": "1.2"}}
    replaced = service.done("PATCH", edge, {"mutual_tls": {}, "hostports": []})
    assert replaced == {**after, "mutual_tls": {"enabled": True, "certificate_authorities": []}, "hostports": []}
    assert "mutual_tls" in service.rejected("PATCH", edge, {"mutual_tls": None})["msg"]
    assert service.done("GET", edge) == replaced


def test_deleting_an_edge_deletes_its_routes(service: Running) -> None:
    edge = service.new_edge(hostports=["a:443"])
    route = service.new_route(edge)
    assert service.done("DELETE", edge, status=204) is None
    for method, path, body in (("GET", route, None), ("GET", edge, None), ("DELETE", edge, None), ("PATCH", edge, {})):
        assert service.rejected(method, path, body, status=404)["error_code"] == "ERR_NOT_FOUND"
    service.new_edge(hostports=["a:443"])


HELD = ["shop.example:443", "Bücher.example:443", "XN--strae-oqa.example:443"]
TAKEN = ["Shop.Example:443", "xn--bcher-kva.example:443", "BÜCHER.example:443", "STRAßE.example:443"]


@pytest.mark.parametrize("of_another_kind", ["https", "tls", "tcp"])
def test_a_hostport_belongs_to_one_edge_of_any_kind(service: Running, of_another_kind: str) -> None:
    """Letter case does not matter, and neither does Punycode."""
    edge = service.new_edge(hostports=HELD)
    edges = f"/edges/{of_another_kind}"
    other = f"{edges}/{service.done('POST', edges, {}, status=201)['id']}"
    for taken in TAKEN:
        for method, path in (("POST", edges), ("PATCH", other)):
            error = service.rejected(method, path, {"hostports": ["b.example:443", taken]})
            assert error["error_code"] == "ERR_HOSTPORT_TAKEN"
            assert error["msg"] == f"hostports: {taken!r} belongs to another edge, {edge.rpartition('/')[2]}"
    service.done("PATCH", other, {"hostports": ["b.example:443", "bucher.example:443", "shop.example:8443"]})
    service.rejected("PATCH", edge, {"hostports": ["B.example:443"]})
    for own in (["SHOP.example:443"], []):
        service.done("PATCH", edge, {"hostports": own})
    service.done("PATCH", other, {"hostports": ["shop.example:443"]})


@pytest.mark.parametrize(("field", "limit"), [("description", 255), ("metadata", 4096)])
@pytest.mark.parametrize("character", ["a", "é", "😀"])
def test_text_is_limited_in_bytes(service: Running, field: str, limit: int, character: str) -> None:
    inside = character * (limit // len(character.encode()))
    outside = inside + "a" * (limit - len(inside.encode()) + 1)
    edge, route = service.new_edge(), service.new_route()
    for path in (edge, route):
        assert service.done("PATCH", path, {field: inside})[field] == inside
        assert field in service.rejected("PATCH", path, {field: outside})["msg"]
        assert field in service.rejected("PATCH", path, {field: None})["msg"]
    assert field in service.rejected("POST", "/edges/https", {field: outside})["msg"]


def test_a_new_route_belongs_to_its_edge(service: Running) -> None:
    edge = service.new_edge()
    body = {"match_type": "exact_path", "match": "a.example/x"}
    route = service.done("POST", f"{edge}/routes", body, status=201)
    path = f"{edge}/routes/{route['id']}"
    assert service.done("GET", path) == route
    assert service.done("GET", edge)["routes"] == [route]
    assert route.pop("id").startswith("edghtsrt_")
    assert RFC_3339.fullmatch(route.pop("created_at"))
    assert route.pop("uri") == service.base_url + path
    assert edge.endswith(route.pop("edge_id"))
    assert route == {**body, "description": "", "metadata": "", **dict.fromkeys(ROUTE)}


@pytest.mark.parametrize("unique", ["with_type", "alone"])
def test_match_is_unique_within_an_edge(service: Running, unique: str) -> None:
    service.switches(match_unique=unique)
    edge = service.new_edge()
    service.new_route(edge, match="/a")
    other = service.new_route(edge, match="/b")
    taken, exact = ({"match_type": kind, "match": "/a"} for kind in ("path_prefix", "exact_path"))
    wrong = [("POST", f"{edge}/routes", taken), ("PATCH", other, {"match": "/a"})]
    if unique == "alone":
        wrong += [("POST", f"{edge}/routes", exact), ("PATCH", other, exact)]
    else:
        wrong.append(("PATCH", service.new_route(edge, **exact), {"match_type": "path_prefix"}))
    for method, path, body in wrong:
        assert service.rejected(method, path, body)["error_code"] == "ERR_MATCH_TAKEN"
    service.done("PATCH", other, {"match_type": "exact_path", "match": "/b"})
    service.new_route(service.new_edge(), match="/a")


def test_a_patch_changes_only_the_given_fields_of_a_route(service: Running) -> None:
    route = service.new_route(description="d", metadata="m", backend={"backend_id": "b"}, compression={})
    before = service.done("GET", route)
    assert service.done("PATCH", route, {}) == before
    headers = {"enabled": True, "add": {}, "remove": ["X-A"]}
    after = service.done("PATCH", route, {"request_headers": {"remove": ["X-A"]}, "backend": {"enabled": False}})
    assert after == {**before, "request_headers": headers, "backend": {"enabled": False, "backend": None}}
    for module in ROUTE:
        assert module in service.rejected("PATCH", route, {module: None})["msg"]
    moved = service.done("PATCH", route, {"match_type": "exact_path", "match": "/y", "description": ""})
    assert moved == {**after, "match_type": "exact_path", "match": "/y", "description": ""}


def test_a_route_is_deleted_by_the_path_of_its_own_edge_only(service: Running) -> None:
    edge = service.new_edge()
    route = service.new_route(edge)
    other_edge = service.new_edge()
    for method, body in (("GET", None), ("PATCH", {}), ("DELETE", None)):
        service.rejected(method, f"{other_edge}/routes/{route.rpartition('/')[2]}", body, status=404)
    service.done("DELETE", route, status=204)
    service.rejected("GET", route, status=404)
    assert service.done("GET", edge)["routes"] == []
    service.new_route(edge)
    service.rejected("POST", "/edges/https/edghts_none/routes", {"match_type": "exact_path", "match": "/"}, status=404)


def test_saml_has_read_only_fields(service: Running) -> None:
    saml = service.done("PUT", f"{service.new_route()}/saml", {"idp_metadata": "<x/>"})
    assert saml["entity_id"] == saml["metadata_url"]
    assert saml["request_signing_certificate_pem"].startswith("-----BEGIN CERTIFICATE-----")
    assert saml["assertion_consumer_service_url"].startswith("http")
    assert saml["single_logout_url"].startswith("http")
    assert saml["nameid_format"] == "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"


def test_tls_edge_ip_restriction(service: Running) -> None:
    response = service.done("PUT", f"{service.new_tls_edge()}/ip_restriction", {"ip_policy_ids": ["ipp_2", "ipp_1"]})
    uri = f"{service.base_url}/ip_policies"
    policies = [{"id": "ipp_2", "uri": f"{uri}/ipp_2"}, {"id": "ipp_1", "uri": f"{uri}/ipp_1"}]
    assert response == {"enabled": True, "ip_policies": policies}


def test_event_sources_are_created_listed_and_deleted(service: Running) -> None:
    sources = service.new_subscription("ip_policy_created.v0")
    first = {"type": "ip_policy_created.v0", "uri": f"{service.base_url}{sources}/ip_policy_created.v0"}
    added = service.done("POST", sources, {"type": "api_key_deleted.v0"}, status=201)
    assert added == {"type": "api_key_deleted.v0", "uri": f"{service.base_url}{sources}/api_key_deleted.v0"}
    assert service.done("GET", sources) == {"sources": [first, added], "uri": service.base_url + sources}
    one = f"{sources}/api_key_deleted.v0"
    assert service.done("GET", one) == added
    assert service.done("PATCH", one, {}) == added
    assert "type" in service.rejected("PATCH", one, {"type": "api_key_deleted.v0"})["msg"]
    assert service.rejected("POST", sources, {"type": "api_key_deleted.v0"})["error_code"] == "ERR_SOURCE_EXISTS"
    service.done("DELETE", one, status=204)
    for method, body in (("GET", None), ("PATCH", {}), ("DELETE", None)):
        assert service.rejected(method, one, body, status=404)["error_code"] == "ERR_NOT_FOUND"
    assert service.done("GET", sources)["sources"] == [first]
    service.rejected("GET", "/event_subscriptions/esb_none/sources", status=404)
    for wrong in ({}, {"type": None}, {"type": 5}, {"type": "api_key_deleted.v0", "filter": ""}):
        service.rejected("POST", sources, wrong)


def test_seeded_tunnels_are_listed(service: Running) -> None:
    agent = {
        "public_url": "tcp://1.tcp.example.net:12345",
        "started_at": "2026-01-02T03:04:05Z",
        "proto": "tcp",
        "metadata": "{}",
        "region": "eu",
        "forwards_to": "localhost:80",
        "endpoint": {"id": "ep_1"},
        "tunnel_session": {"id": "ts_1", "uri": "http://elsewhere/ts_1"},
    }
    backend = {"labels": {"a": "b"}, "backends": {"id": "bkd_1"}, "tunnel_session": {"id": "ts_2"}}
    planted = service.control("POST", "seed", {"tunnels": [agent, {**backend, "id": "tn_mine"}]})["tunnels"]
    listed = service.done("GET", "/tunnels")
    assert listed["uri"] == f"{service.base_url}/tunnels"
    assert listed["next_page_uri"] is None
    newer, older = listed["tunnels"]
    assert newer["id"] == "tn_mine"
    assert set(newer) == {"id", "started_at", "tunnel_session", "labels", "backends"}
    assert newer["backends"] == [{"id": "bkd_1", "uri": f"{service.base_url}/backends/bkd_1"}]
    endpoint = {"id": "ep_1", "uri": f"{service.base_url}/endpoints/ep_1"}
    assert older == {**agent, "id": planted[0]["id"], "endpoint": endpoint}
    assert service.done("GET", f"/tunnels/{older['id']}") == older
    assert service.rejected("GET", "/tunnels/tn_none", status=404)["error_code"] == "ERR_NOT_FOUND"
    service.switches(references="single")
    assert service.done("GET", "/tunnels/tn_mine")["backends"] == newer["backends"][0]
