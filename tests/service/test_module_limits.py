# SPDX-License-Identifier: GPL-3.0-or-later
"""All fields and rules of traffic modules, with values at and above each limit (API reference, 2.2, 2.4, 2.5, 7, 8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from reference_fields import EDGE, ROUTE, TLS_EDGE, Fields, declared
from running_service import Running

Body = dict[str, Any]

OWNERS = {"new_edge": EDGE, "new_route": ROUTE, "new_tls_edge": TLS_EDGE}
MODULES = [(create, module) for create, modules in OWNERS.items() for module in modules]
UINT32 = 2**32 - 1
OF_BREAKERS = ("tripped_duration", "rolling_window", "volume_threshold")
OF_SESSIONS = ("inactivity_timeout", "maximum_duration", "auth_check_interval")
MAXIMA = {"num_buckets": 128, "error_threshold_percentage": 1, **dict.fromkeys((*OF_BREAKERS, *OF_SESSIONS), UINT32)}
"""Of the numbers in the API reference, which start at 0. Those of a service that is extended may have other limits."""
APP = {"client_id": "id", "client_secret": "cs"}
EVERY_APP = {
    "github": {"teams": ["org/team"], "organizations": ["org"]},
    **{name: {**APP, "scopes": ["s"]} for name in ("facebook", "microsoft", "google", "linkedin", "gitlab")},
    **{name: {"email_addresses": ["a@b.c"], "email_domains": ["b.c"]} for name in ("twitch", "amazon")},
}
RULE = {"name": "r", "expressions": ["a", "a"], "actions": {"type": "deny", "config": {"any": [1, {"thing": None}]}}}

# What else the traffic modules accept, and what none of them accepts, besides values of the wrong type.
ACCEPTED: dict[str, list[Body]] = {
    "tls_termination": [{}, {"min_version": None}],
    "webhook_verification": [{"provider": "sns"}, {"provider": "SNS"}, {"provider": "TWILIO", "secret": "s"}],
    "oauth": [{"provider": each} for each in (EVERY_APP, {"google": {"client_id": "", "scopes": []}})],
    "oidc": [{"client_id": "c", "scopes": ["openid"]}],
    "policy": [{"inbound": [RULE, RULE], "outbound": [{**RULE, "actions": [{"type": "a"}, {"type": "a"}]}]}],
}
PROVIDERS = {
    "google": [
        *({"client_id": "id"}, {"client_secret": "cs"}, {"scopes": ["s"]}, {**APP, "scopes": ["s", "s"]}),
        *({"teams": ["o/t"]}, {"email_addresses": ["a", "a"]}, {"email_domains": ["a", "a"]}),
    ],
    "github": [{"organizations": ["a", "a"]}, {"teams": ["a", "a"]}, None],
    "example": [{}],
}
REJECTED: dict[str, list[tuple[Body, str]]] = {
    "mutual_tls": [({"certificate_authority_ids": [""]}, "ids.0"), ({"certificate_authorities": []}, "authorities")],
    "backend": [({"backend": {"id": "bkd_1"}}, "backend"), ({"backend_id": ""}, "backend_id")],
    "ip_restriction": [({"ip_policy_ids": [wrong]}, "ip_policy_ids.0") for wrong in ("ipp_", "esb_1", None)],
    "compression": [({"level": 9}, "level")],
    "request_headers": [({"add": {"X-A": 1}}, "add.X-A"), ({"add": {"X-A": "1", "x-a": "2"}}, "add")],
    "response_headers": [({"remove": ["X-A", "x-a"]}, "remove")],
    "webhook_verification": [({"provider": "github"}, "secret"), ({"provider": "x", "secret": ""}, "secret")],
    "oauth": [
        *(({"provider": {name: wrong}}, f"provider.{name}") for name, each in PROVIDERS.items() for wrong in each),
        ({"idp_metadata": "x"}, "idp_metadata"),
    ],
    "saml": [({name: wrong}, name) for name, wrong in (("entity_id", "x"), ("auth_check_interval", 1))],
    "policy": [
        ({"inbound": [{"name": 5}]}, "inbound.0.name"),
        ({"inbound": {"when": "x"}}, "inbound.when"),
        ({"outbound": {"actions": {"config": "x"}}}, "outbound.actions.config"),
        ({"outbound": {"actions": [{"kind": "x"}]}}, "outbound.actions.0.kind"),
    ],
}
OF_TLS_EDGES: dict[str, list[tuple[Body, str]]] = {
    "tls_termination": [
        *(({"terminate_at": "upstream", "min_version": wrong}, "min_version") for wrong in ("1.2", "")),
        ({"terminate_at": "middle"}, "terminate_at"),
    ],
}
OF_EDGES: dict[str, list[tuple[Body, str]]] = {"tls_termination": [({"terminate_at": "edge"}, "terminate_at")]}


def accepted(module: str, fields: Fields) -> Iterator[Body]:
    """Bodies of a traffic module, with the numbers at their limits among them."""
    whole = declared(fields, "first")
    yield from (whole, declared(fields, "changed"), {**whole, "enabled": False}, *ACCEPTED.get(module, ()))
    for name in fields.keys() & MAXIMA.keys():
        yield from ({**whole, name: limit} for limit in (0, MAXIMA[name]))


def rejected(create: str, module: str, fields: Fields) -> Iterator[tuple[Body, str]]:
    """Bodies that are wrong in one field, each with what the error names."""
    for name, field in fields.items():
        wrong: dict[str, list[Any]] = {
            "bool": ["true", 1],
            "int": [-1, MAXIMA.get(name, UINT32) + 1, "5", True, 5.0],
            "float": [-0.01, 1.01, 50, "0.5", True],
            "list": ["x", [1], [*field.first][:1] * 2] if field.type == "list" else [],
        }
        nulls = [] if name == "min_version" else [None]
        for value in [*wrong.get(field.type, [5, ["x"]]), *nulls]:
            yield {**declared(fields, "first"), name: value}, name
    own = {"new_edge": OF_EDGES, "new_tls_edge": OF_TLS_EDGES}.get(create, {})
    yield from [*REJECTED.get(module, ()), *own.get(module, ()), ({"colour": 1}, "colour")]


def held(service: Running, create: str) -> Body:
    """The only object in the state that this method has created."""
    state = service.control("GET", "state")
    [found] = state["tls_edges" if create == "new_tls_edge" else "https_edges"]
    return dict(found["routes"][0] if create == "new_route" else found)


@pytest.mark.parametrize(("create", "module"), MODULES)
def test_a_valid_traffic_module_is_stored_as_it_was_sent(service: Running, create: str, module: str) -> None:
    owner = getattr(service, create)()
    path = f"{owner}/{module}"
    for body in accepted(module, OWNERS[create][module]):
        response = service.done("PUT", path, body)
        assert response["enabled"] is body.get("enabled", True)
        assert held(service, create)[module] == body
        assert service.done("GET", path) == service.done("GET", owner)[module] == response
        assert service.done("PATCH", owner, {module: body})[module] == response
        assert held(service, create)[module] == body
    for _again in range(2):
        assert service.done("DELETE", path, status=204) is None
        assert service.done("GET", path) is None
    for method, given in (("GET", None), ("PUT", body), ("DELETE", None)):
        service.rejected(method, f"{owner}x/{module}", given, status=404)


@pytest.mark.parametrize(("create", "module"), MODULES)
def test_an_invalid_traffic_module_is_rejected_and_changes_nothing(service: Running, create: str, module: str) -> None:
    owner = getattr(service, create)()
    parent, new = owner.rpartition("/")[0], {"match_type": "exact_path", "match": "/x"} if "routes" in owner else {}
    before = service.control("GET", "state")
    for body, field in rejected(create, module, OWNERS[create][module]):
        assert field in service.rejected("PUT", f"{owner}/{module}", body)["msg"]
        assert module in service.rejected("PATCH", owner, {module: body})["msg"]
        assert field in service.rejected("POST", parent, {**new, module: body})["msg"]
    assert service.control("GET", "state") == before
