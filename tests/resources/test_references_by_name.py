# SPDX-License-Identifier: GPL-3.0-or-later
"""References by name in lists, keys, and hostports, and to other fields than the ID: `ref:NAME.field`."""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, methods, writes

Object = dict[str, Any]


def an_object(name: str, collection: str, find_by: Object | None = None, **body: Any) -> Object:
    return {"name": name, "collection": collection, "find_by": find_by or {"description": name}, "body": body}


BLUE = an_object("blue backend", "backends/static", address="blue.internal:443")
GREEN = an_object("green-v1.2", "backends/tunnel_group", labels={"service": "shop"})
SPLIT = an_object("split", "backends/weighted", backends={"ref:blue backend": 9, "ref:green-v1.2": 1})
BOTH = an_object("both", "backends/failover", backends=["ref:split", "ref:blue backend"])
ADDRESS = an_object("office-address", "reserved_addrs")
DATABASE = an_object(
    "database",
    "edges/tcp",
    hostports=["ref:office-address.addr"],
    backend={"backend_id": "ref:both"},
)
DOMAIN = an_object("shop domain", "reserved_domains", {"domain": "shop.example.com"})
TILL = an_object("till", "edges/tls", hostports=["shop.example.com:8443"])
ALL = [DATABASE, TILL, BOTH, SPLIT, DOMAIN, GREEN, ADDRESS, BLUE]


def absent(objects: list[Object]) -> list[Object]:
    return [{**one, "state": "absent"} for one in objects]


def test_everything_is_built_from_nothing_and_taken_down(tasks: Tasks) -> None:
    tasks.service.switches(unreserved_hostports="refused")
    built = converges(tasks, "estate", objects=ALL)
    created = [write.removeprefix("POST /") for write in writes(built)]
    for earlier, later in (
        ("backends/static", "backends/weighted"),
        ("backends/weighted", "backends/failover"),
        ("backends/failover", "edges/tcp"),
        ("reserved_addrs", "edges/tcp"),
        ("reserved_domains", "edges/tls"),
    ):
        assert created.index(earlier) < created.index(later)
    ids = {name: one["id"] for name, one in built["objects"].items()}
    held = tasks.service.state()["objects"]
    assert held["backends/weighted"][0]["backends"] == {ids["blue backend"]: 9, ids["green-v1.2"]: 1}
    assert held["backends/failover"][0]["backends"] == [ids["split"], ids["blue backend"]]
    assert held["edges/tcp"][0]["hostports"] == [built["objects"]["office-address"]["addr"]]
    assert methods(tasks.done("estate", objects=ALL)) == ["GET"] * 8
    gone = converges(tasks, "estate", objects=absent(ALL))
    deleted = [write.removeprefix("DELETE /").rpartition("/")[0] for write in writes(gone)]
    assert deleted.index("edges/tcp") < deleted.index("reserved_addrs")
    assert deleted.index("edges/tls") < deleted.index("reserved_domains")
    state = tasks.service.state()
    assert (state["objects"], state["tls_edges"]) == ({}, [])


def test_check_mode_shows_what_is_not_known_yet(tasks: Tasks) -> None:
    dry = tasks.done("estate", check=True, objects=ALL)
    after = {entry["object"]: entry["after"] for entry in dry["plan"]}
    assert after["object backends/weighted split"]["backends"] == {
        "new_blue~backend_would-be-created": 9,
        "new_green-v1.2_would-be-created": 1,
    }
    assert after["object edges/tcp database"]["hostports"] == ["new_office-address.addr_would-be-created"]


def test_references_in_a_set_are_compared_in_any_order(tasks: Tasks) -> None:
    """The IDs of new objects are in another order than the names of these."""
    policies = [an_object(f"policy{number}", "ip_policies") for number in range(8)]
    restriction = {"ip_policy_ids": [f"ref:{policy['name']}" for policy in policies]}
    routes = [{"match_type": "path_prefix", "match": "/", "ip_restriction": restriction}]
    edges = [{"hostports": ["shop.example.com:443"], "routes": routes}]
    converges(tasks, "estate", objects=policies, https_edges=edges)


@pytest.mark.parametrize("domain", ["shop.example.com", "*.example.com"])
def test_an_edge_waits_for_its_domain(tasks: Tasks, domain: str) -> None:
    """A service rejects hostports that are not reserved."""
    objects = [an_object("domain", "reserved_domains", {"domain": domain})]
    edges = [{"hostports": ["Shop.example.com:443"], "routes": []}]
    if domain.startswith("shop"):
        tasks.service.switches(unreserved_hostports="refused")
        edges = [{"hostports": ["shop.example.com:443"], "routes": []}]
    built = converges(tasks, "estate", objects=objects, https_edges=edges)
    assert writes(built) == ["POST /reserved_domains", "POST /edges/https"]
    gone = tasks.done("estate", objects=absent(objects), https_edges=[], purge=["edges"], allow_empty=True)
    assert [write.split("/")[1] for write in writes(gone)] == ["edges", "reserved_domains"]


def test_an_edge_is_not_created_without_its_domain(tasks: Tasks) -> None:
    tasks.service.seed(objects={"reserved_domains": [{"description": "shop"}] * 2})
    domain = an_object("shop domain", "reserved_domains", {"description": "shop"}, domain="shop.example.com")
    edges = [{"hostports": ["shop.example.com:443"]}]
    behind = an_object("behind it", "backends/static", address="shop.example.com:443")
    result = tasks.failed("estate", objects=[domain, TILL, behind], https_edges=edges)
    failures = {one["object"]: one["msg"] for one in result["failures"]}
    assert len(failures) == 3
    assert failures["object edges/tls till"].startswith(
        "Not created, because object reserved_domains shop domain failed"
    )
    assert writes(result) == ["POST /backends/static"]


def test_a_field_of_a_live_object(tasks: Tasks) -> None:
    tasks.done("estate", objects=[ADDRESS])
    both = {**DATABASE, "body": {"hostports": ["ref:office-address.addr"]}}
    built = converges(tasks, "estate", objects=[both, ADDRESS], unchanged="states")
    [edge] = tasks.service.state()["objects"]["edges/tcp"]
    assert edge["hostports"] == [built["objects"]["office-address"]["addr"]]
    wrong = {**DATABASE, "body": {"hostports": ["ref:office-address.address"]}}
    for check in (True, False):
        result = tasks.failed("estate", check, objects=[wrong, ADDRESS])
        assert "ref:office-address.address: the object office-address has no string in address." in result["msg"]
        assert "Set another field; it has addr, created_at, description, id, region, and uri." in result["msg"]
        assert writes(result) == []


def test_a_reference_to_a_field_that_is_not_returned_is_never_sent_as_a_string(tasks: Tasks) -> None:
    wrong = {**DATABASE, "body": {"hostports": ["ref:office-address.address"]}}
    result = tasks.failed("estate", objects=[wrong, ADDRESS])
    known = "Set another field; it has addr, created_at, description, id, region, and uri."
    assert f"ref:office-address.address: the object office-address has no string in address. {known}" in result["msg"]
    assert writes(result) == ["POST /reserved_addrs"]


def test_a_reference_in_the_hostports_of_an_https_edge_is_named_as_it_was_written(tasks: Tasks) -> None:
    result = tasks.failed("estate", objects=[DOMAIN], https_edges=[{"hostports": [f"ref:{DOMAIN['name']}.domain"]}])
    [error] = result["option_errors"]
    assert error.startswith(
        f"https_edges[0].hostports[0]: ref:{DOMAIN['name']}.domain is a reference, which an HTTPS edge"
    )


def test_texts_that_only_look_like_references_are_warnings(tasks: Tasks) -> None:
    page = an_object("page", "backends/http_response", {"description": "ref:till"}, body="Ask for ref:nobody")
    text_fields = {"metadata": {"page_id": "ref:till", "other": "ref:nobody"}}
    edge = {"hostports": ["a.example.com:443"], "description": "ref:page"}
    found = [page, {**TILL, "body": {**TILL["body"], **text_fields}}, DOMAIN]
    for check in (True, False):
        warnings = tasks.done("estate", check, objects=found, https_edges=[edge])["warnings"]
        paths = [warning.split(" ", 1)[0] for warning in warnings if "looks like a reference" in warning]
        assert paths == [
            "objects[0].find_by.description",
            "objects[1].body.metadata.page_id",
            "https_edges[0].description",
        ]


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([SPLIT, BLUE], "objects[0].body.backends.ref:green-v1.2: no object has the name 'green-v1.2'"),
        ([DATABASE, BOTH, SPLIT, BLUE, GREEN], "hostports[0]: no object has the name 'office-address.addr'"),
        ([BOTH, SPLIT, GREEN, {**BLUE, "state": "absent"}], "the object blue backend has `state: absent`"),
        ([{**BLUE, "name": " blue"}], "objects[0].name: ' blue' is not a name"),
        ([{**SPLIT, "body": {"backends": {"ref:split": 1}}}], "in a circle: split -> split"),
        *(
            ([ADDRESS, an_object("other", "endpoints", **body)], f"objects[1].body.{where}: contains {leftover}, which")
            for body, where, leftover in (
                ({"url": "tcp://ref:office-address.addr"}, "url", "ref:office-address.addr"),
                ({"hostports": ["ref:office-address.addr:443"]}, "hostports[0]", "ref:office-address.addr"),
                ({"body": "ref:office-address"}, "body", "ref:office-address"),
                (
                    {"rules": [{"expressions": ["ip in 'ref:office-address'"]}]},
                    "rules[0].expressions[0]",
                    "ref:office-address",
                ),
                ({"collection_id": "x/ref:other"}, "collection_id", "ref:other"),
            )
        ),
        *(
            ([BLUE, an_object("other", "x", **body)], f"objects[1].body.{where}: write ref:blue backend without")
            for body, where in (
                ({"backend_id": "ref: blue backend"}, "backend_id"),
                ({"backend_ids": [" ref :blue backend "]}, "backend_ids[0]"),
                # YAML without quotes.
                ({"backend_id": {"ref": "blue backend"}}, "backend_id"),
            )
        ),
    ],
)
def test_wrong_references_are_errors_before_any_request(tasks: Tasks, objects: list[Object], message: str) -> None:
    result = tasks.failed("estate", objects=objects)
    assert message in result["msg"]
    assert result["sent"] == []


@pytest.mark.parametrize(
    ("edge", "error"),
    [
        ({"backend": {"backend_id": "ref: blue backend"}}, "backend.backend_id: write ref:blue backend without"),
        (
            {"ip_restriction": {"ip_policy_ids": [{"ref": "blue backend"}]}},
            "ip_restriction.ip_policy_ids[0]: expected a string, got a dictionary; write ref:blue backend without",
        ),
        (
            {"policy": {"inbound": [{"expressions": ["'ref:blue backend' == x"]}]}},
            "policy.inbound[0].expressions[0]: contains ref:blue backend, which",
        ),
    ],
)
def test_wrong_references_in_edges_are_one_error_each(tasks: Tasks, edge: Object, error: str) -> None:
    route = {"match_type": "path_prefix", "match": "/", **edge}
    edges = [{"hostports": ["a.example.com:443"], "routes": [route]}]
    result = tasks.failed("estate", objects=[BLUE], https_edges=edges)
    [found] = result["option_errors"]
    assert found.startswith(f"https_edges[0].routes[0].{error}")
    assert result["sent"] == []


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("other", "is_new"), [("ref:blue backend.id", True), ("ref:blue backend.id", False), ("bkdst_blue", False)]
)
def test_two_keys_that_are_the_same_object(tasks: Tasks, other: str, is_new: bool, check: bool) -> None:
    if not is_new:
        tasks.service.seed(objects={"backends/static": [{"id": "bkdst_blue", "address": "blue.internal:443"}]})
    blue = {**BLUE, "find_by": {"address": "blue.internal:443"}, "body": {}}
    split = an_object("split", "backends/weighted", backends={"ref:blue backend": 9, other: 1})
    result = tasks.failed("estate", check, objects=[blue, split])
    assert "body.backends: two of the keys are the same object; remove one of them" in result["msg"]
    assert "backends/weighted" not in tasks.service.state()["objects"]


def test_only_an_estate_knows_names(tasks: Tasks) -> None:
    for one, where in ((SPLIT, "backends.ref:blue backend"), (BOTH, "backends[0]"), (DATABASE, "hostports[0]")):
        options = {name: value for name, value in one.items() if name != "name"}
        assert f"body.{where}: ref:" in tasks.failed("object", **options)["msg"]
