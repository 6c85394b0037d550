# SPDX-License-Identifier: GPL-3.0-or-later
"""What looks protected or closed, but is not for sure: it never counts as such, and it is said."""

from __future__ import annotations

import time
from datetime import date
from itertools import product
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.routing import prefixes_of
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.acceptance import covers
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge, judgement_of
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judged_estate import Estate, edge_with_routes
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE

Given = dict[str, Any]

OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
STAFF: Given = {"oauth": {"provider": {"google": {"email_domains": ["example.com"]}}}}
EVERYBODY: Given = {"oauth": {"provider": {"google": {}}}}


def route(match: str, *modules: Given, **more: Any) -> Given:
    merged: Given = {"match_type": "path_prefix", "match": match, "backend": {"backend_id": "bk_app"}, **more}
    for one in modules:
        merged |= one
    return merged


def edge(*routes: Given, host: str = "shop.example.com", **fields: Any) -> Given:
    return {"hostports": [f"{host}:443"], "routes": list(routes), **fields}


def judged(*edges: Given) -> Given:
    return judge({"https_edges": list(edges)}).result()


def rules(result: Given) -> list[str]:
    return [one["rule"] for one in result["findings"]]


def doubts(result: Given) -> set[str]:
    return {one["path"] for one in result["not_judged"]}


HOLLOW: list[tuple[str, Given, list[str]]] = [
    ("ip_restriction", {"ip_policy_ids": []}, ["restriction_without_entries"]),
    ("webhook_verification", {"provider": "github", "secret": ""}, ["webhook_without_secret"]),
    ("webhook_verification", {"enabled": True}, []),
    ("oauth", {"provider": {}}, []),
    ("oidc", {"issuer": "", "client_id": "app"}, []),
    ("saml", {"idp_metadata": "", "enabled": True}, []),
]


@pytest.mark.parametrize(("name", "module", "found"), HOLLOW)
def test_a_module_without_anything_to_check_with_protects_nothing(name: str, module: Given, found: list[str]) -> None:
    """Neither is it certain that everyone gets through, so no other rule says so."""
    result = judged(edge(route("/", STAFF), route("/admin", {name: module})))
    assert result["exposure"][1]["access"] == ["public"]
    assert result["exposure"][1]["by"] == {}
    assert rules(result) == found
    assert f"https_edges[0].routes[1].{name}" in doubts(result)
    # Nor is there a hole in it.
    assert rules(judged(edge(route("/", {name: module}), route("/admin")))) == found


def test_a_certificate_of_nobody_hides_no_other_finding() -> None:
    result = judged(edge(route("/", EVERYBODY), mutual_tls={"certificate_authority_ids": []}))
    assert result["exposure"][0]["access"] == ["login"]
    assert rules(result) == ["login_for_everyone", "restriction_without_entries"]
    assert "https_edges[0].mutual_tls" in doubts(result)


def live(wire: Given) -> Given:
    """What is found about an edge that a service returns like this."""
    state = HTTPS_EDGE.read({"hostports": ["a.example.com:443"], **wire}, "")
    return judgement_of(Estate([edge_with_routes("https_edges[0]", state, state["routes"])]), (), _TODAY).result()


_TODAY = date(2027, 3, 31)
_BACKEND = {"enabled": True, "backend": {"id": "bk_app"}}


@pytest.mark.parametrize(
    "off",
    [
        {"ip_restriction": {"enabled": False, "ip_policies": []}},
        {"webhook_verification": {"enabled": False, "provider": "", "secret": ""}},
        {"oauth": {"enabled": False, "provider": None}},
    ],
)
def test_an_empty_disabled_module_is_one_that_is_not_set(off: Given) -> None:
    found = live({"routes": [{"match_type": "path_prefix", "match": "/", "backend": _BACKEND, **off}]})
    assert found["exposure"][0]["access"] == ["public"]
    assert found["findings"] == []


def test_all_providers_as_empty_objects_are_a_login_and_a_doubt() -> None:
    names = ("github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon")
    oauth = {"enabled": True, "provider": {name: {} for name in names}}
    found = live({"routes": [{"match_type": "path_prefix", "match": "/", "backend": _BACKEND, "oauth": oauth}]})
    assert found["exposure"][0]["access"] == ["login"]
    assert "https_edges[0].routes[0].oauth.provider" in doubts(found)


@pytest.mark.parametrize("backend", [{"enabled": True, "backend": None}, {"enabled": True, "backend_id": "bk_app"}])
def test_a_backend_that_is_not_shown_does_not_close_a_route(backend: Given) -> None:
    found = live({"routes": [{"match_type": "path_prefix", "match": "/", "backend": backend}]})
    assert found["exposure"][0]["access"] == ["public"]
    assert found["findings"] == []
    assert "https_edges[0].routes[0].backend" in doubts(found)


@pytest.mark.parametrize(
    ("module", "rule"),
    [
        ({"oauth": {"provider": {"google": {"email_domains": [""], "scopes": ["email"]}}}}, "login_for_everyone"),
        ({"saml": {"idp_metadata": "<x/>", "authorized_groups": [""]}}, "any_user_of_idp"),
    ],
)
def test_an_empty_name_restricts_nobody(module: Given, rule: str) -> None:
    assert rules(judged(edge(route("/", module)))) == [rule]


@pytest.mark.parametrize(
    "match", ["/static/../admin", "/static/%2E%2e/admin", "/public//admin", "/static\\..\\admin", "/static/."]
)
def test_a_name_excuses_no_path_that_may_lead_elsewhere(match: str) -> None:
    result = judged(edge(route("/", STAFF), route(match)))
    assert rules(result) == ["hole_below_protected_prefix"]
    assert "https_edges[0].routes[1].match" in doubts(result)


@pytest.mark.parametrize("match", ["/.well-known/acme", "/static/caf%C3%A9", "/static/", "/static/..."])
def test_a_usual_path_is_excused_by_its_name(match: str) -> None:
    result = judged(edge(route("/", STAFF), route(match)))
    assert rules(result) == []
    assert "https_edges[0].routes[1].match" not in doubts(result)


@pytest.mark.parametrize("order", [1, -1])
def test_of_routes_with_the_same_match_nobody_knows_which_one_counts(order: int) -> None:
    result = judged(edge(*[route("/", STAFF), route("/"), route("/admin")][::order]))
    assert rules(result) == []
    same = {f"https_edges[0].routes[{number}].match" for number in ((0, 1) if order == 1 else (1, 2))}
    assert doubts(result) & {f"https_edges[0].routes[{number}].match" for number in range(3)} == same


def test_naming_the_only_host_of_the_edge_hides_nothing() -> None:
    result = judged(edge(route("/", STAFF), route("Shop.example.com/admin")))
    assert rules(result) == ["hole_below_protected_prefix"]
    assert "https_edges[0].routes[1].match" not in doubts(result)
    several = {
        **edge(route("/", STAFF), route("shop.example.com/admin")),
        "hostports": ["shop.example.com:443", "a.b:443"],
    }
    assert rules(judged(several)) == []
    assert "https_edges[0].routes[1].match" in doubts(judged(several))


TUNNELS: list[tuple[Given, list[str] | None, list[str]]] = [
    ({"labels": {"app": "shop"}}, ["closed"], []),
    ({"proto": "tcp", "forwards_to": "localhost:22"}, None, []),
    ({"endpoint": {"id": "ep_one", "uri": ""}, "public_url": None}, None, []),
    ({"proto": "TCP", "public_url": "tcp://a:1", "forwards_to": "db:22"}, ["public"], ["service_port_in_the_open"]),
    ({"public_url": "tcp://a:1", "forwards_to": "db:22"}, ["public"], ["service_port_in_the_open"]),
]


@pytest.mark.parametrize(("tunnel", "access", "found"), TUNNELS)
def test_only_a_backend_tunnel_is_closed(tunnel: Given, access: list[str] | None, found: list[str]) -> None:
    result = judge({}, [{"id": "tn_one", **tunnel}]).result()
    assert [one["access"] for one in result["exposure"]] == ([access] if access else [])
    assert rules(result) == found
    assert ("tunnels[0].public_url" in doubts(result)) == (access is None)


def test_a_header_is_not_public_if_a_policy_may_restrict_access() -> None:
    actions = {"policy": {"inbound": [{"actions": [{"type": "deny"}]}]}}
    key = {"request_headers": {"add": {"x-api-key": "words"}}}
    [doubtful], [certain] = (judged(edge(route("/", key, more)))["findings"] for more in (actions, {}))
    assert "everyone" not in doubtful["message"]
    assert "everyone" in certain["message"]


def test_prefixes_end_at_slashes() -> None:
    paths = ["".join(letters) for length in range(6) for letters in product("/a", repeat=length)]
    for path in paths:
        found = list(prefixes_of(path))
        assert found == sorted(set(found), key=len, reverse=True)
        inside = {one for one in paths if path == one or path.startswith(one if one.endswith("/") else f"{one}/")}
        assert set(found) - {""} == inside - {""}


@pytest.mark.parametrize(
    ("pattern", "name", "is_covered"),
    [
        ("*", "", True),
        ("a*", "a", True),
        ("ab*ba", "aba", False),
        ("*a*a*", "a", False),
        ("a*b*c", "a\nbb c", True),
        ("a.c", "abc", False),
        ("[a]?", "[a]?", True),
        ("*a" * 30 + "b", "a" * 3000, False),
    ],
)
def test_patterns(pattern: str, name: str, is_covered: bool) -> None:
    assert covers(pattern, name) == is_covered


def test_thousands_of_routes_are_judged_in_seconds() -> None:
    """Comparing each with each other took a minute."""
    begin = time.process_time()
    judged(edge(route("/", STAFF), *(route(f"/{number}") for number in range(5000))))
    judged(*(edge(route(f"/{one % 99}", STAFF if one % 2 else {}), host=f"h{one}") for one in range(2000)))
    assert time.process_time() - begin < 5
