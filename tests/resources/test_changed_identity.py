# SPDX-License-Identifier: GPL-3.0-or-later
"""Services that change what identifies an object: the same meaning is the same, and anything else is an error that
leaves nothing behind in further runs.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model.json_strings import meaning
from convergence import converges
from module_task import Tasks, writes
from places import HOSTPORT, KEY
from scripted_service import Received, Response, forwarding, scripted_service

SAME = [
    ("shop\n", "shop"),
    ('{"b": 1, "a": [true, null, 1.0]}\n', '{"a":[true,null,1],"b":1}'),
    ('{"a": "\\u00e9"}', '{"a":"é"}'),
    ("[1e2]", "[100]"),
    ("{not json} ", "{not json}"),
]
DIFFERENT = [
    ("shop", "Shop"),
    ('{"a": 1}', '{"a": true}'),
    ('{"a": 1}', '{"a": "1"}'),
    ('{"a": 1, "a": 2}', '{"a": 2}'),
    ("[1, 2]", "[2, 1]"),
    ("1.0", "1"),
    ('{"a": null}', "{}"),
    ("[1e999]", "[2e999]"),
    ("", "[]"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_meaning(one: str, other: str) -> None:
    assert meaning(one) == meaning(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_metadata_have_different_meanings(one: str, other: str) -> None:
    assert meaning(one) != meaning(other)


HABITS = [{"metadata": "trimmed"}, {"metadata": "rewritten"}]
METADATA: list[Any] = ["shop\n", '{"b":1,  "a":2}\n', {"b": 1, "a": {"é": 2.0}}]


@pytest.mark.parametrize("switches", HABITS, ids=str)
@pytest.mark.parametrize("metadata", METADATA, ids=str)
def test_metadata_of_the_same_meaning_are_the_same(tasks: Tasks, metadata: Any, switches: dict[str, Any]) -> None:
    tasks.service.switches(**switches)
    edge = {"find_by": "metadata", "metadata": metadata, "hostports": [HOSTPORT]}
    routes = [{**KEY, "metadata": metadata, "description": "x"}]
    options = {"https_edges": [{**edge, "routes": routes}], "purge": ["edges", "routes"]}
    converges(tasks, "estate", **options)
    [held] = tasks.service.state()["https_edges"]
    assert writes(tasks.done("https_edge", **edge)) == []
    assert len(tasks.done("https_edge_info", metadata=metadata)["https_edges"]) == 1
    converges(tasks, "object", collection="ip_policies", find_by={"metadata": metadata})
    assert [one["id"] for one in tasks.service.state()["https_edges"]] == [held["id"]]
    assert len(tasks.service.state()["objects"]["ip_policies"]) == 1
    assert writes(tasks.done("https_edge", **edge, state="absent")) == [f"DELETE /edges/https/{held['id']}"]


@pytest.mark.parametrize("shown", ["empty", "null", "missing"])
def test_blank_metadata_are_none(tasks: Tasks, shown: str) -> None:
    tasks.service.switches(metadata="trimmed", empty_text=shown)
    find_by = {"description": "office"}
    converges(tasks, "object", collection="ip_policies", find_by=find_by, body={"metadata": " \n"})


@pytest.mark.parametrize("hostports", [[], [HOSTPORT]], ids=str)
@pytest.mark.parametrize("retries", [0, 2])
def test_an_edge_with_changed_metadata(tasks: Tasks, hostports: list[str], retries: int) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_other", "metadata": "other"}])
    tasks.service.switches(changed_identity="metadata")
    edge = {"find_by": "metadata", "metadata": "shop", "hostports": hostports}
    options = {"https_edges": [edge], "purge": ["edges"], "retries": retries}
    first = tasks.failed("estate", **options)
    assert writes(first) == ["POST /edges/https"]
    [made] = [one["id"] for one in tasks.service.state()["https_edges"] if one["id"] != "edghts_other"]
    assert made in first["msg"]
    assert "metadata" in first["msg"]
    for again in (
        tasks.failed("estate", **options),
        tasks.failed("estate", True, **options),
        tasks.failed("https_edge", **edge),
        tasks.failed("estate", https_edges=[edge]),
    ):
        assert writes(again) == []
        assert made in again["msg"]
    assert len(tasks.service.state()["https_edges"]) == 2


def test_an_edge_alone_with_changed_metadata(tasks: Tasks) -> None:
    tasks.service.switches(changed_identity="metadata")
    edge = {"find_by": "metadata", "metadata": "shop"}
    first = tasks.failed("https_edge", **edge, retries=1)
    [held] = tasks.service.state()["https_edges"]
    assert held["id"] in first["msg"]
    assert writes(tasks.failed("https_edge", **edge)) == []
    assert tasks.done("https_edge", **edge, state="absent")["changed"] is False
    assert tasks.done("https_edge", find_by="metadata", metadata="SHOP")["changed"] is False


def test_an_edge_whose_hostport_loses_its_port(tasks: Tasks) -> None:
    to_the_service = forwarding(tasks.service.base_url)

    def without_ports(request: Received) -> Response:
        response = to_the_service(request)
        return Response(response.status, response.body.replace(b":443", b""), response.headers)

    with scripted_service(without_ports) as between:
        options = {"https_edges": [{"hostports": [HOSTPORT]}], "purge": ["edges"], "base_url": between.base_url}
        first = tasks.failed("estate", **options, retries=1)
        [held] = tasks.service.state()["https_edges"]
        again = tasks.failed("estate", **options)
        assert between.writes() == ["POST /edges/https"]
    assert held["id"] in first["msg"]
    assert held["id"] in again["msg"]


ADDRESS = {"collection": "backends/static", "find_by": {"address": "shop.example.com:443"}}


@pytest.mark.parametrize("retries", [0, 2])
@pytest.mark.parametrize("is_named", [True, False])
def test_an_object_that_is_returned_with_another_identity(tasks: Tasks, retries: int, is_named: bool) -> None:
    tasks.service.switches(changed_identity="addresses")
    module, options = ("estate", {"objects": [{"name": "x", **ADDRESS}]}) if is_named else ("object", ADDRESS)
    first = tasks.failed(module, **options, retries=retries)
    assert len(writes(first)) == 1
    [held] = tasks.service.state()["objects"][ADDRESS["collection"]]
    assert held["id"] in first["msg"]
    assert "address" in first["msg"]
    again = tasks.failed(module, **options)
    assert writes(again) == []
    assert held["id"] in again["msg"]


@pytest.mark.parametrize(
    ("declared", "live"),
    [
        ("https://Shop.example.com:443/", "https://shop.example.com"),
        ("http://x:80/a", "http://x/a"),
        ("a b", "A  B "),
        ("caf\u00e9", "cafe\u0301"),
        ("a%20b", "a b"),
        ("https://x", "x"),
        ("x", "http://x:80"),
        ("a & b", "a &amp; b"),
        ('{"a": 1}', '{ "a": "1" }'),
        ("x" * 64, "x" * 63),
    ],
)
def test_an_object_of_another_spelling_is_not_created_again(tasks: Tasks, declared: str, live: str) -> None:
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", "description": live}]})
    find_by = {"description": declared}
    result = tasks.failed("object", collection="ip_policies", find_by=find_by)
    assert "ipp_one" in result["msg"]
    assert writes(result) == []
    assert not tasks.done("object", collection="ip_policies", find_by=find_by, state="absent")["changed"]


@pytest.mark.parametrize(
    ("declared", "live"),
    [
        ("shop-2", "shop"),
        ("a:8443", "a"),
        ("b/c", "bc"),
        ("a:443", "a:80"),
        ("https://x", "http://x"),
        ("x" * 63, "x" * 64),
        ("x" * 63, "x" * 62),
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ("xn--", "xn--a"),
    ],
)
def test_an_object_is_created_if_only_a_similar_description_exists(tasks: Tasks, declared: str, live: str) -> None:
    tasks.service.seed(objects={"ip_policies": [{"id": "ipp_one", "description": live}]})
    assert tasks.done("object", collection="ip_policies", find_by={"description": declared})["changed"]


def test_a_route_that_is_returned_with_another_match(tasks: Tasks) -> None:
    """Whatever identifies an object is compared, and the error names its ID."""
    tasks.service.seed(https_edges=[{"id": "edghts_a", "hostports": [HOSTPORT]}])
    to_the_service = forwarding(tasks.service.base_url)

    def shorten(request: Received) -> Response:
        response = to_the_service(request)
        if request.method == "GET" and not response.body:
            return response
        return Response(response.status, response.body.replace(b'"match":"/a/"', b'"match":"/a"'), response.headers)

    route = {"match_type": "path_prefix", "match": "/a/"}
    with scripted_service(shorten) as between:
        options = {"https_edges": [{"id": "edghts_a", "routes": [route]}], "base_url": between.base_url, "retries": 1}
        result = tasks.failed("estate", **options)
        [held] = tasks.service.state()["https_edges"][0]["routes"]
        assert held["id"] in result["msg"]
        assert len(between.writes()) == 1


def test_declarations_of_the_same_meaning_are_duplicates(tasks: Tasks) -> None:
    edges = [{"find_by": "metadata", "metadata": one} for one in ('{"a": 1, "b": 2}', {"b": 2, "a": 1})]
    result = tasks.failed("estate", https_edges=edges)
    assert "already declared in https_edges[0]" in result["msg"]
    assert result["sent"] == []


def test_objects_of_the_same_meaning_are_duplicates(tasks: Tasks) -> None:
    found_by = [{"description": "one", "metadata": one} for one in ('{"a": 1, "b": 2}', {"b": 2, "a": 1})]
    objects = [
        {"name": f"o{number}", "collection": "ip_policies", "find_by": one} for number, one in enumerate(found_by)
    ]
    for pair in (objects, [{**one, "find_by": {"metadata": one["find_by"]["metadata"]}} for one in objects]):
        result = tasks.failed("estate", objects=pair)
        assert "objects[1]: is the same object as objects[0]" in result["msg"]
        assert result["sent"] == []


@pytest.mark.parametrize("blank", [" ", "\n"])
def test_blank_metadata_find_nothing(tasks: Tasks, blank: str) -> None:
    tasks.service.seed(https_edges=[{"id": "edghts_a"}], objects={"ip_policies": [{"id": "ipp_one"}]})
    for module, options in (
        ("https_edge", {"find_by": "metadata", "metadata": blank, "state": "absent"}),
        ("object", {"collection": "ip_policies", "find_by": {"metadata": blank}, "state": "absent"}),
    ):
        result = tasks.failed(module, **options)
        assert "metadata" in json.dumps(result["msg"])
        assert result["sent"] == []
