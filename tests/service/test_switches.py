# SPDX-License-Identifier: GPL-3.0-or-later
"""Every switch changes what its documentation says. No switch changes what is stored."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from email.utils import parsedate_to_datetime

import pytest

from real_collections import SAMPLES
from reference_service.switches import from_values
from running_service import API_KEY, HEADERS, Running, ended

TEXT_FIELDS = ("description", "metadata")
PARTS = ("hostports", "mutual_tls", "tls_termination", "routes")
LOGINS = ("oauth", "oidc", "saml")


def test_undocumented_operations_can_be_disabled(service: Running) -> None:
    route = service.new_route()
    edge = route.partition("/routes")[0]
    extensions = [
        *(("GET", path) for path in ("/edges/https", route, *(f"/{collection}" for collection in SAMPLES))),
        ("DELETE", route),
        *((method, f"{edge}/tls_termination") for method in ("GET", "PUT", "DELETE")),
        *((method, f"{route}/compression") for method in ("GET", "PUT", "DELETE")),
    ]
    for status in (404, 405, 501):
        service.switches(operations="documented", missing_operation=status)
        for method, path in extensions:
            body = {} if method == "PUT" else None
            assert "error_code" not in service.rejected(method, path, body, status=status)
        assert service.done("GET", edge)["routes"]
        service.done("GET", f"{service.new_tls_edge()}/tls_termination")


UNSET = {"null": (200, "null"), "empty_object": (200, "{}"), "no_content": (204, ""), "not_found": (404, "an error")}


@pytest.mark.parametrize("value", UNSET)
def test_an_unset_module_is_returned_in_the_chosen_form(service: Running, value: str) -> None:
    edge, route, tls_edge = service.new_edge(), service.new_route(), service.new_tls_edge()
    service.switches(unset_module=value)
    for path in (f"{edge}/mutual_tls", f"{route}/oauth", f"{tls_edge}/ip_restriction"):
        response = service.send("GET", path)
        text = "an error" if "error_code" in response.text else response.text
        assert (response.status_code, text) == UNSET[value]
    embedded = {} if value == "empty_object" else None
    assert service.done("GET", edge)["mutual_tls"] == service.done("GET", route)["oauth"] == embedded


def test_delete_unset_module(service: Running) -> None:
    paths = (f"{service.new_route()}/oauth", f"{service.new_tls_edge()}/tls_termination")
    for path in paths:
        service.done("DELETE", path, status=204)
    service.switches(delete_unset_module=404)
    for path in paths:
        service.rejected("DELETE", path, status=404)
        service.done("PUT", path, {})
        service.done("DELETE", path, status=204)


@pytest.mark.parametrize("value", ["empty", "null", "missing"])
def test_empty_pages_have_the_chosen_form(service: Running, value: str) -> None:
    service.switches(empty_pages=value, empty_lists="missing")
    for path, name in (("/edges/https", "https_edges"), ("/tunnels", "tunnels"), ("/ip_policies", "ip_policies")):
        found = service.done("GET", path)
        assert found.get(name, "missing") == {"empty": [], "null": None, "missing": "missing"}[value]
        assert "uri" in found


@pytest.mark.parametrize(
    ("value", "left_out"),
    [
        *(("whole", ()), ("short_routes", ()), ("without_routes", ["routes"]), ("without_parts", PARTS)),
        *(("without_texts", TEXT_FIELDS), ("id_and_uri", ["created_at", *TEXT_FIELDS, *PARTS])),
    ],
)
def test_members_of_lists_are_shortened(service: Running, value: str, left_out: Sequence[str]) -> None:
    path = service.new_edge(mutual_tls={}, tls_termination={})
    service.new_route(path)
    whole = service.done("GET", path)
    service.switches(list_members=value)
    [member] = service.done("GET", "/edges/https")["https_edges"]
    short = {"routes": [{name: route[name] for name in ("id", "uri")} for route in whole["routes"]]}
    shown = {**whole, **short} if value == "short_routes" else whole
    assert member == {name: shown[name] for name in whole if name not in left_out}
    assert service.done("GET", path) == whole


def test_lists_can_be_reordered(service: Running) -> None:
    rules = [{"name": "1", "expressions": ["a", "b"], "actions": [{"type": "x"}, {"type": "y"}]}, {"name": "2"}]
    edge = service.new_edge(hostports=["a:1", "b:1"], mutual_tls={"certificate_authority_ids": ["c1", "c2"]})
    service.new_route(edge, match="/1", policy={"inbound": rules})
    service.new_route(edge, match="/2", user_agent_filter={"allow": ["a", "b"]}, request_headers={"remove": ["A", "B"]})
    sources = service.new_subscription("domain_created.v0", "domain_deleted.v0")
    before, before_sources = service.done("GET", edge), service.done("GET", sources)["sources"]
    service.switches(lists="reordered")
    after = service.done("GET", edge)
    assert [each["id"] for each in after["mutual_tls"]["certificate_authorities"]] == ["c2", "c1"]
    second, first = after["routes"]
    lists = after["hostports"], second["user_agent_filter"]["allow"], second["request_headers"]["remove"]
    assert lists == (["b:1", "a:1"], ["b", "a"], ["B", "A"])
    assert first == before["routes"][0]
    assert service.done("GET", sources)["sources"] == before_sources[::-1]


def test_unknown_keys_can_be_added_to_responses(service: Running) -> None:
    rule = {"name": "r", "actions": [{"type": "x", "config": {"a": 1}}]}
    edge = service.new_edge(mutual_tls={"certificate_authority_ids": ["c"]})
    modules = {"oauth": {"provider": {"google": {}}}, "request_headers": {"add": {"A": "b"}}}
    service.new_route(edge, policy={"inbound": rule}, **modules)
    sources = service.new_subscription("domain_created.v0")
    service.control("POST", "seed", {"tunnels": [{"labels": {"a": "b"}}]})
    service.switches(extra_keys=True)
    found, listed = service.done("GET", edge), service.done("GET", sources)
    [route], [tunnel] = found["routes"], service.done("GET", "/tunnels")["tunnels"]
    authorities, rule, provider = found["mutual_tls"], route["policy"]["inbound"], route["oauth"]["provider"]
    for owner in (
        *(found, route, authorities, authorities["certificate_authorities"][0], route["oauth"], provider),
        *(provider["google"], route["policy"], rule, rule["actions"][0], tunnel, listed, listed["sources"][0]),
    ):
        assert "internal_revision" in owner
    for users_own in (rule["actions"][0]["config"], route["request_headers"]["add"], tunnel["labels"]):
        assert "internal_revision" not in users_own


def test_a_second_authentication_module_can_be_rejected(service: Running) -> None:
    both = service.new_route(oauth={}, saml={})
    service.switches(one_auth_module=True)
    route = service.new_route(oauth={})
    for method, path, body in (
        ("PATCH", route, {"saml": {}}),
        ("PUT", f"{route}/oidc", {}),
        ("POST", route.rpartition("/")[0], {"match_type": "exact_path", "match": "/x", "oauth": {}, "saml": {}}),
        ("PATCH", both, {"saml": {}}),
    ):
        assert service.rejected(method, path, body)["error_code"] == "ERR_ONE_SIGN_IN"
    service.done("PATCH", route, {"oauth": {"enabled": False}, "compression": {}})
    service.done("PATCH", both, {"compression": {}})
    service.done("DELETE", f"{route}/oauth", status=204)
    service.done("PATCH", route, {"saml": {}})


@pytest.mark.parametrize("held", LOGINS)
@pytest.mark.parametrize("given", LOGINS)
def test_a_second_login_of_an_edge_can_be_rejected(service: Running, held: str, given: str) -> None:
    edge = service.new_edge()
    first, other = service.new_route(edge, **{held: {}}), service.new_route(edge, match="/other")
    new = {"match_type": "exact_path", "match": "/new", given: {}}
    service.switches(one_login_per_edge=True)
    before = service.control("GET", "state")
    for method, path, body in (
        ("POST", f"{edge}/routes", new),
        ("PATCH", other, {given: {"enabled": False}}),
        ("PUT", f"{other}/{given}", {}),
    ):
        assert service.rejected(method, path, body)["error_code"] == "ERR_ONE_LOGIN_PER_EDGE"
    assert service.control("GET", "state") == before
    service.done("PATCH", first, {given: {}})
    service.done("PUT", f"{first}/{held}", {})
    service.done("PATCH", other, {"compression": {}})
    service.done("POST", f"{service.new_edge()}/routes", new, status=201)
    for name in {held, given}:
        service.done("DELETE", f"{first}/{name}", status=204)
    service.done("PUT", f"{other}/{given}", {})


def test_disabled_logins_may_not_count(service: Running) -> None:
    edge = service.new_edge()
    first, other = service.new_route(edge, oidc={}), service.new_route(edge, match="/other")
    service.switches(one_login_per_edge="enabled")
    service.done("PATCH", other, {"saml": {"enabled": False}})
    for given in ({"saml": {}}, {"saml": {"enabled": True}}):
        assert service.rejected("PATCH", other, given)["error_code"] == "ERR_ONE_LOGIN_PER_EDGE"
    service.done("PUT", f"{first}/oidc", {"enabled": False})
    service.done("PUT", f"{other}/saml", {})
    service.switches(one_login_per_edge=True)
    for route in (first, other):  # what both of them have prevents no other change
        service.done("PATCH", route, {"description": "d"})
        service.done("PUT", f"{route}/compression", {})


def test_patch_forgets_text(service: Running) -> None:
    service.switches(patch_forgets_text=True)
    route = service.new_route(description="d", metadata="m")
    assert service.done("PATCH", route, {"description": "e"})["description"] == "e"
    assert service.done("GET", route)["metadata"] == ""
    assert service.done("PATCH", route, {})["description"] == ""
    edge = service.new_edge(description="d")
    assert service.done("PATCH", edge, {})["description"] == "d"


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("quotes", [False, True])
def test_rejections_of_keys(service: Running, status: int, quotes: bool) -> None:
    service.switches(rejection_status=status, rejection_quotes_key=quotes)
    error = service.rejected("GET", "/tunnels", headers={**HEADERS, "Authorization": "Bearer ak_wrong"}, status=status)
    assert ("ak_wrong" in error["msg"]) is quotes
    service.done("GET", "/tunnels")


def test_the_policy_module_can_have_another_name(service: Running) -> None:
    route = service.new_route(policy={})
    assert "error_code" not in service.rejected("GET", f"{route}/traffic_policy", status=404)
    service.switches(policy_name="traffic_policy", missing_operation=405)
    service.rejected("GET", f"{route}/policy", status=405)
    service.done("PUT", f"{route}/traffic_policy", {"enabled": False})
    found = service.done("GET", route)
    assert (found["policy"]["enabled"], "traffic_policy" in found) == (False, False)
    service.switches(policy_name="both")
    for found in (service.done("GET", route), service.done("GET", route.partition("/routes")[0])["routes"][0]):
        assert found["traffic_policy"] == found["policy"]
        assert found["policy"]["enabled"] is False
    for name, other in (("policy", "traffic_policy"), ("traffic_policy", "policy")):
        service.done("PUT", f"{route}/{name}", {"inbound": [{"name": name}]})
        assert service.done("GET", f"{route}/{other}")["inbound"][0]["name"] == name
    service.done("DELETE", f"{route}/traffic_policy", status=204)
    found = service.done("GET", route)
    assert found["traffic_policy"] is found["policy"] is None
    assert "traffic_policy" in service.rejected("PATCH", route, {"traffic_policy": {}})["msg"]


def test_an_account_can_be_limited(service: Running) -> None:
    edge, tls_edge = service.new_edge(), service.new_tls_edge()
    writes = [("POST", "/edges/https"), ("PATCH", edge), ("PUT", f"{tls_edge}/tls_termination"), ("DELETE", edge)]
    service.switches(account="read_only")
    for method, path in writes:
        body = None if method == "DELETE" else {}
        assert service.rejected(method, path, body, status=403)["error_code"] == "ERR_EDGES_READ_ONLY"
    service.done("GET", edge)
    service.switches(account="edges_off")
    for path in (edge, "/edges/https", f"{tls_edge}/tls_termination"):
        assert service.rejected("GET", path, status=403)["error_code"] == "ERR_EDGES_OFF"
    service.done("GET", "/tunnels")


def test_unknown_event_types(service: Running) -> None:
    sources = service.new_subscription()
    for unknown in ("x.v0", "agent_session_created.v0", "domain_created", "ip_policy_start.v0"):
        assert service.rejected("POST", sources, {"type": unknown})["error_code"] == "ERR_EVENT_TYPE"
    service.switches(unknown_event_types="accepted")
    assert service.done("POST", sources, {"type": "x.v0"}, status=201)["type"] == "x.v0"


@pytest.mark.parametrize("form", ["seconds", "none", "date"])
def test_requests_beyond_the_rate_limit_are_rejected(service: Running, form: str) -> None:
    service.switches(rate_limit=3, retry_after=form)
    service.rejected("GET", "/tunnels", headers={**HEADERS, "Authorization": "Bearer x"}, status=401)
    for _again in range(3):
        service.done("GET", "/tunnels")
    response = service.send("GET", "/tunnels")
    assert response.status_code == response.json()["status_code"] == 429
    value = response.headers.get("Retry-After", "none")
    if form == "none":
        assert value == "none"
    else:
        wait = int(value) if form == "seconds" else parsedate_to_datetime(value).timestamp() - time.time()
        assert 1 <= wait <= 60
    assert service.journal()[-1]["status"] == 429
    service.switches()
    service.done("GET", "/tunnels")


def test_switches_are_set_changed_and_reset(service: Running) -> None:
    defaults = service.control("GET", "switches")
    assert len(defaults) == 56
    service.switches(lists="reordered", page_size=7)
    assert service.control("PATCH", "switches", {"page_size": 8}) == {**defaults, "lists": "reordered", "page_size": 8}
    assert service.control("PUT", "switches", {"secrets": "emptied"}) == {**defaults, "secrets": "emptied"}
    service.control("POST", "reset", status=204)
    assert service.control("GET", "switches") == defaults
    assert API_KEY not in str(defaults)


def test_the_command_prints_every_switch_with_values_that_are_accepted_and_a_meaning(service: Running) -> None:
    printed = ended("switches").stdout
    entries = re.findall(r"^(\w+): (.+)\n((?: {4}.+\n)+)", printed, re.MULTILINE)
    assert "".join(f"{name}: {values}\n{meaning}" for name, values, meaning in entries) == printed
    defaults = service.control("GET", "switches")
    assert [(name, re.split(r"[, ]", values)[0]) for name, values, _meaning in entries] == [
        (name, str(value).lower()) for name, value in defaults.items()
    ]
    for name, values, meaning in entries:
        assert meaning.endswith(".\n")
        numbers = re.fullmatch(r"\d+ \(from (\d+) to (\d+)\)", values)
        for value in numbers.groups() if numbers else values.split(", "):
            assert name in from_values({name: value}).model_dump(exclude_unset=True)
