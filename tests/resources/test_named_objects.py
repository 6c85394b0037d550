# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of an estate that it refers to by name: one plan, the order of requests, and what follows from a failure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from cases import cases
from convergence import converges
from module_task import Tasks, methods, received, writes
from places import EDGE, KEY, ROUTE, held_route, seed_edge
from scripted_service import Received, changing, losing

Object = dict[str, Any]


def an_object(name: str, collection: str, find_by: Object | None = None, **body: Any) -> Object:
    return {"name": name, "collection": collection, "find_by": find_by or {"description": name}, "body": body}


OF_OFFICE = {"ip_policy_id": "ref:office", "cidr": "192.0.2.0/24"}
NETWORK = an_object("network", "ip_policy_rules", OF_OFFICE, action="allow")
OFFICE = an_object("office", "ip_policies", {"description": "Office"})
SHOP = an_object("shop", "backends/static", {"address": "shop.internal:443"})
STAFF = an_object("staff", "certificate_authorities", {"description": "Staff"}, ca_pem="x")
TILL = an_object("till", "edges/tls", {"description": "Tills"})
STREAM = an_object("stream", "event_destinations", {"description": "Audit"})
AUDIT = an_object("audit", "event_subscriptions", {"description": "Audit"}, destination_ids=["ref:stream"])
AUDIT["unordered"] = ["destination_ids"]
OBJECTS = [NETWORK, OFFICE, SHOP, STAFF, TILL, STREAM, AUDIT]
RESTRICTION = {"ip_restriction": {"ip_policy_ids": ["ref:office"]}}
TO_SHOP = {**KEY, "backend": {"backend_id": "ref:shop"}, **RESTRICTION}
EDGE_OF_SHOP = {"hostports": ["shop.example.com:443"], "routes": [TO_SHOP, {**TO_SHOP, "match": "/admin"}]}
EDGE_OF_SHOP |= {"description": "ref:nobody", "mutual_tls": {"certificate_authority_ids": ["ref:staff"]}}
ESTATE: Object = {
    "objects": OBJECTS,
    "https_edges": [EDGE_OF_SHOP],
    "tls_edges": [{"edge_id": "ref:till", **RESTRICTION}],
    "event_subscriptions": [{"subscription_id": "ref:audit", "sources": ["domain_created.v0"]}],
}
"""An estate that declares everything to which its edges and subscriptions refer."""

GREEN = an_object("green-v1.2", "backends/tunnel_group", labels={"service": "shop"})
SPLIT = an_object("split", "backends/weighted", backends={"ref:shop": 9, "ref:green-v1.2": 1})
BOTH = an_object("both", "backends/failover", backends=["ref:split", "ref:shop"])
ADDRESS = an_object("office-address", "reserved_addrs")
DATABASE = an_object("my db", "edges/tcp", hostports=["ref:office-address.addr"], backend={"backend_id": "ref:both"})
DOMAIN = an_object("shop domain", "reserved_domains", {"domain": "*.example.com"})
CARD = an_object("card", "edges/tls", ip_restriction={"ip_policy_ids": ["ref:office"]}, hostports=["a.example.com:44"])
MORE = [DATABASE, CARD, BOTH, SPLIT, DOMAIN, GREEN, ADDRESS]
ALL: dict[str, Any] = {**ESTATE, "objects": [*MORE, *OBJECTS], "concurrency": 1}
EARLIER = {  # what is created first, and deleted last
    "backends/static": "backends/weighted",
    "backends/weighted": "backends/failover",
    "backends/failover": "edges/tcp",
    "reserved_addrs": "edges/tcp",
    "reserved_domains": "edges/https",
    "ip_policies": "edges/tls",
    "certificate_authorities": "edges/https",
}


def absent(*objects: Object) -> list[Object]:
    return [{**one, "state": "absent"} for one in objects]


def failing(one: Object) -> Object:
    return {**one, "body": {"colour": "red"}}


def failures(result: Object) -> dict[str, str]:
    return {one["object"]: one["msg"] for one in result["failures"]}


def test_everything_is_built_from_nothing_and_taken_down(tasks: Tasks) -> None:
    digest = tasks.done("estate", check=True, **ALL)["plan_digest"]
    built = tasks.done("estate", **ALL, expect_plan=digest)
    created = [write.removeprefix("POST /") for write in writes(built)]
    assert all(created.index(first) < created.index(then) for first, then in EARLIER.items())
    ids = {name: one["id"] for name, one in built["objects"].items()}
    state = tasks.service.state()
    held = state["objects"]
    assert held["backends/weighted"][0]["backends"] == {ids["shop"]: 9, ids["green-v1.2"]: 1}
    assert held["backends/failover"][0]["backends"] == [ids["split"], ids["shop"]]
    assert held["edges/tcp"][0]["hostports"] == [built["objects"]["office-address"]["addr"]]
    assert state["https_edges"][0]["routes"][0]["backend"]["backend_id"] == ids["shop"]
    again = tasks.done("estate", **ALL)
    read = Counter(one["path"] for one in again["sent"])
    assert (set(methods(again)), set(read.values()), len(read)) == ({"GET"}, {1}, 14 + 2)
    taken_down = {"https_edges": [], "purge": ["edges"], "allow_empty": True, "max_deletions": 15, "concurrency": 1}
    bare = [{name: one[name] for name in ("name", "collection", "find_by")} for one in ALL["objects"]]
    gone = tasks.done("estate", **taken_down, objects=absent(*bare))
    deleted = [write.removeprefix("DELETE /").rpartition("/")[0] for write in writes(gone)]
    assert all(deleted.index(then) < deleted.index(first) for first, then in EARLIER.items())
    assert not any(tasks.service.state().values())


def test_strings_that_only_look_like_references_are_warnings(tasks: Tasks) -> None:
    metadata = {"page_id": "ref:office", "other": "ref:nobody"}
    page = an_object("page", "backends/http_response", {"description": "ref:office"}, metadata=metadata, body="ref:x.y")
    edge = {"hostports": ["a.example.com:443"], "description": "ref:page"}
    for _number in range(2):
        result = tasks.done("estate", objects=[page, OFFICE], https_edges=[edge])
        paths = [one.split(" ", 1)[0] for one in result["warnings"] if "looks like a reference" in one]
        found = ["objects[0].find_by.description", "objects[0].body.metadata.page_id", "https_edges[0].description"]
        assert paths == found
    assert not result["changed"]
    [held] = tasks.service.state()["objects"]["backends/http_response"]
    assert (held["description"], held["metadata"]) == ("ref:office", '{"other":"ref:nobody","page_id":"ref:office"}')


def test_what_refers_to_a_failed_object_is_skipped(tasks: Tasks) -> None:
    wrong = [failing(one) if one is OFFICE else one for one in ALL["objects"]]
    result = tasks.failed("estate", **{**ALL, "objects": wrong})
    skipped = [name for name, message in failures(result).items() if " failed. Fix that failure, " in message]
    kinds = ["object", "object", "https_edge_route", "https_edge_route", "ip_restriction"]
    assert [name.split()[0] for name in skipped] == kinds
    assert "Not created, because object ip_policies office failed." in failures(result)["object edges/tls card"]
    state = tasks.service.state()
    assert (len(state["https_edges"]), state["https_edges"][0]["routes"]) == (1, [])


def test_what_may_still_be_referred_to_is_not_deleted(tasks: Tasks) -> None:
    """Not every service rejects requests to delete what is in use."""
    tasks.done("estate", **ALL)
    gone = absent({**SPLIT, "body": {}}, NETWORK, SHOP, OFFICE)
    result = tasks.failed("estate", objects=[failing(CARD), failing(BOTH), *gone])
    assert [write.split()[0] for write in writes(result)] == ["PATCH"] * 2, result["msg"]
    later = [message for name, message in failures(result).items() if "card" not in name and "both" not in name]
    assert [one.startswith("Not deleted, because object ") for one in later] == [True] * 4
    edges = [{"id": "edghts_unknown", "routes": []}]
    for check in (True, False):
        result = tasks.failed("estate", check, https_edges=edges, objects=absent(SHOP))
        assert (writes(result), result["operations"]) == ([], [])
        assert "Not deleted, because https_edge (edghts_unknown) failed." in result["msg"]


@pytest.mark.parametrize("order", [1, -1])
def test_what_refers_to_another_object_is_deleted_first_if_no_list_shows_that(tasks: Tasks, order: int) -> None:
    tasks.done("estate", objects=[STREAM, AUDIT])

    def without_destinations(request: Received, page: Any) -> Any:
        if request.path == "/event_subscriptions":
            del page["event_subscriptions"][0]["destinations"]
        return page

    gone = absent({**AUDIT, "body": {}}, {**STREAM, "body": {}})[::order]
    instead = changing(tasks.service.base_url, without_destinations)
    deleted = received(tasks.done("estate", instead=instead, objects=gone), "DELETE")
    assert [one.split("/")[1] for one in deleted] == ["event_subscriptions", "event_destinations"]


def test_a_field_that_the_service_sets_inside_of_another_one_can_be_referred_to(tasks: Tasks) -> None:
    def with_binding(_request: Received, made: Any) -> Any:
        return {**made, "binding": {"addr": made["addr"]}} if "addr" in made else made

    database = an_object("db", "edges/tcp", hostports=["ref:office-address.binding.addr"])
    instead = changing(tasks.service.base_url, with_binding)
    objects = tasks.done("estate", instead=instead, objects=[database, ADDRESS])["objects"]
    [held] = tasks.service.state()["objects"]["edges/tcp"]
    assert held["hostports"] == [objects["office-address"]["addr"]]


def test_objects_do_not_wait_for_what_only_looks_as_if_they_refer_to_it(tasks: Tasks) -> None:
    found_by = {"ip_restriction": RESTRICTION["ip_restriction"]}
    edges = [an_object(name, "edges/tls", {**found_by, "description": name}) for name in ("one", "two")]
    converges(tasks, "estate", objects=[*edges, OFFICE])
    # A name may begin with that of an object that goes.
    network = {**NETWORK, "find_by": {**OF_OFFICE, "ip_policy_id": "ref:office.eu"}}
    gone = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Old"}, "state": "absent"}
    converges(tasks, "estate", objects=[{**OFFICE, "name": "office.eu"}, network, gone])


def test_two_declarations_that_find_the_same_object_both_fail(tasks: Tasks) -> None:
    tasks.service.seed(objects={"ip_policies": [{"description": "Office", "metadata": "x"}]})
    gone = {"name": "gone", "collection": "ip_policies", "find_by": {"metadata": "x"}, "state": "absent"}
    for check in (True, False):
        result = tasks.failed("estate", check, objects=[gone, {**OFFICE, "body": {"metadata": "new"}}, NETWORK])
        assert "gone and office are the same object in ip_policies" in result["msg"]
        assert (writes(result), len(result["failures"])) == ([], 3)


@pytest.mark.parametrize(
    ("domain", "hostport"), [("shop.example.com", "shop.example.com:443"), ("*.example.com", "Shop.example.com:443")]
)
def test_an_edge_waits_for_its_domain(tasks: Tasks, domain: str, hostport: str) -> None:
    """A service may reject hostports that are not reserved. The reference service does so for equal names."""
    tasks.service.switches(unreserved_hostports="accepted" if domain[0] == "*" else "refused")
    objects = [an_object("domain", "reserved_domains", {"domain": domain})]
    built = converges(tasks, "estate", objects=objects, https_edges=[{"hostports": [hostport]}])
    assert writes(built) == ["POST /reserved_domains", "POST /edges/https"]
    gone = tasks.done("estate", objects=absent(*objects), https_edges=[], purge=["edges"], allow_empty=True)
    assert [write.split("/")[1] for write in writes(gone)] == ["edges", "reserved_domains"]


def test_a_field_that_an_object_does_not_have_is_never_sent_as_a_string(tasks: Tasks) -> None:
    wrong = {**DATABASE, "body": {"hostports": ["ref:office-address.address"]}}
    for check, written in ((False, ["POST /reserved_addrs"]), (True, []), (False, [])):
        result = tasks.failed("estate", check, objects=[wrong, ADDRESS])
        assert "ref:office-address.address: the object office-address has no string in address." in result["msg"]
        assert "Set another field; it has addr, created_at, description, id, region, and uri." in result["msg"]
        assert writes(result) == written


def test_an_edge_is_not_created_without_its_domain(tasks: Tasks) -> None:
    tasks.service.seed(objects={"reserved_domains": [{"description": "shop"}] * 2})
    domain = an_object("domain", "reserved_domains", {"description": "shop"}, domain="shop.example.com")
    till = an_object("till", "edges/tls", hostports=["shop.example.com:8443"])
    behind = an_object("behind it", "backends/static", address="shop.example.com:443")
    edges = [{"hostports": ["shop.example.com:443"]}]
    result = tasks.failed("estate", objects=[domain, till, behind], https_edges=edges)
    assert len(failures(result)) == 3
    message = failures(result)["object edges/tls till"]
    assert message.startswith("Not created, because object reserved_domains domain failed")
    assert writes(result) == ["POST /backends/static"]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("other", "is_new"), [("ref:shop.id", True), ("ref:shop.id", False), ("bkdst_blue", False)])
def test_two_keys_that_are_the_same_object(tasks: Tasks, other: str, is_new: bool, check: bool) -> None:
    live = {"id": "bkdst_blue", "address": "shop.internal:443"}
    tasks.service.seed(objects={"backends/static": [] if is_new else [live]})
    split = an_object("split", "backends/weighted", backends={"ref:shop": 9, other: 1})
    result = tasks.failed("estate", check, objects=[SHOP, split])
    assert "body.backends: two of the keys are the same object; remove one of them" in result["msg"]
    assert "backends/weighted" not in tasks.service.state()["objects"]


# The objects that are declared, and the one option error.
WRONG = cases(
    """
    an unknown name    | [*network] | "objects[0].find_by.ip_policy_id: no object has the name 'office'"
    an unknown key     | [*split, *shop] | "objects[0].body.backends.ref:green-v1.2: no object has the name 'green"
    an unknown field   | [*DATABASE, *both, *split, *shop, *GREEN]
                       | "hostports[0]: no object has the name 'office-address.addr"
    a similar name     | [{<<: *office, name: offices}, *network] | 'did you mean `ref:offices`?'
    the same name      | [*office, {<<: *shop, name: office}] | 'objects[1]: office is already declared in objects[0]'
    the same object    | [*office, *TWIN] | 'objects[1]: is the same object as objects[0]'
    the same number    | [{<<: *office, find_by: {size: 1}}, {<<: *TWIN, find_by: {size: 1.0}}] | *IS_THE_FIRST
    the same metadata  | [{<<: *office, find_by: {metadata: '{"a": 1, "b": 2}'}}, {<<: *TWIN, find_by: *A_AND_B}]
                       | *IS_THE_FIRST
    the same domain    | [*DOMAIN, {<<: *DOMAIN, name: b, find_by: {domain: shop.example}}] | *IS_THE_FIRST
    the same set       | [{<<: *SET, find_by: {cidrs: [a, b]}}, {<<: *SET, name: b, find_by: {cidrs: [b, a, b]}}]
                       | *IS_THE_FIRST
    found instead      | [{<<: *TWIN, find_by: {metadata: x}}, {<<: *office, body: {metadata: x}}]
                       | 'objects[0].find_by: also matches objects[1]; set more fields'
    deleted instead    | [{<<: *TWIN, find_by: {metadata: x}, state: absent}, {<<: *office, body: {metadata: x}}]
                       | 'objects[0].find_by: also matches objects[1], so the next run could delete that one; set more'
    spelled otherwise  | [{<<: *till, find_by: {hostports: ["B.example:44", "a.example:44"]}, state: absent}, *AB]
                       | 'objects[0].find_by: also matches objects[1], so the next run could delete that one; set more'
    one of several | [*GONE, {<<: *GONE, name: b, find_by: {metadata: x, size: 1}}, {<<: *office, body: {metadata: x}}]
                       | 'objects[0].find_by: also matches objects[2], so the next run could delete that one; set more'
    a reference as ID  | [*office, {name: again, collection: ip_policies, id: 'ref:office'}]
                       | 'objects[1].id: is a reference to an object that is declared already'
    a circle           | [{<<: *office, body: {page_id: 'ref:shop'}}, {<<: *shop, body: {policy_id: 'ref:office'}}]
                       | 'objects: the objects refer to each other in a circle: '
    itself             | [{<<: *split, body: {backends: {'ref:split': 1}}}] | 'in a circle: split -> split'
    one that goes      | [{<<: *office, state: absent}, *network] | 'the object office has `state: absent`'
    a key that goes    | [*split, *GREEN, {<<: *shop, state: absent}] | 'the object shop has `state: absent`'
    a bad name         | [{<<: *office, name: the/office}] | "objects[0].name: 'the/office' is not a name"
    nothing but false  | [{<<: *office, find_by: {x: {public: false}}}] | 'objects[0].find_by: false and 0 also'
    its own options    | [{<<: *office, find_by: {description: ''}}] | 'objects[0].find_by.description: is empty'
    """,
    **{one["name"]: one for one in (NETWORK, OFFICE, SHOP, SPLIT, BOTH, TILL)},
    AB={**CARD, "body": {"hostports": ["a.example:44", "b.example:44"]}},
    GREEN=GREEN,
    DATABASE=DATABASE,
    TWIN={**OFFICE, "name": "twin"},
    A_AND_B={"metadata": {"b": 2, "a": 1}},
    IS_THE_FIRST="objects[1]: is the same object as objects[0]",
    DOMAIN={"name": "a", "collection": "reserved_domains", "find_by": {"domain": "Shop.example"}},
    SET={**OFFICE, "unordered": ["cidrs"]},
    GONE={**OFFICE, "name": "gone", "find_by": {"metadata": "x"}, "state": "absent"},
)


def test_an_object_may_match_another_one_that_goes_or_get_what_that_has(tasks: Tasks) -> None:
    office = {**OFFICE, "body": {"metadata": "x"}}
    twin = {"name": "twin", "collection": "ip_policies", "id": "ipp_twin", "state": "absent"}
    tasks.done("estate", True, objects=[twin, office])
    gone = {"name": "gone", "collection": "ip_policies", "find_by": {"metadata": "y"}, "state": "absent"}
    tasks.done("estate", True, objects=[gone, office, {**twin, "body": office["body"]}])


# The body of an object that is declared next to a shop and an address, and the option error below it.
MISPLACED = cases("""
    in a URL            | {url: 'tcp://ref:office-address.addr'} | 'url: contains ref:office-address.addr, which'
    in a hostport       | {hostports: ['ref:office-address.addr:443']} | 'hostports[0]: contains ref:office-address.'
    in an expression    | {rules: [{if: ["ip in 'ref:shop'"]}]} | 'rules[0].if[0]: contains ref:shop, which'
    in an ID with more  | {collection_id: 'x/ref:other'} | 'collection_id: contains ref:other, which'
    after a blank       | {backend_id: 'ref: shop'} | 'backend_id: write ref:shop without'
    with blanks, listed | {backend_ids: [' ref :shop ']} | 'backend_ids[0]: write ref:shop without'
    without quotes      | {yaml_id: {ref: shop}} | 'yaml_id: write ref:shop without'
""")
# What is declared next to all objects, and the option error.
OF_EDGES = cases(
    """
    an unknown edge  | {tls_edges: [{edge_id: 'ref:tills'}]} | "name 'tills'; did you mean `ref:till`?"
    another kind     | {tls_edges: [{edge_id: 'ref:office'}]} | "tls_edges[0].edge_id: 'ipp_office' is the ID of"
    in a list        | {https_edges: [{hostports: ['ref:shop.domain']}]}
                     | 'https_edges[0].hostports[0]: ref:shop.domain is a reference, which an HTTPS edge'
    a blank          | {backend: {backend_id: 'ref: shop'}} | *PATH | 'backend.backend_id: write ref:shop without'
    a dictionary     | {ip_restriction: {ip_policy_ids: [{ref: office}]}} | *PATH
                     | 'ip_restriction.ip_policy_ids[0]: expected a string, got a dictionary; write ref:office without'
    in a policy      | {policy: {inbound: [{expressions: ["'ref:shop' == x"]}]}} | *PATH
                     | 'policy.inbound[0].expressions[0]: contains ref:shop, which'
    """,
    PATH="https_edges[0].routes[0].",
)


def wrong_estates() -> Iterator[tuple[Object, str]]:
    for objects, message in WRONG.values():
        yield {"objects": objects}, message
    for body, message in MISPLACED.values():
        yield {"objects": [ADDRESS, SHOP, an_object("other", "x", **body)]}, f"objects[2].body.{message}"
    for declared, *message in OF_EDGES.values():
        edge = {"hostports": ["a.example.com:443"], "routes": [{**KEY, **declared}]}
        yield {"objects": OBJECTS, **(declared if len(message) == 1 else {"https_edges": [edge]})}, "".join(message)


@pytest.mark.parametrize(("declared", "message"), list(wrong_estates()), ids=[*WRONG, *MISPLACED, *OF_EDGES])
def test_wrong_references_are_option_errors(tasks: Tasks, declared: Object, message: str) -> None:
    result = tasks.failed("estate", **declared)
    assert message in result["msg"]
    assert (result["sent"], len(result["option_errors"])) == ([], 1), result["option_errors"]


@pytest.mark.parametrize("name", ["", "the/office"])
def test_what_is_no_name_replaces_nothing_and_is_not_suggested(tasks: Tasks, name: str) -> None:
    office, till = {**OFFICE, "name": name}, {**TILL, "body": {"hostports": ["a b"], "backend_id": "ref:nope"}}
    for objects, known in (([office, till], "till"), ([{**office, "body": {"page_id": "ref:nope"}}], "")):
        found = tasks.failed("estate", objects=objects)["option_errors"]
        ending = f"the names are {known}" if known else "none of the objects has a valid name"
        assert [one for one in found if one.endswith(f"no object has the name 'nope'; {ending}")], found
        assert [one for one in found if "'a b'" in one] or not known, found
        assert "'ipp_" not in str(found)


@pytest.mark.parametrize("purge", [[], ["modules"]])
def test_what_two_parts_of_the_task_would_undo_for_each_other(tasks: Tasks, purge: list[str]) -> None:
    module = {} if purge else {"ip_restriction": {"ip_policy_ids": ["ipp_1"]}}
    bodies = {"till": {"ip_restriction": {"ip_policy_ids": ["ipp_2"]}}, "audit": {"sources": []}}
    objects = [{**one, "body": {**one.get("body", {}), **bodies.get(one["name"], {})}} for one in OBJECTS]
    members = {"tls_edges": [{"edge_id": "ref:till", **module}], "event_subscriptions": ESTATE["event_subscriptions"]}
    result = tasks.failed("estate", objects=objects, purge=purge, **members)
    assert "objects[4].body.ip_restriction: tls_edges[0] manages it as well; declare it in one" in result["msg"]
    assert "objects[6].body.sources: event_subscriptions[0] manages it as well" in result["msg"]
    assert (result["sent"], len(result["option_errors"])) == ([], 2)


@pytest.mark.parametrize("sending", [{"always_send": ["ip_restriction"]}, {"update_method": "PUT"}], ids=str)
def test_an_update_must_not_undo_what_another_plan_does(tasks: Tasks, sending: dict[str, Any]) -> None:
    edge = {"id": "edgtls_card", "metadata": "x", "ip_restriction": {"ip_policy_ids": ["ipp_2"]}}
    tasks.service.seed(tls_edges=[edge])
    modules = [{"edge_id": "ref:card", "ip_restriction": {"ip_policy_ids": ["ipp_1"]}}]
    card = {"name": "card", "collection": "edges/tls", "id": "edgtls_card", **sending}
    [option] = sending
    for check in (True, False):
        result = tasks.failed("estate", check, objects=[{**card, "body": {"metadata": "y"}}], tls_edges=modules)
        error = (
            f"`{option}` makes the update undo what `tls_edges` does with ip_restriction. Declare this in one of the"
        )
        assert error in result["msg"]
    converges(tasks, "estate", objects=[{**card, "body": {"metadata": "x"}}], tls_edges=modules)


def test_what_refers_to_an_object_gets_its_id_even_if_the_response_is_lost(tasks: Tasks) -> None:
    """The object is found by a read then, and everything after it is planned again."""
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, "backend": {"backend_id": "bkd_one"}}])
    route = {**KEY, "ip_restriction": {"ip_policy_ids": ["ref:office"]}}
    options = {"objects": [OFFICE], "https_edges": [{"id": EDGE, "routes": [route]}]}
    done = tasks.done("estate", instead=losing(tasks.service.base_url, "POST"), **options, retries=2)
    assert held_route(tasks)["ip_restriction"]["ip_policy_ids"] == [done["objects"]["office"]["id"]]
    assert not tasks.done("estate", **options)["changed"]


KINESIS = {"kinesis": {"stream_arn": "arn:one", "auth": {"role": {"role_arn": "arn:two"}}}}
EXPORTED: dict[str, Any] = {
    **ESTATE,
    "objects": [
        *OBJECTS,
        an_object("page", "backends/http_response", {"body": "closed"}),
        an_object("both", "backends/failover", {"description": "Both of them!"}, backends=["ref:shop", "ref:page"]),
        an_object("other", "ip_policy_rules", {**OF_OFFICE, "cidr": "198.51.100.0/24"}, action="deny"),
        an_object("kinesis", "event_destinations", {"description": "Stream"}, target=KINESIS),
    ],
}


def exported(tasks: Tasks) -> dict[str, Any]:
    state = tasks.service.state()
    ids = {name: [one["id"] for one in state[name]] for name in ("tls_edges", "event_subscriptions")}
    collections = dict.fromkeys(one["collection"] for one in EXPORTED["objects"])
    live: dict[str, Any] = tasks.done("estate_info", objects=list(collections), **ids)["estate"]
    return live


@pytest.mark.parametrize(
    "switches", [{}, {"references": "ids"}, {"defaults": "omitted"}, {"empty_lists": "null", "empty_text": "missing"}]
)
def test_an_export_with_objects_builds_the_same_elsewhere(tasks: Tasks, switches: dict[str, Any]) -> None:
    tasks.service.switches(**switches)
    tasks.done("estate", **EXPORTED, concurrency=1)
    live = exported(tasks)
    assert set(methods(tasks.done("estate", **live))) == {"GET"}
    assert live["https_edges"][0]["routes"][0]["backend"]["backend_id"] == "ref:backends_static"
    assert live["tls_edges"][0]["edge_id"] == "ref:tills"
    assert [one["unordered"] for one in live["objects"] if "unordered" in one] == [["destination_ids"]]
    tasks.service.reset()
    tasks.service.switches(**switches)
    converges(tasks, "estate", **live, concurrency=1)
    one, other = (
        {**each, "objects": {each["name"]: each for each in each["objects"]}} for each in (live, exported(tasks))
    )
    assert one == other


# What is declared by the name of an object, and again by its ID, which shows only when the object is found.
BY_NAME_AND_ID = cases(
    """
    modules | {tls_edges: [{edge_id: ref:till, <<: *OPEN}, {edge_id: edgtls_till, <<: *OPEN}]}
        | 'tls_edges[1]: edgtls_till is already declared in tls_edges[0]'
    sources
        | {event_subscriptions: [{subscription_id: ref:audit, sources: [*A]}, {subscription_id: esb_a, sources: [*B]}]}
        | 'event_subscriptions[1]: esb_a is already declared in event_subscriptions[0]'
    a module of an object | {tls_edges: [{edge_id: edgtls_card, <<: *OPEN}]}
        | 'objects[3].body.ip_restriction: tls_edges[0] manages it as well'
    what belongs to an object that is deleted | {tls_edges: [{edge_id: edgtls_old, <<: *OPEN}]}
        | 'tls_edges[0].edge_id: the object old has `state: absent`'
    a new object | {objects: [*OFFICE, *NETWORK, {<<: *NETWORK, name: again, find_by: *FOUND}]}
        | 'objects[2]: is the same object as objects[1]'
    """,
    OPEN={"ip_restriction": {"ip_policy_ids": ["ipp_other"]}},
    A="domain_created.v0",
    B="domain_updated.v0",
    OFFICE=OFFICE,
    NETWORK=NETWORK,
    FOUND={"ip_policy_id": "ipp_office", "cidr": "192.0.2.0/24"},
)


@pytest.mark.parametrize(("given", "error"), BY_NAME_AND_ID.values(), ids=BY_NAME_AND_ID)
def test_what_is_declared_by_name_must_not_be_declared_by_id_as_well(tasks: Tasks, given: Object, error: str) -> None:
    card = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
    tasks.service.seed(
        objects={"ip_policies": [{"id": "ipp_office", "description": "Office"}]},
        tls_edges=[{"id": f"edgtls_{one}", "description": one} for one in ("till", "card", "old")],
    )
    audit = tasks.done("estate", objects=[STREAM, AUDIT])["objects"]["audit"]["id"]
    old = {**an_object("old", "edges/tls"), "state": "absent"}
    objects = [an_object("till", "edges/tls"), {**AUDIT, "body": {}}, old, an_object("card", "edges/tls", **card)]
    result = tasks.failed("estate", **json.loads(json.dumps({"objects": objects, **given}).replace("esb_a", audit)))
    assert error.replace("esb_a", audit) in result["msg"]
    assert writes(result) == []
