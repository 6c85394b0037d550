# SPDX-License-Identifier: GPL-3.0-or-later
"""What is secret in objects of any collection, in whatever way a task meets them; and text that ends in line ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._definition import PluginDefinition
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._object_id import object_id
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.concealment import concealed
from ansible_collections.edgeops.ingress.plugins.plugin_utils._task_arguments import checked
from module_task import Tasks, methods, work_of
from scripted_service import Received, ScriptedService, as_json, scripted_service

HIDDEN = "wJalrXUtnFEMI"
KEY = f"-----BEGIN PRIVATE KEY-----\n{HIDDEN}\n-----END PRIVATE KEY-----"
CHANGED = "******** (a new value)"
WAYS = [
    pytest.param("things", {"text": KEY}, id="a private key"),
    pytest.param("things", {"texts": ["plain", KEY]}, id="a private key in a list"),
    *(pytest.param("things", {"deep": {name: HIDDEN}}, id=name) for name in ("private_key_pem", "api_key", "password")),
    pytest.param("vault_secrets", {"value": HIDDEN}, id="a vault secret"),
    pytest.param("event_destinations", {"target": {"headers": [{"value": HIDDEN}]}}, id="a destination"),
]


def serving(collection: str, *objects: dict[str, Any]) -> Any:
    """A service that returns everything, secrets included."""

    def script(request: Received) -> Any:
        if request.method == "GET" and request.path.endswith(f"/{collection}"):
            return as_json({collection: [dict(one) for one in objects], "next_page_uri": None})
        [one] = [one for one in objects if request.path.endswith(f"/{one['id']}")] or objects[:1]
        return as_json(one | (json.loads(request.body) if request.body else {}))

    return scripted_service(script)


def lookup(service: ScriptedService, **options: Any) -> dict[str, Any]:
    definition = object_id()
    arguments = checked(definition, {"base_url": service.base_url, "api_key": "k", **options})
    return result_of(definition, arguments.options, arguments.option_errors, False)


@pytest.mark.parametrize(("collection", "fields"), WAYS)
def test_a_secret_that_the_service_returns_is_nowhere(tasks: Tasks, collection: str, fields: dict[str, Any]) -> None:
    """The declaration does not contain it, so only the rule for objects can hide it."""
    one = {"id": "o_1", "description": "one", "size": 1, **fields}
    with serving(collection, one, {**one, "id": "o_2", "description": "two"}) as service:
        at = {"base_url": service.base_url, "collection": collection}
        seen = [
            tasks.done("object", **at, find_by={"description": "one"}, body={"size": 2}),
            tasks.done("object", True, **at, id="o_1", state="absent"),
            tasks.run("object", True, **at, id="o_1", body={"size": 2}, update_method="PUT"),
            tasks.done("object_info", **at),
            tasks.done("estate_info", base_url=service.base_url, objects=[collection], https_edges=False),
            tasks.failed("object", **at, find_by={"size": 1}),
            tasks.failed("object_info", **at, find_by={"value": "", "text": ""}),
            lookup(service, collection=collection, find_by={"size": 1}),
            lookup(service, collection=collection, find_by={"description": "three"}),
        ]
        members = [{"name": "one", "collection": collection, "id": "o_1", "body": {"size": 3}}]
        seen.append(tasks.done("estate", base_url=service.base_url, objects=members))
    assert [number for number, result in enumerate(seen) if HIDDEN in json.dumps(result)] == []
    assert "'one'" in seen[5]["msg"]


@pytest.mark.parametrize(("collection", "fields"), WAYS)
def test_a_secret_that_changes_is_shown_as_new(tasks: Tasks, collection: str, fields: dict[str, Any]) -> None:
    other = json.loads(json.dumps(fields).replace(HIDDEN, "je7MtGbClwBF"))
    with serving(collection, {"id": "o_1", "description": "one", **fields}) as service:
        options = {"collection": collection, "find_by": {"description": "one"}, "body": other}
        result = tasks.done("object", True, base_url=service.base_url, **options)
        [plan] = result["plan"] if "plan" in result else [result["diff"]]
    assert CHANGED in json.dumps(plan["after"])
    assert CHANGED not in json.dumps(plan["before"])
    assert not any(secret in json.dumps(result) for secret in (HIDDEN, "je7MtGbClwBF"))


@pytest.mark.parametrize("members", [False, True])
def test_an_empty_list_says_that_only_private_keys_are_secret(tasks: Tasks, members: bool) -> None:
    one = {"id": "o_1", "description": "one", "value": "shown-1", "token": "shown-2", "text": KEY}
    wanted = {"collection": "vault_secrets", "find_by": {"token": "shown-2"}, "body": {"size": 2}, "write_only": []}
    with serving("vault_secrets", one, {**one, "id": "o_2", "token": "other"}) as service:
        options = {"objects": [{"name": "one", **wanted}]} if members else wanted
        text = json.dumps(tasks.done("estate" if members else "object", base_url=service.base_url, **options))
    assert all(shown in text for shown in ("o_1", "shown-1", "shown-2"))
    assert HIDDEN not in text


def test_what_finds_objects_and_is_not_returned_stays_secret() -> None:
    definitions: list[PluginDefinition] = [work_of("object"), work_of("object_info"), object_id()]
    for definition in definitions:
        options = {"collection": "vault_secrets", "find_by": {"value": HIDDEN, "text": KEY}}
        assert set(definition.secrets(options)) == {HIDDEN, KEY}
        found = list(map(str, definition.option_errors({"id": None, "body": {}, **options}, False)))
        assert [error for error in found if "services do not return secrets" in error] != []


def test_no_report_shows_the_secrets_of_declared_objects() -> None:
    declared = [
        {"name": "a", "collection": "vault_secrets", "find_by": {"name": "db"}, "body": {"value": HIDDEN}},
        {"name": "b", "collection": "things", "body": {"odd": HIDDEN}, "write_only": ["odd"]},
        {"name": "c", "collection": "things", "body": {"text": [KEY]}, "write_only": []},
    ]
    shown = concealed({"name": "shop", "estate": {"objects": declared}, "notes": f"uses {HIDDEN}"})
    assert HIDDEN not in json.dumps(shown)
    assert concealed(shown) == shown


@pytest.mark.parametrize(("sent", "returned"), [("x\ny", "x\ny\n"), ("x\ny\n", "x\ny"), ("x\ny\r\n", "x\ny\n")])
@pytest.mark.parametrize("name", ["certificate_pem", "private_key_pem", "metadata"])
def test_text_from_a_file_is_created_once(tasks: Tasks, name: str, sent: str, returned: str) -> None:
    with serving("things", {"id": "o_1", "description": "one\n", name: returned}) as service:
        options = {"collection": "things", "find_by": {"description": "one"}, "body": {name: sent}}
        for more in ({}, {"create_only": [name]}):
            result = tasks.done("object", base_url=service.base_url, **options, **more)
            assert not result["changed"]
    assert methods(result) == []
