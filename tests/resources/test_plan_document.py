# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan as a document: its entries, what it leaves undeclared or has not examined, and its digest, which is the same
for the same plan, however it is declared, and another one for whatever would be written otherwise.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from any_estate import SEED, estates
from convergence import ANY_NUMBER, converges
from declarations import SWITCHES
from estates_to_judge import estate
from module_task import Given, Tasks, writes
from places import (
    EDGE,
    FILLED_EDGE,
    HOSTPORT,
    KEY,
    ROUTE,
    SUBSCRIPTION,
    TLS_EDGE,
    seed_edge,
    seed_route,
    seed_subscription,
    seed_tls_edge,
)
from scripted_service import rejecting

ADMIN = {"match_type": "path_prefix", "match": "/admin"}
TAKEN = {"compression": {"enabled": True}}
SOURCES = {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": ["domain_created.v0"]}]}
SPARED = "not purged, because other objects failed"


def edges(*routes: Given, **edge: Any) -> Given:
    return {"https_edges": [{"hostports": [HOSTPORT], **edge, **({"routes": list(routes)} if routes else {})}]}


def left(result: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(one["kind"], one["option"], one["why"]) for one in result["undeclared"]]


def test_an_entry_has_what_people_need_to_decide(tasks: Tasks) -> None:
    seed_edge(tasks, description="old", routes=[{"id": ROUTE, **KEY, "description": "the same"}])
    result = tasks.done("estate", True, **edges(KEY, ADMIN, description="new"))
    edge, route = result["plan"]
    assert edge == {
        "object": f"https_edge {HOSTPORT} ({EDGE})",
        "kind": "https_edge",
        "action": "update",
        "opens": [],
        "opens_count": 0,
        "gives_up": {},
        "changes": ["description"],
        "operations": [{"method": "PATCH", "path": f"/edges/https/{EDGE}", "reason": "differs: description"}],
        "before": {**FILLED_EDGE, "description": "old", "hostports": [HOSTPORT]},
        "after": {**FILLED_EDGE, "description": "new", "hostports": [HOSTPORT]},
    }
    assert (route["action"], route["changes"], route["before"], route["after"]) == ("create", [], None, ADMIN)


def test_an_empty_plan_has_a_digest_and_a_module_of_a_tls_edge_is_an_entry(tasks: Tasks) -> None:
    seed_tls_edge(tasks)
    declared = [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_one"]}}]
    [entry] = tasks.done("estate", tls_edges=declared)["plan"]
    assert (entry["kind"], entry["action"], entry["changes"]) == ("tls_edge_ip_restriction", "create", [])
    result = tasks.done("estate", tls_edges=declared)
    assert (result["plan"], len(result["plan_digest"])) == ([], 32)


SETS = [
    ("https_edge_routes", {"edge_id": EDGE, "routes": [ADMIN]}, "routes", {"id": ROUTE, **KEY}),
    ("event_sources", {"subscription_id": SUBSCRIPTION, "types": ["domain_deleted.v0"]}, "types", "domain_created.v0"),
]


@pytest.mark.parametrize(("module", "options", "option", "declaration"), SETS, ids=lambda value: str(value)[:20])
def test_sets_have_the_same_document(tasks: Tasks, module: str, options: Given, option: str, declaration: Any) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY}])
    seed_subscription(tasks, "domain_created.v0")
    real = converges(tasks, module, **options, undeclared="declarations")
    assert [entry["action"] for entry in real["plan"]] == ["create"]
    assert real["summary"] == {"created": 1, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 0, "withheld": 0}
    [one] = real["undeclared"]
    assert (one["option"], one["declaration"]) == (option, declaration)


def test_undeclared_objects_of_each_kind_are_listed(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY, **TAKEN}, ADMIN], mutual_tls={"certificate_authority_ids": ["ca_1"]})
    tasks.service.seed(https_edges=[{"id": "edghts_other", "hostports": ["other.example.com:443"], "routes": [KEY]}])
    seed_subscription(tasks, "domain_created.v0", "domain_deleted.v0")
    result = tasks.done("estate", True, **edges(KEY), **SOURCES, undeclared="declarations")
    purge = "the task does not purge "
    assert left(result) == [
        ("mutual_tls", "https_edges[0].mutual_tls", f"{purge}traffic modules"),
        ("compression", "https_edges[0].routes[0].compression", f"{purge}traffic modules"),
        ("https_edge_route", "https_edges[0].routes", f"{purge}routes"),
        ("event_source", "event_subscriptions[0].sources", f"{purge}event sources"),
        ("https_edge", "https_edges", f"{purge}HTTPS edges"),
    ]
    assert [one["declaration"] for one in result["undeclared"]][1] == {"enabled": True}
    assert result["undeclared"][-1]["declaration"]["hostports"] == ["other.example.com:443"]
    assert [route["match"] for route in result["undeclared"][-1]["declaration"]["routes"]] == ["/"]
    assert [one["object"] for one in result["not_examined"]] == ["other TLS edges", "other event subscriptions"]


def test_what_else_is_not_examined(tasks: Tasks) -> None:
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_1"]})
    tls_edge = {"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_1"]}}
    policy = {"name": "p", "collection": "ip_policies", "find_by": {"description": "office"}}
    result = tasks.done("estate", True, tls_edges=[tls_edge], objects=[policy])
    assert [(one["object"], one["why"]) for one in result["not_examined"]] == [
        (f"tls_termination of TLS edge {TLS_EDGE}", "tls_termination is not declared"),
        ("HTTPS edges", "https_edges is not declared"),
        ("other TLS edges", "the API reference defines no list of TLS edges"),
        ("other event subscriptions", "the API reference defines no list of event subscriptions"),
        ("other objects in ip_policies", "only declared objects are compared"),
    ]


def test_routes_that_no_list_declares(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[KEY])
    where = "https_edges[0].routes"
    result = tasks.done("estate", True, **edges(), purge=["modules"])
    assert left(result) == [("https_edge_route", where, f"{where} is not declared")]


@pytest.mark.parametrize("check", [True, False])
def test_what_failures_spare_is_undeclared_but_not_what_could_not_be_deleted(tasks: Tasks, check: bool) -> None:
    seed_edge(tasks, routes=[{"id": ROUTE, **KEY}, ADMIN])
    unknown = {**edges({"id": "edghtsrt_missing", "description": "x"}), "purge": ["routes"]}
    spared = ("https_edge_route", "https_edges[0].routes", SPARED)
    assert left(tasks.failed("estate", check, **unknown, allow_empty=True)) == [spared] * 2
    if not check:
        tasks.service.switches(rejected_creations="routes")
        more = {**edges(ADMIN, {**KEY, "match": "/new"}), "purge": ["routes"]}
        assert left(tasks.failed("estate", **more)) == [spared]
        failed = tasks.failed("estate", instead=rejecting("DELETE"), **edges(ADMIN), purge=["routes"])
        assert left(failed) == [(*spared[:2], "its deletion failed")]


def test_a_spared_module_of_a_tls_edge(tasks: Tasks) -> None:
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_1"]}, tls_termination={"terminate_at": "edge"})
    declared = {"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_2"]}}
    options = {"tls_edges": [declared], "purge": ["modules"], "undeclared": "declarations"}
    result = tasks.failed("estate", instead=rejecting("PUT"), **options)
    [one] = result["undeclared"]
    assert (one["option"], one["why"]) == ("tls_edges[0].tls_termination", SPARED)
    tasks.done("estate", tls_edges=[{"edge_id": TLS_EDGE, "tls_termination": one["declaration"]}])


@pytest.mark.parametrize(("detail", "listed"), [("counts", 20), ("names", 31), ("declarations", 31), ("none", None)])
def test_the_option_undeclared_limits_the_list(tasks: Tasks, detail: str, listed: int | None) -> None:
    others = [{**KEY, "match": f"/{number}"} for number in range(30)]
    seed_edge(tasks, routes=[{**KEY, **TAKEN}, *others])
    result = tasks.done("estate", True, **edges(KEY), undeclared=detail)
    found = result.get("undeclared")
    assert (found if found is None else len(found)) == listed
    assert result.get("undeclared_counts") == (listed and {"compression": 1, "https_edge_route": 30})
    keys = {"object", "kind", "option", "why", *(["declaration"] if detail == "declarations" else [])}
    assert all(set(one) == keys for one in found or ())


def test_no_secret_is_shown_and_no_mask_is_declared(tasks: Tasks) -> None:
    seed_edge(tasks, routes=[{**with_hook(OLD), **policy("", password=NEW)}])
    result = tasks.done("estate", True, **edges(description=""), undeclared="declarations")
    [route] = result["undeclared"]
    assert route["declaration"]["webhook_verification"] == {"enabled": True, "provider": "github"}
    assert "policy" not in route["declaration"]
    assert route["why"].endswith("is not declared; the declaration lacks policy, which may contain secrets")
    assert not any(secret in json.dumps(result) for secret in (OLD, NEW))


@settings(ANY_NUMBER, max_examples=so_many(20, 200))
@given(switches=SWITCHES, data=st.data())
def test_every_live_object_is_declared_undeclared_or_purged(tasks: Tasks, switches: Given, data: st.DataObject) -> None:
    tasks.service.reset()
    tasks.service.seed(**SEED)
    tasks.service.switches(**switches)
    for _number in range(2):
        before = tasks.service.state()
        declared = data.draw(estates(before, switches))
        dry = tasks.run(
            "estate", True, **declared.options, max_deletions=1000, undeclared="declarations", unchanged="states"
        )
        if not dry.get("failed"):
            _is_all_there_is(before, declared.options, dry)
            _can_be_declared(tasks, declared.options)
        tasks.run("estate", **declared.options, max_deletions=1000)


def _is_all_there_is(before: Given, options: Given, dry: Given) -> None:
    deleted = {one["operations"][-1]["path"].split("/")[-1] for one in dry["plan"] if one["action"] == "delete"}
    left = [one["declaration"] for one in dry["undeclared"] if one["kind"] == "https_edge"]
    if "HTTPS edges" not in {one["object"] for one in dry["not_examined"]}:
        declared = {edge["id"] for edge in dry["https_edges"] if not edge["id"].endswith("would-be-created")}
        groups = [declared, {edge["id"] for edge in left}, deleted & {edge["id"] for edge in before["https_edges"]}]
        if not any(one["object"] == "other HTTPS edges" for one in dry["not_examined"]):
            _is_a_partition(groups, {edge["id"] for edge in before["https_edges"]})
        _routes_are_all_there_is(before, dry, deleted, left)
    for one in options.get("event_subscriptions", ()):
        [held] = [other for other in before["event_subscriptions"] if other["id"] == one["subscription_id"]]
        name = f"event_source {{}} of {one['subscription_id']}"
        sources = {each: name.format(each) for each in held["sources"]}
        undeclared = {each for each in sources if sources[each] in {other["object"] for other in dry["undeclared"]}}
        purged = {each for each in sources if sources[each] in {other["object"] for other in dry["plan"]}}
        _is_a_partition([set(one["sources"]) & sources.keys(), undeclared, purged], set(sources))


def _routes_are_all_there_is(before: Given, dry: Given, deleted: set[str], left_edges: list[Given]) -> None:
    seen = {edge["id"]: {route["id"] for route in edge["routes"]} for edge in before["https_edges"]}
    examined = {edge["id"] for edge in dry["https_edges"]}
    live = set().union(*(seen[one] for one in examined & seen.keys()))
    declared = {route["id"] for edge in dry["https_edges"] for route in edge["routes"]} & live
    left = {one["declaration"]["id"] for one in dry["undeclared"] if one["kind"] == "https_edge_route"}
    _is_a_partition([declared, left, deleted & live], live)
    assert {route["id"] for edge in left_edges for route in edge["routes"]} <= set().union(*seen.values()) - live


def _is_a_partition(groups: list[set[str]], whole: set[str]) -> None:
    assert set().union(*groups) == whole
    assert sum(map(len, groups)) == len(whole)


def merged(options: Mapping[str, Any], undeclared: Sequence[Mapping[str, Any]]) -> Given:
    """The options of an estate, which also declare these objects."""
    whole = deepcopy(dict(options))
    for one in undeclared:
        *parents, last = re.findall(r"[a-z_]+|\d+", one["option"])
        inner: Any = whole
        for step in parents:
            inner = inner[int(step) if step.isdigit() else step]
        is_list = one["kind"] in ("https_edge", "https_edge_route", "event_source")
        assert is_list or last not in inner
        inner[last] = [*(inner.get(last) or ()), one["declaration"]] if is_list else one["declaration"]
    return whole


def _can_be_declared(tasks: Tasks, options: Mapping[str, Any]) -> None:
    """What a task leaves, declared along with the rest, changes nothing and leaves nothing to purge."""
    keeping = {**options, "purge": [], "undeclared": "declarations"}
    dry = tasks.run("estate", True, **keeping)
    if dry.get("failed"):
        return  # What is not purged keeps a hostport that a declared edge is to get.
    whole = merged(keeping, dry["undeclared"])
    edges, subscriptions = whole.get("https_edges"), whole.get("event_subscriptions")
    were_read = edges is not None and not any("HTTPS edges" in one["object"] for one in dry["not_examined"])
    kinds = {
        "edges": were_read,
        "routes": any("routes" in edge for edge in edges or ()),
        "modules": edges is not None and not whole.get("tls_edges"),  # those that are not declared are not read
        "sources": subscriptions is not None,
    }
    purge = [kind for kind, is_possible in kinds.items() if is_possible]
    result = tasks.done("estate", True, **{**whole, "purge": purge, "allow_empty": True}, max_deletions=1000)
    # An edge can have `purge_modules` of its own.
    planned = {(one["method"], one["path"]) for one in dry["operations"]}
    new = [one for one in result["operations"] if (one["method"], one["path"]) not in planned]
    assert not new, (dry["undeclared"], options)


ESTATE: Given = {
    **estate("[host=a.example.com+b.example.com] /, /admin | / oidc"),
    "tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_one", "ipp_two"]}}],
    **SOURCES,
}
ESTATE["https_edges"][0]["metadata"] = {"x": 1, "y": 2}


def digest(tasks: Tasks, declared: Given = ESTATE, **options: Any) -> str:
    return str(tasks.done("estate", True, **declared, **options)["plan_digest"])


def test_what_changes_no_plan_does_not_change_the_digest(tasks: Tasks) -> None:
    """The order of declaration, limits, and a live difference."""
    tasks.service.seed(tls_edges=[{"id": TLS_EDGE}], event_subscriptions=[{"id": SUBSCRIPTION, "sources": []}])
    found = {digest(tasks, each) for each in (ESTATE, *(_shuffled(ESTATE, random.Random(seed)) for seed in range(5)))}
    found.add(digest(tasks, concurrency=1, max_deletions=3, allow_empty=True))
    seed_edge(tasks)
    assert found == {digest(tasks)}


def with_hook(secret: str) -> Given:
    return {**KEY, "webhook_verification": {"provider": "github", "secret": secret}}


def policy(name: str, **config: Any) -> Given:
    action = {"type": "custom", "config": config}
    return {**KEY, "policy": {"inbound": [{"name": name, "expressions": [], "actions": [action]}]}}


OLD, NEW, NEWER = "the-old-credential", "a-new-credential", "a-newer-credential"


@pytest.mark.parametrize("route", [with_hook, lambda token: policy("new", token=token)], ids=["module", "policy"])
def test_the_digest_contains_only_that_a_secret_changes(tasks: Tasks, route: Any) -> None:
    old = with_hook(OLD) if route is with_hook else policy("old", token=OLD)
    seed_edge(tasks, routes=[{"id": ROUTE, **old}])
    kept, *changed = (tasks.done("estate", True, **edges(route(token))) for token in (OLD, NEW, NEWER))
    assert changed[0]["plan_digest"] == changed[1]["plan_digest"] != kept["plan_digest"]
    shown = [json.dumps(plan["plan"]).count("******** (a new value)") for plan in (kept, *changed)]
    assert (shown[0], shown[1] > 0) == (0, True)
    assert not any(secret in json.dumps([kept, *changed]) for secret in (OLD, NEW, NEWER))


def test_the_digest_masks_a_secret_in_a_description(tasks: Tasks) -> None:
    """Otherwise, who knows the rest of the plan could try one secret after the other."""
    declared = (edges(with_hook(one), description=f"It is {one}") for one in (OLD, NEW))
    assert len({digest(tasks, each) for each in declared}) == 1


def test_secrets_of_a_policy_that_change_places_are_new(tasks: Tasks) -> None:
    seed_route(tasks, **policy("a", token=OLD, api_key=NEW))
    [entry] = tasks.done("estate", True, **edges(policy("a", token=NEW, api_key=OLD)))["plan"]
    assert "(a new value)" in json.dumps(entry["after"])


def certificates(*ids: str, enabled: bool = True) -> Given:
    return edges(mutual_tls={"enabled": enabled, "certificate_authority_ids": list(ids)})


def networks(*ids: str) -> Given:
    return {"tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"enabled": False, "ip_policy_ids": list(ids)}}]}


@pytest.mark.parametrize("references", ["list", "single"])
@pytest.mark.parametrize(("declared", "kind"), [(certificates, "ca"), (networks, "ipp")])
def test_ids_that_are_not_returned_are_planned(tasks: Tasks, declared: Any, kind: str, references: str) -> None:
    """Otherwise, whoever approves one authority would approve any others along with it."""
    one, *others = (f"{kind}_{number}" for number in range(3))
    tasks.service.switches(references=references)
    seed_edge(tasks, mutual_tls={"enabled": False, "certificate_authority_ids": ["ca_0"]})
    seed_tls_edge(tasks, ip_restriction={"enabled": True, "ip_policy_ids": ["ipp_0"]})
    plans = [tasks.done("estate", True, **declared(one, other)) for other in others]
    shown = [other in json.dumps(plan["plan"][0]["after"]) for plan, other in zip(plans, others, strict=True)]
    assert (shown, plans[0]["plan_digest"] == plans[1]["plan_digest"]) == ([True, True], False)
    options = {**declared(one, others[1]), "expect_plan": plans[0]["plan_digest"]}
    assert not writes(tasks.failed("estate", **options))


def test_ids_that_are_not_sent_are_not_planned(tasks: Tasks) -> None:
    tasks.service.switches(references="single")
    [live] = certificates("ca_1", "ca_2")["https_edges"]
    seed_edge(tasks, **live)
    [entry] = tasks.done("estate", True, https_edges=[{**live, "description": "new"}])["plan"]
    assert entry["changes"] == ["description"]
    assert entry["before"]["mutual_tls"] == entry["after"]["mutual_tls"]


@pytest.mark.parametrize("size", [2, 3])
def test_the_order_of_declaration_does_not_decide_who_gives_up_first(tasks: Tasks, size: int) -> None:
    ids = [f"edghts_{name}" for name in "abc"[:size]]
    hostports = [f"{name}.example.com:443" for name in "abc"[:size]]
    tasks.service.seed(https_edges=[{"id": one, "hostports": [host]} for one, host in zip(ids, hostports, strict=True)])
    declared = [{"id": one, "hostports": [hostports[number - 1]]} for number, one in enumerate(ids)]
    orders = [declared[turn:] + declared[:turn] for turn in range(size)]
    assert len({digest(tasks, {"https_edges": order}) for each in orders for order in (each, each[::-1])}) == 1
    tasks.service.reset()
    there = [{"id": f"edghtsrt_{name}", **KEY, "match": f"/{name}"} for name in "ab"]
    swapped = [{**one, "match": other["match"]} for one, other in zip(there, there[::-1], strict=True)]
    seed_edge(tasks, routes=there)
    plans = [tasks.done("https_edge_routes", True, edge_id=EDGE, routes=order) for order in (swapped, swapped[::-1])]
    assert plans[0]["plan_digest"] == plans[1]["plan_digest"]


def _shuffled(value: Any, draw: random.Random) -> Any:
    if isinstance(value, dict):
        items = [(name, _shuffled(member, draw)) for name, member in value.items()]
        return dict(draw.sample(items, len(items)))
    if isinstance(value, list):
        return draw.sample([_shuffled(member, draw) for member in value], len(value))
    return value
