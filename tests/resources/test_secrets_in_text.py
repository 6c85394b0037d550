# SPDX-License-Identifier: GPL-3.0-or-later
"""Secrets in strings that contain JSON are recognized by their names, as in dictionaries: never shown, but compared."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.concealment import concealed
from module_process import visible, visible_of_process
from module_task import Tasks, work_of, writes
from places import EDGE, HOSTPORT, KEY, held_edge, held_route, in_each_module, seed_edge, seed_route

OLD, NEW = "canary of before", "canary of now"
MASK, CHANGED = "********", "******** (a new value)"
NEEDED = {"endpoints": {"type": "cloud", "url": "https://one.example.com"}}
MUST_NOT = "must not be empty; check whether the variable that it comes from is set"


def metadata(secret: Any, owner: str = "shown") -> dict[str, Any]:
    return {"keys": [{"api_key": secret}], "owner": owner}


def policy(secret: Any, owner: str = "shown") -> dict[str, Any]:
    login = {"type": "oidc", "config": {"client_id": owner, "client_secret": secret}}
    return {"on_http_request": [{"actions": [login]}]}


def as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Place:
    """A field with JSON in it: how it is seeded, the tasks that declare it, and how it is read."""

    kind: str
    name: str
    make: Callable[..., dict[str, Any]]
    where: str

    @property
    def is_object(self) -> bool:
        return not self.kind.startswith("https_")

    def seed(self, tasks: Tasks, value: Any) -> None:
        text = json.dumps(value)
        tasks.service.reset()
        if self.kind == "https_edge":
            seed_edge(tasks, metadata=text)
        elif self.kind == "https_edge_route":
            seed_route(tasks, metadata=text)
        else:
            one = {"description": "One", **NEEDED.get(self.kind, {}), self.name: text}
            tasks.service.seed(objects={self.kind: [one]})

    def tasks(self, value: Any) -> dict[str, dict[str, Any]]:
        if self.kind == "https_edge":
            edge = {"hostports": [HOSTPORT], "metadata": value}
            return {"https_edge": edge, "estate": {"https_edges": [edge]}}
        if self.kind == "https_edge_route":
            return in_each_module({"metadata": value})
        body = {self.name: value, **NEEDED.get(self.kind, {})}
        one = {"collection": self.kind, "find_by": {"description": "One"}, "body": body}
        return {"object": one, "estate": {"objects": [{"name": "one", **one}]}}

    def held(self, tasks: Tasks) -> Any:
        if self.kind == "https_edge":
            return json.loads(held_edge(tasks)["metadata"])
        if self.kind == "https_edge_route":
            return json.loads(held_route(tasks)["metadata"])
        return json.loads(tasks.service.state()["objects"][self.kind][0][self.name])


KEY_IN_LIST, SECRET_OF_LOGIN = "keys[0].api_key", "on_http_request[0].actions[0].config.client_secret"
PLACES = [
    Place("https_edge", "metadata", metadata, f"metadata.{KEY_IN_LIST}"),
    Place("https_edge_route", "metadata", metadata, f"metadata.{KEY_IN_LIST}"),
    Place("ip_policies", "metadata", metadata, f"metadata.{KEY_IN_LIST}"),
    Place("endpoints", "traffic_policy", policy, f"traffic_policy.{SECRET_OF_LOGIN}"),
]


@pytest.fixture(params=PLACES, ids=lambda place: f"{place.kind}.{place.name}")
def place(request: pytest.FixtureRequest) -> Any:
    return request.param


def leaving(result: dict[str, Any]) -> str:
    """What leaves a task, also by a report."""
    return visible(result) + json.dumps(concealed({"plan": {**result, "sent": []}}))


@pytest.mark.parametrize("form", [as_it_is, json.dumps])
def test_a_secret_in_text_is_in_nothing_that_leaves_a_task(tasks: Tasks, place: Place, form: Any) -> None:
    for module, options in place.tasks(form(place.make(NEW))).items():
        place.seed(tasks, place.make(OLD))
        assert not tasks.done(module, **place.tasks(form(place.make(OLD)))[module])["changed"]
        for check in (True, False):
            result = tasks.done(module, check, **options)
            assert [word in leaving(result) for word in ("canary", CHANGED, "shown")] == [False, True, True]
            assert [one["reason"] for one in result["operations"]] == [f"differs: {place.where}"]
        assert place.held(tasks) == place.make(NEW)
        assert "canary" not in visible_of_process(tasks, module, **options)


def test_another_change_next_to_a_secret_in_text_is_none_of_the_secret(tasks: Tasks, place: Place) -> None:
    for module, options in place.tasks(place.make(OLD, "other")).items():
        place.seed(tasks, place.make(OLD))
        result = tasks.done(module, check=True, **options)
        assert [word in leaving(result) for word in ("canary", CHANGED)] == [False, False]
        assert [one["reason"] for one in result["operations"]] == [f"differs: {place.where.partition('.')[0]}"]


def test_a_secret_in_text_is_not_shown_by_what_reads_or_deletes(tasks: Tasks, place: Place) -> None:
    place.seed(tasks, place.make(OLD))
    estate = {"https_edges": [{"hostports": ["other.example.com:443"], "routes": []}]}
    readings: list[tuple[str, dict[str, Any]]] = [
        ("api", {"path": f"/edges/https/{EDGE}"}),
        ("https_edge_info", {}),
        ("estate_info", {}),
        ("https_edge", {"id": EDGE}),
        ("estate", {**estate, "undeclared": "declarations"}),
        ("estate", {**estate, "purge": ["edges"]}),
        ("https_edge", {"id": EDGE, "state": "absent"}),
    ]
    if place.is_object:
        readings = [
            ("api", {"path": f"/{place.kind}"}),
            ("object_info", {"collection": place.kind}),
            ("estate_info", {"objects": [place.kind], "https_edges": False}),
            ("object", {**place.tasks({})["object"], "body": {}, "state": "absent"}),
        ]
    for module, options in readings:
        result = tasks.done(module, **options, check=work_of(module).writes)
        assert ("canary" in leaving(result), "shown" in leaving(result)) == (False, True)


def test_a_report_shows_no_secret_in_text(place: Place) -> None:
    for options in place.tasks(json.dumps(place.make(OLD))).values():
        text = json.dumps(concealed({"estate": options}))
        assert ("canary" in text, "shown" in text) == (False, True)


def test_the_mask_in_text_stands_for_the_current_secret(tasks: Tasks, place: Place) -> None:
    for module, options in place.tasks(place.make(MASK)).items():
        place.seed(tasks, place.make(OLD))
        assert not tasks.done(module, **options)["changed"]
        # In a list, nobody knows which secret belongs to a member that is not as before.
        other = place.tasks(place.make(MASK, "other"))[module]
        if place.name == "metadata":
            assert CHANGED not in leaving(tasks.done(module, **other))
            assert place.held(tasks) == place.make(OLD, "other")
        else:
            needs_the_secret(tasks, module, other, place.where)


def test_the_mask_in_text_is_not_sent_to_create_an_object(tasks: Tasks, place: Place) -> None:
    if place.kind == "https_edge_route":
        seed_edge(tasks)
    for module, options in place.tasks(place.make(MASK)).items():
        needs_the_secret(tasks, module, options, place.where)


def needs_the_secret(tasks: Tasks, module: str, options: dict[str, Any], where: str) -> None:
    for check in (True, False):
        failed = tasks.failed(module, check, **options)
        assert f"{where}: required for this change" in failed["msg"]
        assert writes(failed) == []


def test_what_is_exported_with_masks_in_text_changes_nothing(tasks: Tasks, place: Place) -> None:
    place.seed(tasks, place.make(OLD))
    exported = tasks.done("estate_info", objects=[place.kind] if place.is_object else [])["estate"]
    assert MASK in json.dumps(exported)
    if place.is_object:
        assert exported["objects"][0]["find_by"] == {"description": "One"}
    assert not tasks.done("estate", **exported)["changed"]


def test_objects_are_not_found_by_text_with_a_secret(tasks: Tasks) -> None:
    tasks.service.seed(objects={"ip_policies": [{"metadata": json.dumps(metadata(OLD))}]})
    exported = tasks.done("estate_info", objects=["ip_policies"], https_edges=False)["estate"]
    assert "find_by" not in exported["objects"][0]
    assert not tasks.done("estate", **exported)["changed"]


def test_a_secret_in_text_is_not_in_errors(tasks: Tasks) -> None:
    seeds = [{"description": "One", "metadata": json.dumps(metadata(OLD, owner))} for owner in ("shown", "b")]
    tasks.service.seed(objects={"ip_policies": seeds})
    one = {"collection": "ip_policies", "find_by": {"description": "One"}}
    failed = tasks.failed("object", **one)
    assert "2 objects in ip_policies match" in failed["msg"]
    found = [failed, tasks.failed("https_edge_route", edge={"metadata": json.dumps(metadata(OLD))}, **KEY)]
    for result in found:
        assert ("canary" in leaving(result), "shown" in leaving(result)) == (False, True)


@pytest.mark.parametrize("empty", [None, "", " ", [], {}, False], ids=repr)
@pytest.mark.parametrize("form", [as_it_is, json.dumps])
def test_an_empty_secret_in_text_is_an_option_error(tasks: Tasks, place: Place, form: Any, empty: Any) -> None:
    seed_edge(tasks)
    for module, options in place.tasks(form(place.make(empty))).items():
        for check in (True, False):
            result = tasks.failed(module, check, **options)
            [error] = result["option_errors"]
            assert error.endswith(f"{place.where}: {MUST_NOT}")
            assert result["sent"] == []


def test_a_new_secret_in_a_list_of_texts_is_visible(tasks: Tasks) -> None:
    one = {"collection": "credentials", "find_by": {"description": "One"}}
    old, new = ([json.dumps(metadata(secret)), "plain"] for secret in (OLD, NEW))
    tasks.done("object", **one, body={"acl": old})
    result = tasks.done("object", check=True, **one, body={"acl": new})
    assert "canary" not in leaving(result)
    assert result["operations"][0]["reason"] == "differs: acl[0].keys[0].api_key"
    assert CHANGED in json.dumps(result["diff"]["after"])


@pytest.mark.parametrize("text", ["{", "[1", '{"api_key": }', "api_key=x", "[" * 2000 + "]" * 2000], ids=len)
def test_other_text_is_shown_as_it_is(tasks: Tasks, text: str) -> None:
    seed_edge(tasks, metadata=text)
    assert tasks.done("https_edge_info")["https_edges"][0]["metadata"] == text
    assert not tasks.done("https_edge", hostports=[HOSTPORT], metadata=text)["changed"]
