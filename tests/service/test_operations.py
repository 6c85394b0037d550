# SPDX-License-Identifier: GPL-3.0-or-later
"""All operations: their responses, what they change, and what they leave unchanged (API reference, section 4).

Lists have pages: newest first, with a link to the next page, and at most 100 objects.
"""

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
    route = service.new_route()
    saml = service.done("PUT", f"{route}/saml", {"idp_metadata": "<x/>"})
    address = f"{service.base_url}/saml/{route.rpartition('/')[2]}"
    assert saml["entity_id"] == saml["metadata_url"] == f"{address}/metadata"
    urls = saml["assertion_consumer_service_url"], saml["single_logout_url"]
    assert urls == (f"{address}/acs", f"{address}/slo")
    assert saml["request_signing_certificate_pem"].startswith("-----BEGIN CERTIFICATE-----")
    assert saml["nameid_format"] == "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"


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
    refs = {"endpoint": {"id": "ep_1"}, "tunnel_session": {"id": "ts_1", "uri": "http://elsewhere/ts_1"}}
    texts = {"public_url": "tcp://a.example:1", "proto": "tcp", "metadata": "{}", "region": "eu", "forwards_to": "b:80"}
    agent = {"started_at": "2026-01-02T03:04:05Z", **texts, **refs}
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


TYPES = [f"domain_{verb}.v0" for verb in ("created", "updated", "deleted")]


def plant(service: Running, kind: str, count: int) -> list[str]:
    """Add this number of tunnels or edges, and return their IDs, newest first."""
    return [each["id"] for each in service.control("POST", "seed", {kind: [{}] * count})[kind]][::-1]


# The size of pages, whether they overlap, and the positions of the objects in each page.
PAGES: list[tuple[int, bool, list[list[int]]]] = [
    *((3, False, pages) for pages in ([[]], [[0, 1, 2]], [[0, 1, 2], [3]], [[0, 1, 2], [3, 4, 5]])),
    *((3, True, [[0, 1, 2], [2, 3, 4]]), (2, True, [[0, 1], [1, 2], [2, 3], [3, 4]])),
    (1, True, [[0], [1], [2]]),  # pages of one object that overlap would never end
]


@pytest.mark.parametrize("members", ["https_edges", "tunnels", "sources"])
@pytest.mark.parametrize("form", ["absolute", "relative"])
@pytest.mark.parametrize(("size", "overlapping", "expected"), PAGES)
def test_lists_have_pages_of_the_chosen_size(
    service: Running, members: str, form: str, size: int, overlapping: bool, expected: list[list[int]]
) -> None:
    count, key, following = max(expected[-1], default=-1) + 1, "id", "next_page_uri"
    path = "/edges/https" if members == "https_edges" else "/tunnels"
    if members == "sources":
        names, key, following = [f"{number}.v0" for number in range(count)], "type", "uri"
        service.switches(unknown_event_types="accepted")
        path = service.new_subscription(*names)
    else:
        names = plant(service, members, count)
    service.switches(page_size=size, overlapping_pages=overlapping, next_page=form, sources_uri="next_page")
    start = f"{service.base_url if form == 'absolute' else ''}{path}?"
    found: list[list[str]] = []
    link: str | None = path
    while link is not None:
        assert len(found) < len(expected)
        page = service.done("GET", link)
        found.append([each[key] for each in page[members]])
        link = page[following]
        assert link is None or link.startswith(start)
    assert found == [[names[position] for position in page] for page in expected]


def test_the_limit_sets_the_size_of_a_page(service: Running) -> None:
    ids = plant(service, "tunnels", 101)
    for query, shown in (("", ids[:100]), ("?limit=1", ids[:1]), (f"?limit=2&before_id={ids[1]}", ids[2:4])):
        assert [each["id"] for each in service.done("GET", f"/tunnels{query}")["tunnels"]] == shown


@pytest.mark.parametrize("overlapping", [False, True])
def test_a_page_continues_after_a_deleted_edge(service: Running, overlapping: bool) -> None:
    ids = plant(service, "https_edges", 4)
    service.switches(overlapping_pages=overlapping)
    link = service.done("GET", "/edges/https?limit=2")["next_page_uri"]
    service.done("DELETE", f"/edges/https/{ids[1]}", status=204)
    assert [each["id"] for each in service.done("GET", link)["https_edges"]] == ids[2:]


def test_a_page_of_edges_has_their_routes(service: Running) -> None:
    routes = {edge: [{"match_type": "exact_path", "match": f"/{edge}{route}"} for route in range(3)] for edge in "ab"}
    service.control("POST", "seed", {"https_edges": [{"routes": each} for each in routes.values()]})
    listed = service.done("GET", "/edges/https")["https_edges"]
    found = [[route["match"] for route in edge["routes"]] for edge in listed]
    assert found == [["/b0", "/b1", "/b2"], ["/a0", "/a1", "/a2"]]
    assert listed[0] == service.done("GET", f"/edges/https/{listed[0]['id']}")


@pytest.mark.parametrize("value", ["own", "null"])
def test_sources_without_pages(service: Running, value: str) -> None:
    sources = service.new_subscription(*TYPES)
    service.switches(sources_uri=value, page_size=2)
    found = service.done("GET", sources)
    assert [each["type"] for each in found["sources"]] == TYPES
    assert found["uri"] == (service.base_url + sources if value == "own" else None)
    service.rejected("GET", f"{sources}?limit=2")
    service.switches(sources_uri="next_page")
    service.rejected("GET", f"{sources}?before_id=api_key_created.v0")
