# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses that the reference service never returns, and what they mean to a task."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.retries import ALREADY_THERE
from module_task import Tasks
from places import EDGE, HOSTPORT, KEY, SOURCE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_subscription, seed_tls_edge
from scripted_service import Received, Response, Script, as_json, forwarding, scripted_service


def responding(tasks: Tasks, method: str, response: Response, *, carried_out: bool) -> Script:
    """The reference service, whose response to each request of a method is this one."""
    to_the_service = forwarding(tasks.service.base_url)

    def script(request: Received) -> Response:
        if request.method != method:
            return to_the_service(request)
        if carried_out:
            to_the_service(request)
        return response

    return script


CREATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "an edge": ("https_edge", {"hostports": ["new.example.com:443"]}),
    "a route": ("https_edge_route", {"edge_id": EDGE, **KEY}),
    "an event source": ("event_source", {"subscription_id": SUBSCRIPTION, "type": SOURCE}),
}


@pytest.mark.parametrize("status", [400, 403, 404, 409, 422, 429])
@pytest.mark.parametrize("name", CREATIONS)
@pytest.mark.parametrize("exists", [True, False], ids=["there by now", "not there"])
def test_a_rejected_creation_of_an_object_of_another_job(tasks: Tasks, name: str, status: int, exists: bool) -> None:
    seed_edge(tasks)
    seed_subscription(tasks)
    module, options = CREATIONS[name]
    rejection = as_json({"msg": "no"}, status)
    with scripted_service(responding(tasks, "POST", rejection, carried_out=exists)) as between:
        result = tasks.run(module, base_url=between.base_url, **options)
        assert len(between.writes()) == 1
        looked_again = [request.method for request in between.received][2:] == ["GET"]
    assert looked_again == (status in (400, 409, 422))
    assert result.get("failed", False) == (not exists or not looked_again)
    assert (result["changed"], result["operations"]) == (False, [])


def test_three_statuses_may_mean_that_an_object_exists() -> None:
    assert set(ALREADY_THERE) == {400, 409, 422}


WRITES: dict[str, tuple[str, str, dict[str, Any], str, dict[str, Any]]] = {
    "a change": ("PATCH", "https_edge", {"id": EDGE, "description": "new"}, "https_edge", {"description": "new"}),
    "a module": (
        "PUT",
        "tls_edge_ip_restriction",
        {"edge_id": TLS_EDGE, "ip_policy_ids": ["ipp_one"]},
        "ip_restriction",
        {"ip_policy_ids": ["ipp_one"], "enabled": True},
    ),
    "a creation of what has no ID": (
        "POST",
        "event_source",
        {"subscription_id": SUBSCRIPTION, "type": SOURCE},
        "event_source",
        {"type": SOURCE},
    ),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_returns_no_content_is_done(tasks: Tasks, name: str) -> None:
    """With 204, the live object is as declared."""
    method, module, options, key, expected = WRITES[name]
    seed_edge(tasks)
    seed_tls_edge(tasks)
    seed_subscription(tasks)
    with scripted_service(responding(tasks, method, Response(204), carried_out=True)) as between:
        result = tasks.done(module, base_url=between.base_url, **options)
        assert [request.method for request in between.received] == ["GET", method]
    assert result["changed"]
    assert "warnings" not in result
    assert {name: result[key][name] for name in expected} == expected
    assert not tasks.done(module, **options)["changed"]


def test_object_is_read_if_its_creation_returns_no_content(tasks: Tasks) -> None:
    with scripted_service(responding(tasks, "POST", Response(204), carried_out=True)) as between:
        result = tasks.done("https_edge", base_url=between.base_url, hostports=[HOSTPORT], retries=1)
        assert [request.method for request in between.received] == ["GET", "POST", "GET"]
    assert result["changed"]
    assert result["https_edge"]["id"] == tasks.service.state()["https_edges"][0]["id"]


READS: dict[str, tuple[str, dict[str, Any]]] = {
    "an edge": ("https_edge", {"id": EDGE}),
    "an edge that is to go": ("https_edge", {"id": EDGE, "state": "absent"}),
    "a route": ("https_edge_route", {"edge_id": EDGE, **KEY}),
    "a module": ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, "ip_policy_ids": ["ipp_one"]}),
    "an event source": ("event_source", {"subscription_id": SUBSCRIPTION, "type": SOURCE}),
}


BY_ID: list[tuple[str, dict[str, Any]]] = [
    ("https_edge", {"id": EDGE, "state": "absent"}),
    ("https_edge_info", {"id": EDGE}),
    ("https_edge_route", {"edge_id": EDGE, **KEY, "state": "absent"}),
    ("tls_edge_ip_restriction", {"edge_id": TLS_EDGE, "state": "absent"}),
    ("tls_edge_info", {"edge_id": TLS_EDGE}),
    ("event_source", {"subscription_id": SUBSCRIPTION, "type": SOURCE, "state": "absent"}),
    ("object", {"collection": "ip_policies", "id": "ipp_1", "state": "absent"}),
    ("object_info", {"collection": "ip_policies", "id": "ipp_1"}),
    ("estate", {"objects": [{"name": "a", "collection": "ip_policies", "id": "ipp_1", "state": "absent"}]}),
]


@pytest.mark.parametrize(("module", "options"), BY_ID, ids=str)
def test_a_page_that_was_not_found_does_not_mean_that_an_object_is_absent(
    tasks: Tasks, module: str, options: dict[str, Any]
) -> None:
    """It comes from a server that is not the service, if `base_url` is wrong, or from one in between."""
    page = Response(404, b"<html>Not found</html>", {"Content-Type": "text/html"})
    with scripted_service(lambda request: page) as elsewhere:
        result = tasks.failed(module, base_url=elsewhere.base_url, **options)
    assert "404 with an HTML page. Check `base_url`" in result["msg"]


@pytest.mark.parametrize(("module", "options"), [BY_ID[6], BY_ID[7], BY_ID[8]], ids=str)
def test_a_collection_that_the_service_does_not_have_is_not_empty(
    tasks: Tasks, module: str, options: dict[str, Any]
) -> None:
    where = {"collection": "reserved_domain", "id": "rd_1"}
    wrong = {"objects": [{**options["objects"][0], **where}]} if module == "estate" else {**options, **where}
    result = tasks.failed(module, **wrong)
    assert "rd_1 does not exist, or the service does not have the collection reserved_domain: GET" in result["msg"]
    assert [request["path"] for request in result["sent"]] == ["/reserved_domain/rd_1", "/reserved_domain"]
    assert [request["path"] for request in tasks.done(module, **options)["sent"]] == ["/ip_policies/ipp_1"]
    anything = [Response(404), as_json({"ip_policies": []})]
    with scripted_service(lambda request: anything[request.number]) as terse:
        assert not tasks.done(module, base_url=terse.base_url, **options)["changed"]


@pytest.mark.parametrize("status", [405, 501])
@pytest.mark.parametrize("name", READS)
def test_nothing_is_written_if_reading_is_not_supported(tasks: Tasks, name: str, status: int) -> None:
    """An object that cannot be read may still exist."""
    seed_edge(tasks)
    module, options = READS[name]
    with scripted_service(responding(tasks, "GET", Response(status), carried_out=False)) as between:
        result = tasks.failed(module, base_url=between.base_url, retries=3, **options)
        assert [request.method for request in between.received] == ["GET"]
    assert str(status) in result["msg"]
