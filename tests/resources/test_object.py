# SPDX-License-Identifier: GPL-3.0-or-later
"""The module for objects of any collection: how it finds, creates, compares, updates, and deletes one, also in every
collection that services are known to have, which fields never change, and hostports that compare as those of edges do.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from amount import first_alone
from ansible_collections.edgeops.ingress.plugins.module_utils._model.free_form import CONSTANT_FIELDS
from ansible_collections.edgeops.ingress.plugins.module_utils._values.identifiers import own_module
from cases import cases
from convergence import converges
from module_task import WRITES, Given, Tasks, methods, received, writes
from real_collections import SAMPLES, with_id
from scripted_service import Response, as_json, in_turn, rejecting
from served_names import hostports

OFFICE: Given = {"collection": "ip_policies", "find_by": {"description": "Office"}}


def seed(tasks: Tasks, collection: str, *objects: Given) -> None:
    tasks.service.seed(objects={collection: list(objects)})


def test_create_update_and_delete(tasks: Tasks) -> None:
    one, other = ({"description": "Office", "metadata": text} for text in ('{"team":"network"}', "x"))
    created = converges(tasks, "object", **OFFICE, body={"metadata": {"team": "network"}})
    assert (methods(created), created["sent"][-1]["body"]) == (["GET", "POST"], one)
    assert [created["object"]["id"]] == [office["id"] for office in tasks.service.state()["objects"]["ip_policies"]]
    updated = converges(tasks, "object", **OFFICE, body={"metadata": "x"})
    assert (methods(updated), updated["sent"][-1]["body"]) == (["GET", "PATCH"], {"metadata": "x"})
    assert (updated["diff"]["before"], updated["diff"]["after"]) == (one, other)
    deleted = converges(tasks, "object", **OFFICE, state="absent")
    assert (methods(deleted), deleted["diff"]["before"], deleted["object"]) == (["GET", "DELETE"], other, None)


# The rules of a traffic policy, which may be a dictionary, and what is sent of them.
RULES: Any = {"on_http_request": [{"actions": [{"type": "deny"}]}]}
AS_JSON = '{"on_http_request":[{"actions":[{"type":"deny"}]}]}'
POLICIES: list[tuple[str, Given, Any, Any]] = [
    ("endpoints", {"url": "https://a.example.com", "type": "cloud"}, RULES, AS_JSON),
    ("edges/tcp", {}, {"enabled": True, "value": RULES}, {"enabled": True, "value": AS_JSON}),
    ("edges/tcp", {}, {"value": AS_JSON}, {"value": AS_JSON}),
]


@pytest.mark.parametrize(("collection", "body", "policy", "sent"), POLICIES)
def test_traffic_policies_as_dictionaries(tasks: Tasks, collection: str, body: Given, policy: Any, sent: Any) -> None:
    one = {"collection": collection, "find_by": {"description": "Policy"}, "body": {**body, "traffic_policy": policy}}
    [request] = [one for one in converges(tasks, "object", **one)["sent"] if one["method"] == "POST"]
    assert request["body"]["traffic_policy"] == sent


PAGE: Given = {"collection": "backends/http_response", "find_by": {"description": "Closed"}}


def test_only_what_is_declared_is_sent(tasks: Tasks) -> None:
    headers = {"Retry-After": "60", "X-Other": "kept"}
    seed(tasks, PAGE["collection"], {"description": "Closed", "headers": headers, "body": "old", "status_code": 503})
    # The list may leave out what it does not have, so the object is read as well.
    unknown = {"unknown": [], "also": {}, "more": False, "number": 0}
    assert methods(tasks.done("object", **PAGE, body=unknown)) == ["GET", "GET"]
    changed = tasks.done("object", **PAGE, body={"headers": {"Retry-After": "30"}, "body": "old"})
    assert changed["operations"][0]["reason"] == "differs: headers.Retry-After"
    assert changed["sent"][-1]["body"] == {"headers": {"Retry-After": "30"}}


def test_the_result_has_all_fields_of_the_service(tasks: Tasks) -> None:
    dry = tasks.done("object", check=True, **PAGE, body={"body": "new"})["object"]
    assert re.fullmatch(r"new_\w+_would-be-created", dry.pop("id"))
    assert dry == {"description": "Closed", "body": "new"}
    real = tasks.done("object", **PAGE, body={"body": "new"})["object"]
    assert dry.keys() < real.keys()
    assert (real["status_code"], real["body"]) == (200, "new")
    assert tasks.done("object", check=True, **PAGE, body={"body": "newer"})["object"] == {**real, "body": "newer"}


@pytest.mark.parametrize(
    ("module", "options"), [("object", OFFICE), ("estate", {"objects": [{"name": "office", **OFFICE}]})]
)
def test_all_pages_are_searched_even_if_they_shift(tasks: Tasks, module: str, options: Given) -> None:
    """The object moves to the first page after that was read, because another one is deleted."""
    office, home = ({"id": f"ipp_{name}", "description": name} for name in ("Office", "Home"))
    first, rest = {"ip_policies": [home], "next_page_uri": "/ip_policies?page=2"}, {"ip_policies": []}
    pages = [first, rest, {"ip_policies": [office]}]
    result = tasks.done(module, instead=in_turn(*map(as_json, pages)), **options)
    assert ([request.method for request in result["received"]], result["changed"]) == (["GET"] * 3, False)
    assert {request.headers["User-Agent"] for request in result["received"]} == {"edgeops.ingress"}
    seed(tasks, "ip_policies", {"id": "ipp_one", "description": "Office"}, {}, {}, {})
    tasks.service.switches(page_size=1)
    assert methods(tasks.done(module, **options)) == ["GET"] * 4


@pytest.mark.parametrize("state", ["present", "absent"])
def test_several_matches_are_listed_with_their_differences(tasks: Tasks, state: str) -> None:
    twins = [{"id": f"ipp_{name}", "description": "Office", "metadata": name} for name in ("one", "two")]
    seed(tasks, "ip_policies", *twins, {"description": "Home"})
    result = tasks.failed("object", **OFFICE, state=state)
    assert "2 objects in ip_policies match the declared description: " in result["msg"]
    assert "ipp_two (metadata 'two'), ipp_one (metadata 'one'). Set `id` to choose one." in result["msg"]
    assert (result["ids"], writes(result)) == (["ipp_two", "ipp_one"], [])


def test_an_object_by_its_id(tasks: Tasks) -> None:
    seed(tasks, "ip_policies", {"id": "ipp_one", "description": "Office"})
    one = {"collection": "ip_policies", "id": "ipp_one"}
    assert methods(converges(tasks, "object", **one, body={"description": "Home"})) == ["GET", "PATCH"]
    assert methods(converges(tasks, "object", **one, state="absent")) == ["GET", "DELETE"]
    assert not tasks.done("object", **one, state="absent")["changed"]
    assert "Object ipp_one does not exist in ip_policies" in tasks.failed("object", **one)["msg"]


def test_what_never_changes_is_an_error_if_it_differs(tasks: Tasks) -> None:
    authority = {"collection": "certificate_authorities", "find_by": {"description": "x"}, "create_only": ["ca_pem"]}
    converges(tasks, "object", **authority, body={"ca_pem": "one"})
    for check in (True, False):
        result = tasks.failed("object", check, **authority, body={"ca_pem": "two", "metadata": "new"})
        assert "body.ca_pem: differs from the current value, and cannot change after the creation" in result["msg"]
        assert not writes(result)
    # It counts as equal if it is not returned. To find an object, it must be.
    unknown = {**authority, "create_only": ["key_pem"], "body": {"key_pem": "hidden"}}
    assert not tasks.done("object", **unknown)["changed"]
    by_it = {"collection": "certificate_authorities", "find_by": {"region": "eu"}, "create_only": ["region"]}
    assert not writes(tasks.done("object", **by_it, state="absent"))


def test_a_collection_that_the_service_does_not_have(tasks: Tasks) -> None:
    result = tasks.failed("object", collection="ip_policy", find_by={"description": "x"})
    assert "The service does not list the collection ip_policy: GET /ip_policy: " in result["msg"]
    assert "Check `collection`; did you mean `ip_policies`? If the service" in result["msg"]
    unlisted = rejecting("GET", response=Response(405))
    result = tasks.failed("object", instead=unlisted, collection="endpoints", find_by={"description": "x"})
    assert "Check `collection`. If the service" in result["msg"]
    no_list = in_turn(as_json({"id": "x_1", "parts": [{"id": "x_2", "name": "a"}]}))
    result = tasks.failed("object", instead=no_list, collection="things/x_1", find_by={"name": "a"}, state="absent")
    assert ("expected a list of objects in the response" in result["msg"], received(result, *WRITES)) == (True, [])


# Found by a description unless the options say by what else; the one option error that they cause.
WRONG = cases(r"""
    nothing finds it | {find_by: null} | "find_by: required to find the object; set `find_by` or `id`"
    both | {id: x_1} | "id: cannot be combined with `find_by`"
    no value | {find_by: {description: ""}} | "find_by.description: is empty"
    a blank | {find_by: {metadata: "\n"}} | "find_by.metadata: is empty"
    no field | {find_by: {}} | "find_by: is empty, so every object would match"
    by a secret | {find_by: {token: tok_1}} | "find_by.token: services do not return"
    no value inside | {find_by: {x: {y_id: ""}}} | "find_by.x.y_id: is empty, so it"
    null inside | {find_by: {x: [{y: null}]}} | "find_by.x.y: is empty, so it"
    by a secret inside | {find_by: {x: {token: t}}} | "find_by.x.token: services do not"
    by what is write-only | {write_only: [description]} | "find_by.description: serv"
    nothing but false | {find_by: {archivd: false}} | "find_by: false and 0 also match"
    0 far inside | {find_by: {x: {y: {size: 0}, z: false}}, state: absent} | "find_by: false and 0"
    false in a list | {find_by: {x: [{public: false}]}} | "find_by: false and 0 also match"
    dots in a name | {find_by: {a.b: 1}} | "find_by: 'a.b' cannot be the name"
    brackets in a name | {body: {"a[b]": 1}} | "body: 'a[b]' cannot be the name"
    by an ID | {find_by: {id: x_1}} | "find_by.id: an object is not found by its ID"
    an ID in the body | {body: {id: x_1}} | "body.id: the service assigns IDs"
    another value | {body: {description: y}} | "body.description: differs from `find"
    a placeholder | {find_by: {ip_policy_id: ipp_would-be-created}}
        | "find_by.ip_policy_id: ipp_would-be-created is a check-mode placeholder"
    a leading slash | {collection: /a} | "collection: '/a' is not the path of a collection"
    dots | {collection: a/../b} | "collection: 'a/../b' is not the path of a collection"
    its own module | {collection: edges/https} | "use `edgeops.ingress.https_edge`"
    another kind of ID | {collection: ip_policies, find_by: null, id: edghts_1} | "is the ID of an HTTPS edge"
    a part of a TLS edge | {collection: edges/tls/edgtls_1/tls_termination}
        | "use `edgeops.ingress.tls_edge_tls_termination`"
    a destination without a target | {collection: event_destinations, body: {target: {x: null}}} | "got none; set"
    a path | {write_only: [keys]} | "write_only[0]: 'keys' is not the path of a field"
    a similar path | {body: {keyring: {key: k}}, write_only: [keyring.kei]} | "did you mean `keyring.key`?"
    no list | {body: {a: {b: 1}}, unordered: [a.b]} | "unordered[0]: 'a.b' is not a list in `body`"
    a name | {body: {x_id: "ref:office"}}
        | "body.x_id: ref:office refers to an object by its name, which only the module `estate` supports; set an ID"
    a mask | {body: {token: "********"}} | "body.token: '********' stands for"
    a string of hostports | {collection: edges/tls, body: {hostports: "d:1"}}
        | "body.hostports: expected a list, got a string"
    a hostport in two spellings
        | {collection: edges/tls, body: {hostports: ["bücher.example:443", "XN--bcher-kva.example:443"]}}
        | "body.hostports[1]: 'XN--bcher-kva.example:443' is listed twice; remove one of them"
    a dictionary among policies | {collection: edges/tcp, body: {ip_restriction: {ip_policy_ids: [ipp_a, {}]}}}
        | "body.ip_restriction.ip_policy_ids[1]: expected a string, got a dictionary"
    an empty policy | {collection: edges/tls, body: {ip_restriction: {ip_policy_ids: [""]}}}
        | "body.ip_restriction.ip_policy_ids[0]: is empty; check whether the variable"
    a number among authorities | {collection: edges/tls, body: {mutual_tls: {certificate_authority_ids: [5]}}}
        | "body.mutual_tls.certificate_authority_ids[0]: expected a string, got a number"
    policies as in a response | {collection: edges/tls, body: {ip_restriction: {ip_policies: [{id: ipp_a}]}}}
        | "body.ip_restriction.ip_policies: is the name in responses; set `ip_policy_ids`, a list of IDs"
    a restriction as a string | {collection: edges/tls, body: {ip_restriction: ipp_a}}
        | "body.ip_restriction: expected a dictionary, got a string"
    certificates as a boolean | {collection: edges/tls, body: {mutual_tls: true}}
        | "body.mutual_tls: expected a dictionary, got the boolean true"
    policies that find an edge | {collection: edges/tls, find_by: {ip_restriction: {ip_policy_ids: ipp_a}}}
        | "find_by.ip_restriction.ip_policy_ids: expected a list, got a string"
    a list as a URL | {collection: endpoints, body: {url: ["https://d"]}} | "body.url: expected a string, got a list"
    hidden hostports | {collection: edges/tcp, body: {hostports: ["d:1"]}, write_only: [hostports]}
        | "write_only[0]: 'hostports' decides which hosts are served or who gets in, and cannot be hidden; remove it"
    a hidden URL | {collection: endpoints, body: {url: "https://d"}, write_only: [url]} | "cannot be hidden"
    a hidden network | {collection: ip_policy_rules, body: {cidr: "192.0.2.0/24"}, write_only: [cidr]} | "be hidden"
    a hidden action | {collection: ip_policy_rules, body: {action: deny}, write_only: [action]} | "be hidden"
    a hidden domain | {collection: reserved_domains, body: {domain: d}, write_only: [domain]} | "be hidden"
    a hidden module
        | {collection: edges/tls, body: {ip_restriction: {x: 1}}, write_only: [ip_restriction]} | "be hidden"
    a hidden member
        | {collection: edges/tls, body: {ip_restriction: {x: 1}}, write_only: [ip_restriction.x]} | "be hidden"
    hidden authorities | {collection: edges/tls, body: {mutual_tls: {x: 1}}, write_only: [mutual_tls]} | "be hidden"
""")


@pytest.mark.parametrize(("options", "message"), WRONG.values(), ids=WRONG)
def test_wrong_options_are_reported_before_any_request(tasks: Tasks, options: Given, message: str) -> None:
    given = {"collection": "a", "find_by": {"description": "x"}, **options}
    result = tasks.failed("object", **{name: value for name, value in given.items() if value is not None})
    assert (message in result["msg"], result["sent"]) == (True, [])
    assert len(result["option_errors"]) == 1, result["option_errors"]


@pytest.mark.parametrize("module", ["object", "estate"])
@pytest.mark.parametrize(("got", "value"), [("an empty string", ""), ("a dictionary", {}), ("a number", 0)])
def test_who_is_let_into_an_existing_edge_is_a_list(tasks: Tasks, module: str, got: str, value: Any) -> None:
    tasks.service.seed(tls_edges=[{"id": "edgtls_one", "ip_restriction": {"ip_policy_ids": ["ipp_a"]}}])
    one = {"collection": "edges/tls", "id": "edgtls_one", "body": {"ip_restriction": {"ip_policy_ids": value}}}
    result = tasks.failed(module, **(one if module == "object" else {"objects": [{"name": "one", **one}]}))
    where = "body" if module == "object" else "objects[0].body"
    message = f"{where}.ip_restriction.ip_policy_ids: expected a list, got {got}"
    assert (result["option_errors"], result["sent"]) == ([message], [])


def test_false_finds_an_object_together_with_another_value(tasks: Tasks) -> None:
    tasks.service.seed(tls_edges=[{"id": "edgtls_other"}])
    till = {"collection": "edges/tls", "find_by": {"tls_termination": {"enabled": False, "min_version": "1.3"}}}
    converges(tasks, "object", **till)
    converges(tasks, "object", **till, state="absent")
    assert [one["id"] for one in tasks.service.state()["tls_edges"]] == ["edgtls_other"]


A, C, D = hostports("acd")


@pytest.mark.parametrize("collection", ["edges/tls", "edges/tcp"])
@pytest.mark.parametrize(
    ("switches", "declared"),
    [({"lists": "reordered"}, [D, C]), ({"hostports": "lower"}, [C.upper(), D]), ({}, [D.upper(), C])],
    ids=str,
)
def test_order_and_letter_case_are_ignored(tasks: Tasks, collection: str, switches: Given, declared: list[str]) -> None:
    tasks.service.switches(**switches)
    edge = {"collection": collection, "find_by": {"description": "t"}}
    tasks.done("object", **edge, body={"hostports": declared})
    for same in (declared, declared[::-1], [one.upper() for one in declared], [one.lower() for one in declared]):
        again = tasks.done("object", **edge, body={"hostports": same})
        assert (again["changed"], writes(again), again["diff"]["before"]) == (False, [], again["diff"]["after"])
    changed = tasks.done("object", **edge, body={"hostports": [*declared, A]})
    assert (changed.get("warnings", []), len(writes(changed))) == ([], 1)


HABITS: list[Given] = [
    {},
    {"patch_empties": "nothing", "constant_fields": "ignored", "unknown_fields": "ignored"},
    {"patch_empties": "everything"},
    {"references": "ids", "lists": "reordered", "empty_lists": "missing", "empty_text": "missing"},
    {"defaults": "omitted", "unset_values": "missing", "extra_keys": True},
]


def task_of(collection: str, other: str) -> Given:
    sample = SAMPLES[collection]
    task = {
        "collection": collection,
        "find_by": sample.find,
        "body": sample.new,
        "create_only": list(sample.constant),
        "write_only": list(sample.hidden),
        "always_send": [name for name in sample.hidden if name not in sample.constant],
        "unordered": list(sample.sets),
        "purge_hostports": True,
    }
    return dict(with_id(task, other))


@pytest.mark.parametrize("switches", first_alone(HABITS), ids=str)
@pytest.mark.parametrize("collection", [name for name in SAMPLES if not own_module(name)])
def test_an_object_of_each_real_collection_comes_and_goes(tasks: Tasks, collection: str, switches: Given) -> None:
    needed = SAMPLES[collection].needs
    other = tasks.done("object", **task_of(needed, ""))["object"]["id"] if needed else ""
    tasks.service.switches(**switches)
    task = task_of(collection, other)
    # What serves traffic is read, because it may use the policy of a rule: three collections and the HTTPS edges.
    read = ["GET"] * (5 if collection == "ip_policy_rules" else 1)
    assert methods(converges(tasks, "object", **task)) == [*read, "POST"]
    assert methods(converges(tasks, "object", **task, state="absent")) == [*read, "DELETE"]


def created(tasks: Tasks, collection: str) -> tuple[str, dict[str, Any]]:
    """Create the sample of a collection, and return its ID and what it consists of."""
    sample = SAMPLES[collection]
    other = created(tasks, sample.needs)[0] if sample.needs else ""
    fields: dict[str, Any] = with_id(sample.whole, other)
    return tasks.done("api", method="POST", path=f"/{collection}", body=fields)["json"]["id"], fields


@pytest.mark.parametrize("collection", [name for name in SAMPLES if not own_module(name)])
def test_the_constants_of_a_collection_are_known(tasks: Tasks, collection: str) -> None:
    """An update may contain what is not known to be constant, and nothing else."""
    identifier, fields = created(tasks, collection)
    path, known = f"/{collection}/{identifier}", CONSTANT_FIELDS.get(collection, ())
    for name in {*fields, *known}:
        value = {name: fields.get(name)}
        result = tasks.run("api", method="PATCH", path=path, body=value)
        assert bool(result.get("failed")) is (name in known), (name, result.get("msg"))


@pytest.mark.parametrize("collection", [name for name, sample in SAMPLES.items() if sample.hidden])
def test_what_is_never_returned_and_never_changes_is_sent_once(tasks: Tasks, collection: str) -> None:
    sample, (_id, whole) = SAMPLES[collection], created(tasks, collection)
    find = {name: whole[name] for name in sample.find}
    one = {"collection": collection, "find_by": find, "body": whole, "write_only": list(sample.hidden)}
    assert not tasks.done("object", **one)["changed"]
    constant = set(sample.hidden) <= set(CONSTANT_FIELDS[collection])
    again = tasks.done("object", **one, update_secrets="always")
    assert methods(again) == ["GET"] if constant else writes(again)


def test_an_empty_list_says_that_everything_can_change(tasks: Tasks) -> None:
    one = {"collection": "reserved_domains", "find_by": {"domain": "shop.example.com"}}
    tasks.done("object", **one, body={"region": "eu"})
    result = tasks.done("object", True, **one, body={"region": "us"}, create_only=[])
    assert result["diff"]["after"]["region"] == "us"
