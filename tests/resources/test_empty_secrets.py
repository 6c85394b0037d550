# SPDX-License-Identifier: GPL-3.0-or-later
"""An empty secret, as an unset variable leaves it, has one fate: wherever it is declared, it is an option error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import all_option_errors, checked
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_secrets import is_blank
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_strings import Secret
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from convergence import converges
from module_task import Given, Tasks, work_of
from places import KEY, held_route, in_each_module, seed_edge, seed_route
from scripted_service import as_json, in_turn

CONNECTION = {"base_url": "http://127.0.0.1:9", "api_key": "a-key-of-nobody"}
EMPTY = ["", " ", "\n", " \t\r\n", "\ufeff", "\u200b", "\u2060\u200d \xad"]
MUST_NOT = "must not be empty; check whether the variable that it comes from is set"
NEEDED = {"client_id": "app", "provider": "slack", "issuer": "https://id.example.com"}
"""What stands next to secrets, which would otherwise be another error."""


def errors(module: str, options: Given) -> list[str]:
    work = work_of(module)
    arguments = checked(work, {**CONNECTION, **options})
    found = map(str, all_option_errors(work, arguments.options, arguments.option_errors))
    # Headers cannot contain line breaks, either.
    return [error for error in found if not error.endswith("a line break; remove it")]


def secret_paths(kind: Object, *outer: str) -> Iterator[tuple[str, ...]]:
    """The path of every secret in an object, as the schema has it."""
    for f in kind.declarable:
        if isinstance(f.kind, Secret):
            yield (*outer, f.name)
        elif isinstance(f.kind, Object):
            yield from secret_paths(f.kind, *outer, f.name)


def with_fields(path: tuple[str, ...], value: Any) -> Given:
    """Options with this value at the path, and with what stands next to it."""
    kind: Any = schema.HTTPS_EDGE_ROUTE
    for name in path[:-1]:
        kind = kind.named[name].kind
    module = {path[-1]: value, **{name: text for name, text in NEEDED.items() if name in kind.named}}
    for name in reversed(path[:-1]):
        module = {name: module}
    return module


def routes_with(empty: Any) -> Iterator[tuple[str, Given]]:
    """Where secrets are in routes, and the route that declares one."""
    yield from ((".".join(path), with_fields(path, empty)) for path in secret_paths(schema.HTTPS_EDGE_ROUTE))
    for name, header in (("request_headers", "Authorization"), ("response_headers", "set-cookie")):
        yield f"{name}.add.{header}", {name: {"add": {header: empty}}}
    action = {"actions": {"type": "t", "config": {"api-key": empty}}}
    yield "policy.inbound[1].actions.config.api-key", {"policy": {"inbound": [{"name": "x"}, action]}}
    keys = {"keys": [{"api_key": empty}], "owner": "o"}
    yield from (("metadata.keys[0].api_key", {"metadata": one}) for one in (keys, json.dumps(keys)))


def bodies_with(empty: Any) -> Iterator[tuple[str, str, Given, Given]]:
    """Where secrets are in objects: the path, the collection, the body, and more options."""
    yield "token", "things", {"token": empty}, {}
    yield "headers.Authorization", "backends/http_response", {"headers": {"Authorization": empty}}, {}
    yield "a.password", "things", {"a": {"password": empty, "b": ""}}, {}
    yield "keys[1].api_key", "things", {"keys": [{"api_key": "k"}, {"api_key": empty}]}, {}
    yield "secret[1]", "things", {"secret": ["s", empty]}, {}
    yield "credentials.user", "things", {"credentials": {"user": empty}}, {}
    yield "value", "vault_secrets", {"value": empty}, {}
    yield "odd", "things", {"odd": empty, "text": ""}, {"write_only": ["odd"]}
    yield "odd.deep[0]", "things", {"odd": {"deep": [empty]}}, {"write_only": ["odd"]}
    for name, text in product(("metadata", "traffic_policy"), ({"token": empty}, json.dumps({"token": empty}))):
        yield f"{name}.token", "endpoints", {name: text}, {}
    pem = {"write_only": ["private_key_pem"], "create_only": ["private_key_pem"]}
    yield "private_key_pem", "tls_certificates", {"certificate_pem": "c", "private_key_pem": empty}, pem


def tasks_with(empty: Any) -> Iterator[tuple[str, str, Given]]:
    """Every module that takes a secret, the path of the secret, and the options."""
    for where, route in routes_with(empty):
        declaring = in_each_module(route)
        yield "https_edge_route", where, declaring["https_edge_route"]
        yield "https_edge_routes", f"routes[0].{where}", declaring["https_edge_routes"]
        yield "estate", f"https_edges[0].routes[0].{where}", declaring["estate"]
        yield "exposure_info", f"estate.https_edges[0].routes[0].{where}", {"estate": declaring["estate"]}
    for where, collection, body, more in bodies_with(empty):
        one = {"collection": collection, "find_by": {"description": "One"}, "body": body, **more}
        yield "object", f"body.{where}", one
        yield "estate", f"objects[0].body.{where}", {"objects": [{"name": "one", **one}]}
    edge = {"hostports": ["a:1"], "metadata": json.dumps({"token": empty})}
    yield "https_edge", "metadata.token", edge
    yield "estate", "https_edges[0].metadata.token", {"https_edges": [edge]}
    for where, body in (("value", {"value": empty}), ("metadata.token", {"metadata": json.dumps({"token": empty})})):
        yield "api", f"body.{where}", {"method": "POST", "path": "/vault_secrets", "body": body}
    yield "api", "body[0].a.token", {"method": "POST", "path": "/things", "body": [{"a": {"token": empty}}]}


@pytest.mark.parametrize("how", [{}, {"update_secrets": "always"}], ids=str)
@pytest.mark.parametrize("empty", EMPTY, ids=repr)
def test_an_empty_secret_is_an_option_error_everywhere(empty: str, how: Given) -> None:
    for module, where, options in tasks_with(empty):
        more = how if "update_secrets" in work_of(module).options else {}
        assert errors(module, {**options, **more}) == [f"{where}: {MUST_NOT}"], (module, where)


@pytest.mark.parametrize("nothing", [None, [], {}, False], ids=repr)
def test_nothing_in_place_of_a_secret_is_an_option_error_where_types_are_not_known(nothing: Any) -> None:
    for module, where, options in tasks_with(nothing):
        if any(name in where for name in ("policy", "metadata", "body")) and module != "api":
            assert errors(module, options) == [f"{where}: {MUST_NOT}"], (module, where)


def test_only_routes_have_secrets() -> None:
    """Otherwise, the table lacks them."""
    others = (schema.HTTPS_EDGE, *schema.TLS_EDGE_MODULES.values())
    assert [path for kind in others for path in secret_paths(kind)] == []
    assert len(list(secret_paths(schema.HTTPS_EDGE_ROUTE))) > len(NEEDED)


# Values of headers in which only the variable behind the scheme or the name was not set, and others.
WITHOUT_VALUE = {
    "Authorization": ("Bearer ", "bearer", "Basic \u200b", " Token\t", "ApiKey ", "Digest "),
    "proxy-authorization": ("Basic ",),
    "Cookie": ("session=", "session= ", "a=; b=;", 'session=""'),
    "Set-Cookie": ("session=",),
}
WITH_VALUE = {
    "Authorization": ("c2VjcmV0", "Basic YWI="),
    "X-Api-Key": ("YWI=", "token"),
    "Cookie": ("session=; theme=dark",),
    "Set-Cookie": ("session=; Max-Age=0",),
}
CORS = {"policy": {"inbound": {"actions": {"type": "cors", "config": {"allow_credentials": False}}}}}


@pytest.mark.parametrize("values", [WITHOUT_VALUE, WITH_VALUE])
def test_a_scheme_or_a_name_without_a_value_is_an_empty_secret(values: dict[str, tuple[str, ...]]) -> None:
    """That is what `Bearer {{ token }}` is if the variable is empty."""
    for header, written in ((header, written) for header, all_written in values.items() for written in all_written):
        assert is_blank(f"headers.{header}", written) is (values is WITHOUT_VALUE), written
    for module, where, options in tasks_with("Bearer "):
        if where.endswith("Authorization"):
            assert errors(module, options) == [f"{where}: {MUST_NOT}"]


def test_what_is_no_secret_may_be_empty() -> None:
    headers = {"request_headers": {"add": {"X-Request-Id": ""}}}
    page: Given = {"collection": "backends/http_response", "find_by": {"description": "One"}}
    for module, options in (
        ("https_edge_route", {"edge_id": "edghts_a", **KEY, **headers, **CORS}),
        ("object", {**page, "body": {"headers": {"X-Request-Id": ""}, "body": ""}}),
        ("object", {**page, "body": {"headers": {"Authorization": ""}}, "write_only": []}),
    ):
        assert errors(module, options) == []


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
    [request] = tasks.done("api", instead=in_turn(as_json({})), method="POST", path="/things", body=body)["received"]
    assert request.json() == body


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
    diff = converges(tasks, "https_edge_route", **place, webhook_verification={"provider": "sns"})["diff"]
    assert ["secret" in diff[when]["webhook_verification"] for when in ("before", "after")] == [True, False]
    assert not held_route(tasks)["webhook_verification"].get("secret")
