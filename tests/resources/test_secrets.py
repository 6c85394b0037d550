# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets of traffic modules, and in objects of any collection: when they are sent and needed, how many a service
hides, that they appear nowhere, and that none is removed.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.filter.plan_markdown import plan_markdown
from ansible_collections.edgeops.ingress.plugins.module_utils import _arguments
from ansible_collections.edgeops.ingress.plugins.module_utils._definition import PluginDefinition
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec, checked, masked, secrets_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._object_id import DEFINITION
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.concealment import concealed
from module_process import visible
from module_task import Given, Tasks, applied, methods, work_of, writes
from places import EDGE, KEY, ROUTE_PATH, held_route, in_each_module, seed_route
from scripted_service import Received, Response, as_json, in_turn

ECHOED, HIDING = "echoed", ["redacted", "emptied", "left_out"]
MASK = "********"
MODULES = {"webhook_verification": "secret", "oidc": "client_secret", "oauth": "provider.github.client_secret"}
"""Where the secret is in a module."""


def with_secret(name: str, secret: str | None, **fields: Any) -> Given:
    """A module that holds a secret, with this one; None leaves it out."""
    own = {} if secret is None else {"client_secret": secret}
    return {
        "webhook_verification": {"provider": "slack", **({} if secret is None else {"secret": secret}), **fields},
        "oidc": {"issuer": "https://id.example.com", "client_id": "c", **own, **fields},
        "oauth": {"provider": {"github": {"client_id": "c", **own}}, **fields},
    }[name]


def holds(tasks: Tasks, name: str, module: Given) -> bool:
    """Whether the service holds this of the module, and in addition only what it chose itself."""
    held = held_route(tasks)[name]
    return {**held, **module} == held


@pytest.mark.parametrize("secrets", HIDING)
@pytest.mark.parametrize("name", MODULES)
def test_a_secret_that_is_not_returned_is_sent_only_if_asked_for(tasks: Tasks, name: str, secrets: str) -> None:
    place = seed_route(tasks, **{name: with_secret(name, "old")})
    tasks.service.switches(secrets=secrets)
    for secret in ("new", MASK):
        assert not tasks.done("https_edge_route", **place, **{name: with_secret(name, secret)})["changed"]
    for _again in range(2):
        declared = {name: with_secret(name, "new"), "update_secrets": "always"}
        assert writes(tasks.done("https_edge_route", **place, **declared)) == [f"PATCH {ROUTE_PATH}"]
        assert holds(tasks, name, with_secret(name, "new", enabled=True))
    assert not tasks.done("https_edge_route", **place, update_secrets="always")["changed"]


# A client_id of an identity provider without its client_secret is rejected before any request.
NOT_GIVEN = [*((name, MASK) for name in MODULES), ("webhook_verification", None), ("oidc", None)]


@pytest.mark.parametrize(("name", "secret"), NOT_GIVEN)
@pytest.mark.parametrize("secrets", [ECHOED, *HIDING])
def test_a_module_is_replaced_only_with_its_secret(tasks: Tasks, name: str, secrets: str, secret: str | None) -> None:
    place = seed_route(tasks, **{name: with_secret(name, "canary_old")})
    tasks.service.switches(secrets=secrets)
    declared = {**place, name: with_secret(name, secret, enabled=False), "description": "new"}
    if secrets == ECHOED:
        tasks.done("https_edge_route", **declared)
        assert holds(tasks, name, with_secret(name, "canary_old", enabled=False))
        return
    for check in (True, False):
        result = tasks.failed("https_edge_route", check, **declared)
        assert f"{name}.{MODULES[name]}" in result["msg"]
        assert (writes(result), result["changed"]) == ([], False)


@pytest.mark.parametrize("status", [401, 403])
def test_a_rejected_key_is_mentioned_but_not_shown(tasks: Tasks, status: int) -> None:
    tasks.service.switches(rejection_status=status, rejection_quotes_key=True)
    result = tasks.failed("tunnel_info", api_key="ak_canary")
    assert ("API key" in result["msg"], "canary" in visible(result)) == (True, False)


def destination(secret: str) -> Given:
    creds = {"aws_access_key_id": "AKIAEXAMPLE", "aws_secret_access_key": secret}
    target = {"kinesis": {"auth": {"creds": creds}}}
    return {"collection": "event_destinations", "find_by": {"description": "Audit"}, "body": {"target": target}}


SECRETS = ("webhook_verification", "oauth")
WEBHOOK, BOTH = ({name: with_secret(name, "new") for name in names} for names in (SECRETS[:1], SECRETS))
ALWAYS = {"update_secrets": "always"}
ROUTES = in_each_module(BOTH)
# How many secrets are not compared if the service hides them.
NOT_COMPARED: list[tuple[str, Given, int]] = [
    ("https_edge_route", ROUTES["https_edge_route"], 2),
    ("https_edge_route", {**KEY, **WEBHOOK}, 1),
    ("https_edge_route", {**KEY, "webhook_verification": with_secret("webhook_verification", None)}, 0),
    ("https_edge_route", {**KEY, "webhook_verification": with_secret("webhook_verification", MASK)}, 0),
    ("https_edge_route", {**KEY, "description": "new", **WEBHOOK}, 1),
    ("https_edge_route", {**KEY, "webhook_verification": {**WEBHOOK["webhook_verification"], "enabled": False}}, 0),
    ("https_edge_route", {**KEY, **WEBHOOK, **ALWAYS}, 0),
    ("https_edge_route", {**KEY, **WEBHOOK, "state": "absent"}, 0),
    ("https_edge_route", {**KEY, "match": "/new", **WEBHOOK}, 0),
    ("https_edge_routes", ROUTES["https_edge_routes"], 2),
    ("object", destination("new"), 1),
    ("object", {**destination("new"), **ALWAYS}, 0),
    ("estate", {**ROUTES["estate"], "objects": [{"name": "audit", **destination("new")}]}, 3),
]


def seed_other_secrets(tasks: Tasks) -> None:
    seed_route(tasks, **{name: with_secret(name, "old") for name in SECRETS})
    tasks.service.seed(objects={"event_destinations": [{"description": "Audit", **destination("old")["body"]}]})


def is_told(result: Given, number: int) -> bool:
    secrets, them = ("1 secret was", "it") if number == 1 else (f"{number} secrets were", "them")
    why = f"because the service does not return {them}. To send {them}, set `update_secrets: always`."
    told = (number, f"{secrets} not compared, {why}") if number else (None, None)
    return (result.get("secrets_not_compared"), result.get("msg")) == told


@pytest.mark.parametrize("secrets", [ECHOED, *HIDING])
@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("module", "options", "number"), NOT_COMPARED)
def test_the_result_says_how_many_secrets_were_not_compared(
    tasks: Tasks, module: str, options: Given, number: int, secrets: str, check: bool
) -> None:
    seed_other_secrets(tasks)
    tasks.service.switches(secrets=secrets)
    place = {"edge_id": EDGE} if module == "https_edge_route" else {}
    assert is_told(tasks.run(module, check, **{**place, **options}), number if secrets != ECHOED else 0)


def test_what_is_never_returned_is_not_compared_and_a_page_says_it_as_well(tasks: Tasks) -> None:
    assert is_told(tasks.done("object", **PAGE, write_only=["body"], body={"body": "old"}), 0)
    assert is_told(tasks.done("object", **PAGE, write_only=["body"], body={"body": "new"}), 1)
    seed_other_secrets(tasks)
    tasks.service.switches(secrets="redacted")
    result = tasks.done("https_edge_routes", True, **in_each_module(WEBHOOK)["https_edge_routes"])
    assert "1 secret not compared (to send it, set `update_secrets: always`)" in plan_markdown(result)


SECRET, OTHER = "wJalrXUtnFEMI-K7MDENG", "je7MtGbClwBF-2Zp9Utk"
PRIVATE_KEY = f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----"
CHANGED = "******** (a new value)"
NOBODY = {"base_url": "http://127.0.0.1:9", "api_key": "k"}
PAGE: Given = {"collection": "backends/http_response", "find_by": {"description": "Closed"}}


def test_what_is_write_only_is_masked_and_sent_on_creation(tasks: Tasks) -> None:
    headers, page = {"X-Password": SECRET, "X-Number": "4711471147"}, {**PAGE, "write_only": ["headers"]}
    created = tasks.done("object", **page, body={"headers": headers})
    assert created["sent"][-1]["body"]["headers"] == headers
    assert (created["object"]["headers"], created["diff"]["after"]["headers"]) == (MASK, MASK)
    work, options = work_of("object"), {**NOBODY, **page, "body": {"headers": headers}}
    text = visible(masked({**created, "sent": []}, work, checked(work, options)))
    assert not any(secret in text for secret in headers.values())
    other = {"headers": {"X-Password": OTHER}}
    assert methods(tasks.done("object", **page, body=other)) == ["GET"]
    both = {**other, "body": "new"}
    assert tasks.done("object", **page, body=both)["sent"][-1]["body"] == {"body": "new"}
    always = tasks.done("object", **page, body=both, update_secrets="always")
    assert (always["sent"][-1]["body"], always["diff"]["after"]["headers"]) == (other, CHANGED)


def test_write_only_fields_do_not_distinguish_objects(tasks: Tasks) -> None:
    seeds = [{"description": "Closed", "body": one} for one in (SECRET, OTHER)]
    tasks.service.seed(objects={"backends/http_response": seeds})
    result = tasks.failed("object", **PAGE, write_only=["body"], body={"body": "new one"})
    assert "2 objects in backends/http_response match" in result["msg"]
    assert SECRET not in result["msg"]


def of_module(module: str, one: Given) -> Given:
    declared = {"objects": [{"name": "one", **one}]}
    return {"object": one, "estate": declared, "exposure_info": {"estate": declared}}[module]


# Lists of paths in which something is wrong, so that nobody knows what is secret.
WRONG_LISTS: list[Given] = [
    {"write_only": ["ood"]},
    {"write_onyl": ["odd"]},
    {"write-only": ["odd"], "create_only": []},
    {"write_only": {"odd": True}},
    {"write_only": True},
]


@pytest.mark.parametrize("wrong", WRONG_LISTS, ids=repr)
@pytest.mark.parametrize("secret", [SECRET, 4711.25, 47114711])
@pytest.mark.parametrize("module", ["object", "estate", "exposure_info"])
def test_a_list_of_paths_that_is_wrong_reveals_nothing(module: str, secret: Any, wrong: Given) -> None:
    work = work_of(module)
    one = {"collection": "a", "find_by": {"name": "x"}, "body": {"odd": secret}, **wrong}
    arguments = checked(work, {**NOBODY, **of_module(module, one)})
    invocation = _arguments.shown(argument_spec(work), arguments.options)
    assert str(secret) not in json.dumps(masked(invocation, work, arguments))
    assert len(arguments.option_errors) == (wrong != WRONG_LISTS[0])


LEAKING = {
    **dict.fromkeys(("https://me@corp.com:canary@h", "https://canary@h", "me:canary@h"), "base_url"),
    **dict.fromkeys(("https://h?token=canary", "https://h#token=canary", "//me:12/canary@h"), "base_url"),
    **dict.fromkeys(("Authorization: Bearer canary", "X-Api-Key:canary", "X-Api-Key:4711canary"), "version_header"),
}


@pytest.mark.parametrize(("value", "name"), LEAKING.items())
def test_secrets_in_the_options_of_the_connection_are_not_displayed(name: str, value: str) -> None:
    work = work_of("tunnel_info")
    arguments = checked(work, {**NOBODY, name: value})
    invocation = _arguments.shown(argument_spec(work), arguments.options)
    result = applied("tunnel_info", {**NOBODY, name: value})
    assert "canary" not in str([masked(invocation, work, arguments), result])
    [option_error] = result["option_errors"]
    assert option_error.startswith(f"{name}: ")


@pytest.mark.parametrize("path", ["tenants/ops@example.com", "x:y@v1", "a=b;c=d@e"])
def test_nothing_in_a_valid_url_is_taken_for_a_secret(path: str) -> None:
    """It would be masked wherever it occurs, as in the URI of each object."""
    options = {**NOBODY, "base_url": f"https://api.example.com:8443/{path}"}
    assert list(secrets_of(work_of("tunnel_info"), options)) == ["k"]


def test_a_put_without_a_secret_would_remove_it(tasks: Tasks) -> None:
    things = {"things": [{"id": "x_1", "name": "one", "size": 1, "token": SECRET}], "next_page_uri": None}
    options = {"collection": "things", "find_by": {"name": "one"}, "update_method": "PUT", "body": {"size": 2}}
    failed = tasks.failed("object", instead=in_turn(as_json(things)), **options)
    assert "body.token: required for this change" in failed["msg"]
    assert [request.method for request in failed["received"]] == ["GET"]


@pytest.mark.parametrize("content_type", ["application/json", "text/plain"])
def test_a_live_secret_that_is_resent_is_masked_if_the_service_quotes_it(tasks: Tasks, content_type: str) -> None:
    def instead(request: Received) -> Response:
        if request.method == "GET":
            return as_json({"things": [{"id": "x_1", "description": "Audit", "size": 0, "secret": SECRET}]})
        quoted = json.dumps({"msg": f"rejected: {request.body.decode()}"})
        return Response(
            400, f"{'' if 'json' in content_type else 'rejected: '}{quoted}".encode(), {"Content-Type": content_type}
        )

    task = {"collection": "things", "find_by": {"description": "Audit"}, "body": {"size": 1}, "always_send": ["secret"]}
    result = tasks.failed("object", instead=instead, **task)
    assert SECRET in result["received"][-1].body.decode()
    assert ("rejected" in result["msg"], SECRET in visible(result)) == (True, False)


@pytest.mark.parametrize("quoted", ["json", "escaped", "urlencoded"])
def test_the_live_secret_of_a_traffic_module_is_masked_as_well(tasks: Tasks, quoted: str) -> None:
    oidc = {"issuer": "https://a.example.com", "client_id": "shop"}
    seed_route(tasks, oidc={**oidc, "client_secret": SECRET})
    tasks.service.switches(error_quotes_request=quoted, unknown_references="refused")
    other = {"oidc": {**oidc, "issuer": "https://b.example.com"}, "backend": {"backend_id": "bkdst_unknown"}}
    result = tasks.failed("https_edge_route", edge_id=EDGE, **KEY, **other)
    assert result["sent"][-1]["body"]["oidc"]["client_secret"] == SECRET
    assert ("The request was" in result["msg"], SECRET in visible(result)) == (True, False)


@pytest.mark.parametrize("length", range(50, 110, 10))
def test_a_secret_in_a_header_is_masked_before_the_rest_is_cut(tasks: Tasks, length: int) -> None:
    key = "ak_CanaryThatIsLongEnoughToBeCut"
    away = Response(302, headers={"Location": f"https://sso.example.com/{'a' * length}/{key}/x"})
    typed = Response(500, b"x", {"Content-Type": f"x/{key}"})
    for response in (away, typed):
        result = tasks.failed("https_edge_info", instead=in_turn(response), id=EDGE, api_key=key)
        assert key[:9].lower() not in result["msg"].lower()


def test_a_private_key_is_secret_in_any_field(tasks: Tasks) -> None:
    tasks.done("object", **PAGE, body={"body": PRIVATE_KEY})
    result = tasks.done("object", True, **PAGE, body={"body": PRIVATE_KEY.replace(SECRET, OTHER)})
    assert [result["diff"][when]["body"] for when in ("before", "after")] == [MASK, CHANGED]
    read = tasks.done("object_info", collection=PAGE["collection"])
    exported = tasks.done("estate_info", objects=[PAGE["collection"]], https_edges=False)
    assert not any(secret in visible(each) for secret in (SECRET, OTHER) for each in (result, read, exported))


@pytest.mark.parametrize("module", ["object", "estate"])
def test_an_empty_list_says_that_only_private_keys_are_secret(tasks: Tasks, module: str) -> None:
    one = {"id": "o_1", "description": "one", "value": "shown-1", "token": "shown-2", "text": PRIVATE_KEY}
    wanted = {"collection": "vault_secrets", "find_by": {"token": "shown-2"}, "body": {"size": 2}, "write_only": []}
    listed = {"vault_secrets": [one, {**one, "id": "o_2", "token": "other"}], "next_page_uri": None}

    def instead(request: Received) -> Response:
        return as_json(listed if request.path.endswith("/vault_secrets") else one | (request.json() or {}))

    text = visible(tasks.done(module, instead=instead, **of_module(module, wanted)))
    assert [word in text for word in ("o_1", "shown-1", "shown-2", SECRET)] == [True, True, True, False]


def test_what_finds_objects_and_is_not_returned_stays_secret() -> None:
    definitions: list[PluginDefinition] = [work_of("object"), work_of("object_info"), DEFINITION]
    for definition in definitions:
        options = {"collection": "vault_secrets", "find_by": {"value": SECRET, "text": PRIVATE_KEY}}
        assert set(definition.secrets(options)) == {SECRET, PRIVATE_KEY}
        found = list(map(str, definition.option_errors({"id": None, "body": {}, **options}, False)))
        assert [error for error in found if "services do not return secrets" in error] != []


def test_no_report_shows_the_secrets_of_declared_objects() -> None:
    declared = [
        {"name": "a", "collection": "vault_secrets", "find_by": {"name": "db"}, "body": {"value": SECRET}},
        {"name": "b", "collection": "things", "body": {"odd": SECRET}, "write_only": ["odd"]},
        {"name": "c", "collection": "things", "body": {"text": [PRIVATE_KEY]}, "write_only": []},
    ]
    shown = concealed({"name": "shop", "estate": {"objects": declared}, "notes": f"uses {SECRET}"})
    assert SECRET not in json.dumps(shown)
    assert concealed(shown) == shown


API_KEY = {"collection": "api_keys", "find_by": {"description": "build"}}
NOT_KEPT = "the service returned token with the new object, and this task does not return it"


@pytest.mark.parametrize("revealed", [["token"], ["password"], []], ids=str)
def test_a_secret_of_the_creation_is_returned_once_if_asked_for(tasks: Tasks, revealed: list[str]) -> None:
    options = {**API_KEY, **({"reveal": revealed} if revealed else {})}
    assert "token" not in tasks.done("object", True, **options)["object"]
    first, again = (tasks.done("object", **options) for _run in range(2))
    token = first["object"].pop("token")
    assert (again["changed"], again["object"].get("token"), "warnings" in again) == (False, None, False)
    if revealed == ["token"]:
        assert (len(token) > 10, token in visible(first), "warnings" in first) == (True, False, False)
        return
    told, *others = first["warnings"]
    assert (token, NOT_KEPT in told, "`reveal: [token]` and `no_log: true`" in told) == (MASK, True, True)
    assert ["the service returned no password" in one for one in others] == [True] * len(revealed)


def test_an_estate_says_that_it_keeps_no_secret(tasks: Tasks) -> None:
    estate = {"objects": [{"name": "key", **API_KEY}]}
    dry, first, again = (tasks.done("estate", check, **estate) for check in (True, False, False))
    assert (NOT_KEPT in first["warnings"][0], "warnings" in dry, "warnings" in again) == (True, False, False)


def test_the_mask_of_a_private_key_keeps_it_and_is_never_sent(tasks: Tasks) -> None:
    """A field that is not secret by its name."""
    policy: Given = {"collection": "ip_policies", "find_by": {"description": "one"}, "body": {"metadata": PRIVATE_KEY}}
    tasks.done("object", **policy)
    [shown_as] = tasks.done("object_info", collection="ip_policies")["objects"]
    copied = {**policy, "body": {"metadata": shown_as["metadata"]}}
    assert not tasks.done("object", **copied)["changed"]
    for check in (True, False):
        result = tasks.failed("object", check, **{**copied, "find_by": {"description": "other"}})
        assert (f"body.metadata: {MASK!r} stands for a current secret" in result["msg"], writes(result)) == (True, [])
