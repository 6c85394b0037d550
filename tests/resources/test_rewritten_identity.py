# SPDX-License-Identifier: GPL-3.0-or-later
"""Services that return another value than the one that was sent, for what finds an object. No run creates another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from amount import first_alone
from convergence import converges
from module_task import Tasks, writes
from places import HOSTPORT, KEY
from scripted_service import Received, Response, ScriptedService, forwarding, scripted_service

Rewrite = Callable[[str], Any]

LONG = "The shop of the north-east, with everything that belongs to it and to its customers"
GUESSED: dict[str, tuple[Any, Rewrite]] = {
    "cut off": (LONG, lambda text: text[:64]),
    "cut off JSON": ({"description": LONG}, lambda text: text[:64]),
    "quoted numbers": ('{"shop": 1}', lambda text: text.replace("1", '"1"')),
    "upper case and indents": ('{"a":{"b":1},"c":2}', lambda text: json.dumps(json.loads(text), indent=1).upper()),
    "HTML": ('{"shop": "a&b"}', lambda text: text.replace("&", "&amp;").replace('"', "&quot;")),
    "percent-encoding": ("shop of the north", lambda text: text.replace(" ", "%20")),
}
REPLACED: dict[str, Rewrite] = {
    "a constant": lambda _text: "managed",
    "nothing": lambda _text: None,
    "digits": lambda text: text.encode().hex(),
}


@contextmanager
def rewriting(tasks: Tasks, field: str, rewrite: Rewrite) -> Iterator[ScriptedService]:
    """Stand before the service, and rewrite one field in all its responses."""
    to_the_service = forwarding(tasks.service.base_url)

    def rewritten(value: Any) -> Any:
        if isinstance(value, dict):
            found = {name: rewritten(member) for name, member in value.items()}
            return {**found, field: rewrite(found[field])} if found.get(field) else found
        return [rewritten(member) for member in value] if isinstance(value, list) else value

    def response(request: Received) -> Response:
        found = to_the_service(request)
        body = json.dumps(rewritten(json.loads(found.body))).encode() if found.body else b""
        return Response(found.status, body, found.headers)

    with scripted_service(response) as between:
        yield between


def creates_only_once(tasks: Tasks, between: ScriptedService, module: str, path: str, **options: Any) -> None:
    """Run a task that fails, and then fails again without a write, with the ID of what it has created."""
    first = tasks.failed(module, **options, base_url=between.base_url, retries=1)
    assert between.writes() == [f"POST {path}"]
    state = tasks.service.state()
    [made] = state["https_edges"] or [one for objects in state["objects"].values() for one in objects]
    assert f"set `id` to {made['id']}" in first["msg"]
    for check in (False, True):
        again = tasks.failed(module, check, **options, base_url=between.base_url)
        assert made["id"] in again["msg"]
        assert between.writes() == [f"POST {path}"]
        assert writes(again) == []


@pytest.mark.parametrize("hostports", first_alone([[], [HOSTPORT]]))
@pytest.mark.parametrize("how", GUESSED)
def test_an_edge_whose_metadata_are_written_in_another_way(tasks: Tasks, how: str, hostports: list[str]) -> None:
    metadata, rewrite = GUESSED[how]
    edge = {"find_by": "metadata", "metadata": metadata, "hostports": hostports, "routes": [KEY]}
    with rewriting(tasks, "metadata", rewrite) as between:
        creates_only_once(tasks, between, "estate", "/edges/https", https_edges=[edge], purge=["edges"])


@pytest.mark.parametrize("how", REPLACED)
def test_an_edge_is_known_by_its_hostports_if_its_metadata_are_replaced(tasks: Tasks, how: str) -> None:
    edge = {"find_by": "metadata", "metadata": "shop", "hostports": [HOSTPORT], "routes": [KEY]}
    with rewriting(tasks, "metadata", REPLACED[how]) as between:
        options = {"https_edges": [edge], "purge": ["edges"], "base_url": between.base_url, "retries": 1}
        tasks.failed("estate", **options)
        tasks.service.seed(https_edges=[{"id": "edghts_other"}])
        [made] = [one["id"] for one in tasks.service.state()["https_edges"] if one.get("hostports")]
        for _run in range(2):
            result = tasks.failed("estate", **options)
            assert f"{made}): PATCH /edges/https/{made}" in result["msg"]
            assert "returned other values for metadata" in result["msg"]
            assert all("DELETE" not in one and one != "POST /edges/https" for one in writes(result))
        del edge["routes"]
        result = tasks.failed("https_edge", **edge, base_url=between.base_url)
        assert (writes(result), f"({made}), and can belong to one edge only" in result["msg"]) == ([], True)
    assert {one["id"]: one.get("hostports", []) for one in tasks.service.state()["https_edges"]} == {
        made: [HOSTPORT],
        "edghts_other": [],
    }


@pytest.mark.parametrize("live", ["old", ""])
def test_an_edge_with_new_metadata_is_not_replaced(tasks: Tasks, live: str) -> None:
    """To purge it and create another one would interrupt it."""
    tasks.service.seed(https_edges=[{"id": "edghts_a", "metadata": live, "hostports": [HOSTPORT], "description": "d"}])
    edge = {"find_by": "metadata", "metadata": "shop", "hostports": [HOSTPORT]}
    assert writes(converges(tasks, "estate", https_edges=[edge], purge=["edges"])) == ["PATCH /edges/https/edghts_a"]
    [held] = tasks.service.state()["https_edges"]
    assert (held["id"], held["metadata"], held["description"]) == ("edghts_a", "shop", "d")


@pytest.mark.parametrize("how", REPLACED)
def test_what_cannot_be_recognized_is_never_purged(tasks: Tasks, how: str) -> None:
    edge = {"find_by": "metadata", "metadata": "shop"}
    with rewriting(tasks, "metadata", REPLACED[how]) as between:
        options = {"https_edges": [edge], "purge": ["edges"], "base_url": between.base_url}
        first = tasks.failed("estate", **options)
        [made] = tasks.service.state()["https_edges"]
        assert f"or delete {made['id']}. Until then, each run may create another one" in first["msg"]
        tasks.failed("estate", **options)
        assert set(between.writes()) == {"POST /edges/https"}


URLS: dict[str, Rewrite] = {
    "the default port": lambda url: url.replace(":443", ""),
    "the case of the host": lambda url: url.replace("Shop", "shop"),
    "a slash": lambda url: f"{url}/",
    "all of them": lambda url: url.lower().replace(":443", "") + "/",
    "the scheme": lambda url: url.removeprefix("https://"),
    "the host only": lambda url: url.removeprefix("https://").removesuffix(":443"),
    "punycode": lambda url: url.replace("Büro", "xn--bro-hoa"),
}


@pytest.mark.parametrize("module", first_alone(["estate", "object"]))
@pytest.mark.parametrize("how", URLS)
def test_an_object_whose_url_is_written_in_another_way(tasks: Tasks, how: str, module: str) -> None:
    one = {"collection": "ip_policies", "find_by": {"description": "https://Shop.Büro.example:443"}}
    options = {"objects": [{"name": "x", **one}]} if module == "estate" else one
    with rewriting(tasks, "description", URLS[how]) as between:
        creates_only_once(tasks, between, module, "/ip_policies", **options)


@pytest.mark.parametrize("module", ["estate", "object"])
def test_an_object_of_which_no_run_could_find_the_identity(tasks: Tasks, module: str) -> None:
    one = {"collection": "ip_policies", "find_by": {"description": "shop"}}
    options = {"objects": [{"name": "x", **one}]} if module == "estate" else one
    with rewriting(tasks, "description", REPLACED["a constant"]) as between:
        result = tasks.failed(module, **options, base_url=between.base_url)
    [made] = tasks.service.state()["objects"]["ip_policies"]
    assert f"{made['id']} with 'managed' for description" in result["msg"]
    assert f"or delete {made['id']}. Until then, each run may create another one" in result["msg"]


def test_objects_that_are_all_declared_may_be_spelled_alike(tasks: Tasks) -> None:
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", "description": "Shop"}]})
    names = {"upper": "Shop", "lower": "shop", "spaced": " SHOP"}
    objects = [
        {"name": name, "collection": "ip_policies", "find_by": {"description": text}} for name, text in names.items()
    ]
    result = tasks.done("estate", objects=objects)
    assert writes(result) == ["POST /ip_policies"] * 2
    assert not tasks.done("estate", objects=objects)["changed"]
