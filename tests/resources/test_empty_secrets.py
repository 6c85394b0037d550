# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty secret, as an unset variable leaves it, has one fate: wherever it is declared, it is an option error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import (
    HTTPS_EDGE,
    HTTPS_EDGE_ROUTE,
    TLS_EDGE_MODULES,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.secret import Secret
from module_task import Tasks, work_of, writes
from places import KEY, held_route, in_each_module, seed_edge, seed_route
from scripted_service import as_json, in_turn

THING = {"collection": "things", "find_by": {"description": "One"}}
POST_THING = {"method": "POST", "path": "/things"}
EMPTY = ["", " ", "\n", " \t\r\n", "\ufeff", "\u200b", "\u2060\u200d \xad"]
MUST_NOT = "must not be empty; check whether the variable that it comes from is set"
NEEDED = {"client_id": "app", "provider": "slack", "issuer": "https://id.example.com"}
"""What stands next to secrets, which would otherwise be another error."""


def secret_paths(kind: Object, *outer: str) -> Iterator[tuple[str, ...]]:
    """The path of every secret in an object, as the schema has it."""
    for f in kind.declarable:
        if isinstance(f.kind, Secret):
            yield (*outer, f.name)
        elif isinstance(f.kind, Object):
            yield from secret_paths(f.kind, *outer, f.name)


def with_fields(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Options with this value at the path, and with what stands next to it."""
    kind: Any = HTTPS_EDGE_ROUTE
    for name in path[:-1]:
        kind = kind.named[name].kind
    module = {path[-1]: value, **{name: text for name, text in NEEDED.items() if name in kind.named}}
    for name in reversed(path[:-1]):
        module = {name: module}
    return module


IN_ROUTES: dict[str, Any] = {
    **{".".join(path): lambda empty, path=path: with_fields(path, empty) for path in secret_paths(HTTPS_EDGE_ROUTE)},
    **{
        f"{name}.add.{header}": lambda empty, name=name, header=header: {name: {"add": {header: empty}}}
        for name in ("request_headers", "response_headers")
        for header in ("Authorization", "X-Api-Key", "set-cookie")
    },
    "policy.inbound[1].actions.config.api-key": lambda empty: {
        "policy": {"inbound": [{"name": "x"}, {"actions": {"type": "t", "config": {"api-key": empty}}}]}
    },
}
"""Where secrets are in routes, and the route that declares one."""

PEM = {"write_only": ["private_key_pem"], "create_only": ["private_key_pem"]}
IN_BODIES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "token": ("things", lambda empty: {"token": empty}, {}),
    "headers.Authorization": ("backends/http_response", lambda empty: {"headers": {"Authorization": empty}}, {}),
    "a.password": ("things", lambda empty: {"a": {"password": empty, "b": ""}}, {}),
    "keys[1].api_key": ("things", lambda empty: {"keys": [{"api_key": "k"}, {"api_key": empty}]}, {}),
    "secret[1]": ("things", lambda empty: {"secret": ["s", empty]}, {}),
    "credentials.user": ("things", lambda empty: {"credentials": {"user": empty}}, {}),
    "value": ("vault_secrets", lambda empty: {"value": empty}, {}),
    "odd": ("things", lambda empty: {"odd": empty, "text": ""}, {"write_only": ["odd"]}),
    "odd.deep[0]": ("things", lambda empty: {"odd": {"deep": [empty]}}, {"write_only": ["odd"]}),
    "private_key_pem": ("tls_certificates", lambda empty: {"certificate_pem": "c", "private_key_pem": empty}, PEM),
}
"""Where secrets are in objects: the collection, the body, and more options."""


def object_with(where: str, empty: str) -> dict[str, Any]:
    collection, body, more = IN_BODIES[where]
    return {"collection": collection, "find_by": {"description": "One"}, "body": body(empty), **more}


RAW: dict[str, tuple[str, Any]] = {
    "body.value": ("/vault_secrets", lambda empty: {"name": "one", "value": empty}),
    "body[0].a.token": ("/things", lambda empty: [{"a": {"token": empty}}]),
    "body.metadata.token": ("/things", lambda empty: {"metadata": json.dumps({"token": empty})}),
}
"""Where secrets are in the bodies of API calls."""


def tasks_with(empty: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every module that takes a secret, the path of the secret, and the options."""
    for where, route_with in IN_ROUTES.items():
        declaring = in_each_module(route_with(empty))
        yield "https_edge_route", where, declaring["https_edge_route"]
        yield "https_edge_routes", f"routes[0].{where}", declaring["https_edge_routes"]
        yield "estate", f"https_edges[0].routes[0].{where}", declaring["estate"]
        yield "exposure_info", f"estate.https_edges[0].routes[0].{where}", {"estate": declaring["estate"]}
    for where in IN_BODIES:
        one = object_with(where, empty)
        yield "object", f"body.{where}", one
        yield "estate", f"objects[0].body.{where}", {"objects": [{"name": "one", **one}]}
    for where, (path, body) in RAW.items():
        yield "api", where, {"method": "POST", "path": path, "body": body(empty)}


WITHOUT_VALUE = {
    "Authorization": ("Bearer ", "bearer", "Basic \u200b", " Token\t", "ApiKey ", "Digest "),
    "proxy-authorization": ("Basic ",),
    "Cookie": ("session=", "session= ", "a=; b=;", 'session=""'),
    "Set-Cookie": ("session=",),
}
"""Values of headers in which only the variable behind the scheme or the name was not set."""


def errors(tasks: Tasks, module: str, check: bool = False, **options: Any) -> list[str]:
    """The option errors of a task, which sends nothing."""
    result = tasks.failed(module, check, **options)
    assert result["sent"] == []
    return list(result["option_errors"])


@pytest.mark.parametrize("header", WITHOUT_VALUE)
def test_a_scheme_or_a_name_without_a_value_is_an_empty_secret(tasks: Tasks, header: str) -> None:
    """That is what `Bearer {{ token }}` is if the variable is empty. What is live stays as it was."""
    place = seed_route(tasks, request_headers={"add": {"Authorization": "Bearer as before"}})
    for empty in WITHOUT_VALUE[header]:
        body = {"headers": {header: empty}}
        policy = {"inbound": [{"actions": {"type": "add-headers", "config": body}}]}
        found = errors(tasks, "https_edge_route", **place, request_headers={"add": body["headers"]}, policy=policy)
        paths = ("policy.inbound[0].actions.config.headers", "request_headers.add")
        assert sorted(found) == [f"{path}.{header}: {MUST_NOT}" for path in paths], empty
        for module, options in (("object", {**THING, "body": body}), ("api", {**POST_THING, "body": body})):
            assert errors(tasks, module, **options) == [f"body.headers.{header}: {MUST_NOT}"], empty
    assert held_route(tasks)["request_headers"]["add"] == {"Authorization": "Bearer as before"}


HEADERS = {
    "Authorization": ("c2VjcmV0", "Basic YWI="),
    "X-Api-Key": ("YWI=", "token"),
    "Cookie": ("session=; theme=dark",),
    "Set-Cookie": ("session=; Max-Age=0",),
    "X-Request-Id": ("",),
}
CORS = {"actions": {"type": "cors", "config": {"allow_credentials": False}}}


def test_what_has_a_value_or_is_no_secret_is_not_empty(tasks: Tasks) -> None:
    place = seed_route(tasks)
    for header, value in [(name, value) for name, values in HEADERS.items() for value in values]:
        assert tasks.done("https_edge_route", **place, request_headers={"add": {header: value}})["changed"], header
    assert tasks.done("https_edge_route", **place, policy={"inbound": CORS})["changed"]
    page = {"collection": "backends/http_response", "find_by": {"description": "One"}}
    assert tasks.done("object", **page, body={"headers": {"X-Request-Id": ""}, "body": ""})["changed"]
    tasks.done("object", **page, body={"headers": {"Authorization": ""}}, write_only=[])


def test_only_routes_have_secrets() -> None:
    """Otherwise, the table lacks them."""
    assert [path for kind in (HTTPS_EDGE, *TLS_EDGE_MODULES.values()) for path in secret_paths(kind)] == []
    assert len(list(secret_paths(HTTPS_EDGE_ROUTE))) > len(NEEDED)


@pytest.mark.parametrize("how", [{}, {"update_secrets": "always"}], ids=str)
@pytest.mark.parametrize("empty", EMPTY, ids=repr)
def test_an_empty_secret_is_an_option_error_everywhere(tasks: Tasks, empty: str, how: dict[str, Any]) -> None:
    for module, where, options in tasks_with(empty):
        more = how if "update_secrets" in work_of(module).options else {}
        for check in (True, False):
            # Headers cannot contain line breaks, either.
            found = errors(tasks, module, check, **options, **more)
            found = [error for error in found if not error.endswith("a line break; remove it")]
            assert found == [f"{where}: {MUST_NOT}"], (module, where)


@pytest.mark.parametrize("nothing", [None, [], {}, False], ids=repr)
def test_nothing_in_place_of_a_secret_is_an_option_error_where_types_are_not_known(tasks: Tasks, nothing: Any) -> None:
    for module, where, options in tasks_with(nothing):
        if ("policy" in where or "body" in where) and module != "api":
            assert errors(tasks, module, **options) == [f"{where}: {MUST_NOT}"], (module, where)


@pytest.mark.parametrize("collection", ["api_keys", "credentials"])
def test_what_only_the_service_writes_may_be_null(tasks: Tasks, collection: str) -> None:
    one = {"collection": collection, "find_by": {"description": "One"}}
    tasks.done("object", **one)
    [found] = tasks.done("object_info", **one)["objects"]
    assert found["token"] is None
    body = {name: value for name, value in found.items() if name not in ("id", "uri", "created_at")}
    assert not tasks.done("object", **one, body=body)["changed"]
    assert tasks.failed("object", **one, body={"token": ""})["option_errors"] == [f"body.token: {MUST_NOT}"]


def test_null_in_a_raw_body_is_sent(tasks: Tasks) -> None:
    """It is what a service returns, and a later request sends again."""
    body = {"token": None, "secret": [], "password": {}, "api_key": False}
    [request] = tasks.done("api", instead=in_turn(as_json({})), **POST_THING, body=body)["received"]
    assert request.json() == body


def test_the_mask_of_a_secret_that_services_do_not_show(tasks: Tasks) -> None:
    one = {"collection": "vault_secrets", "find_by": {"name": "one"}, "body": {"value": "********"}}
    expected = "'********' stands for the current secret, which a new object does not have, and services do not show"
    advice = "set the secret, or omit the field to keep the current one"
    assert errors(tasks, "object", **one) == [f"body.value: {expected}; {advice}"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("enabled", [{}, {"enabled": False}], ids=str)
def test_a_new_webhook_verification_needs_its_secret_when_it_is_planned(
    tasks: Tasks, check: bool, enabled: dict[str, Any]
) -> None:
    seed_edge(tasks)
    for module, options in in_each_module({"webhook_verification": {"provider": "slack", **enabled}}).items():
        result = tasks.failed(module, check, **options)
        assert "webhook_verification.secret: required, because it has no current value" in result["msg"]
        assert writes(result) == []


@pytest.mark.parametrize("provider", ["sns", "SNS"])
def test_a_webhook_verification_of_a_provider_without_a_secret(tasks: Tasks, provider: str) -> None:
    place = {"edge_id": seed_edge(tasks), **KEY}
    for secrets in ("echoed", "left_out", "emptied"):
        tasks.service.switches(secrets=secrets)
        for settings in ({"provider": provider}, {"enabled": False}, {"provider": provider, "enabled": True}):
            tasks.done("https_edge_route", **place, webhook_verification=settings)
        assert not tasks.done("https_edge_route", **place, webhook_verification={"provider": provider})["changed"]


@pytest.mark.parametrize("secrets", ["echoed", "redacted", "emptied", "left_out"])
def test_the_secret_is_kept_until_a_provider_needs_none(tasks: Tasks, secrets: str) -> None:
    held = {"enabled": True, "provider": "slack", "secret": "old"}
    place = seed_route(tasks, webhook_verification=held)
    tasks.service.switches(secrets=secrets)
    assert not tasks.done("https_edge_route", **place, webhook_verification={"provider": "slack"})["changed"]
    assert held_route(tasks)["webhook_verification"] == held
    options = {**place, "webhook_verification": {"provider": "sns"}}
    for check in (True, False):
        diff = tasks.done("https_edge_route", check, **options)["diff"]
        assert ["secret" in diff[when]["webhook_verification"] for when in ("before", "after")] == [True, False]
    assert not held_route(tasks)["webhook_verification"].get("secret")
    assert not tasks.done("https_edge_route", **options)["changed"]
