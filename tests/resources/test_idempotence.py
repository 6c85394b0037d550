# SPDX-License-Identifier: GPL-3.0-or-later
"""For any live configuration, declaration, and service: check mode predicts the run with all keys of its result, the
run reaches the declared state, and the next one changes nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import WHOLE, so_many, some_of
from convergence import ANY_NUMBER, converges
from declarations import SWITCHES, TLS_MODULES, edge, harmless_switches, route
from module_task import Given, Tasks
from places import EDGE, KEY, ROUTE, TLS_EDGE, seed_edge, seed_route, seed_tls_edge
from reference_fields import FLAG, TEXT, WORD, some
from rich_world import AUTH_MODULES, BARE_WORLD, CHANGED_WORLD, FIRST, FIRST_WORLD, SEED

WITH_OTHER_SPELLING = {"header_names", "hostports"}
"""Switches that make a service change the letters of a value. Nobody knows which services do that."""
HABITS = SWITCHES.map(lambda switches: {name: switches[name] for name in switches.keys() - WITH_OTHER_SPELLING})
TOGETHER = {name: options for name, options in FIRST.items() if name not in AUTH_MODULES[1:]}
ROUTES = st.lists(route(), max_size=3).map(
    lambda routes: [{**one, **KEY, "match": match} for one, match in zip(routes, ("/a", "/b", "/c"), strict=False)]
)
SET_OF_ROUTES = st.fixed_dictionaries({"routes": ROUTES, "purge": st.booleans(), "max_deletions": st.just(100)})
# What addresses the object or the objects of a module, and what else may be declared of it.
ALONE: dict[str, tuple[Given, st.SearchStrategy[Given]]] = {
    "https_edge": ({}, edge()),
    "https_edge_route": ({"edge_id": EDGE, **KEY}, route()),
    "https_edge_routes": ({"edge_id": EDGE}, SET_OF_ROUTES),
    **{f"tls_edge_{name}": ({"edge_id": TLS_EDGE}, options) for name, options in TLS_MODULES.items()},
}


@pytest.mark.parametrize("module", ALONE)
@ANY_NUMBER
@given(switches=SWITCHES, data=st.data())
def test_what_has_a_module_of_its_own(tasks: Tasks, module: str, switches: Given, data: st.DataObject) -> None:
    tasks.service.reset()
    tasks.service.switches(**switches)
    seed_edge(tasks)
    seed_tls_edge(tasks)
    place, strategy = ALONE[module]
    for _number in range(2):
        options = data.draw(strategy)
        empty = {} if module == "tls_edge_tls_termination" else {"allow_empty": True}
        converges(tasks, module, **place, **options, **empty)
    found = {"hostports": options["hostports"]} if module == "https_edge" else place
    if module != "https_edge_routes":
        converges(tasks, module, **found, state="absent")


# Anything that a user may declare of objects without a module of their own.
TEXTS = TEXT.filter(lambda text: text != "********")
"""In an object without known fields, the mask stands for the current secret in each of them, and a new one has none."""

WORLD = {
    "ip_policies": [{"id": "ipp_one"}, {"id": "ipp_two"}],
    "backends/http_response": [{"id": "bkdhr_one"}, {"id": "bkdhr_two"}],
    "event_destinations": [{"id": "ed_one"}, {"id": "ed_two"}],
}
"""What the objects refer to."""

ADDRESS = "1.tcp.example.io:1"
METADATA = TEXTS | st.dictionaries(WORD, st.integers(), max_size=2)
MAP = st.dictionaries(WORD, WORD, max_size=2)
AWS_SECRET = st.sampled_from(["k" * 9, "l" * 9])
CREDENTIALS = st.fixed_dictionaries({"aws_access_key_id": WORD, "aws_secret_access_key": AWS_SECRET})
BY_ROLE = st.fixed_dictionaries({"auth": st.fixed_dictionaries({"role": st.fixed_dictionaries({"role_arn": WORD})})})
BY_CREDENTIALS = st.fixed_dictionaries({"auth": st.fixed_dictionaries({"creds": CREDENTIALS})})
TARGET = st.fixed_dictionaries({"kinesis": BY_ROLE | BY_CREDENTIALS})
SOURCES = st.lists(st.sampled_from([{"type": "domain_created.v0"}, {"type": "domain_deleted.v0"}]), max_size=3)


def ids(collection: str) -> st.SearchStrategy[str]:
    return st.sampled_from([one["id"] for one in WORLD[collection]])


WEIGHTS = st.fixed_dictionaries({one["id"]: st.integers(0, 10_000) for one in WORLD["backends/http_response"]})
BODIES: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "backends/http_response": {"body": TEXTS, "headers": MAP, "status_code": st.sampled_from([200, 503])},
    "backends/tunnel_group": {"labels": MAP},
    "backends/failover": {"backends": st.lists(ids("backends/http_response"), max_size=3)},
    "backends/weighted": {"backends": WEIGHTS},
    "event_destinations": {"format": st.sampled_from(["JSON", "json"]), "target": TARGET},
    "event_subscriptions": {"sources": SOURCES, "destination_ids": st.lists(ids("event_destinations"), max_size=3)},
    "edges/tcp": {"hostports": st.lists(st.just(ADDRESS), max_size=1)},
    "edges/tls": {
        "hostports": st.lists(st.sampled_from(["a.example.com:443", "b.example.com:443"]), max_size=2, unique=True),
        "backend": st.fixed_dictionaries({"backend_id": ids("backends/http_response")}, optional={"enabled": FLAG}),
        "ip_restriction": st.fixed_dictionaries({"ip_policy_ids": st.lists(ids("ip_policies"), max_size=3)}),
    },
}
"""What an object may have beside its metadata."""

ALWAYS = {"ip_policy_rules": {"action": "deny"}, "reserved_domains": {"domain": "a.example.com"}}
"""What a new object has to have beside what it is found by."""

SETS = ["sources", "destination_ids", "hostports", "ip_restriction.ip_policy_ids"]

REFERENCES = {
    "backends": "backends/http_response",
    "destination_ids": "event_destinations",
    "backend_id": "backends/http_response",
    "ip_policy_ids": "ip_policies",
    "hostports": "reserved_addrs",
}
"""The collections to whose objects these fields refer."""

NAMES = {
    "policy_a": "ip_policies",
    "policy_b": "ip_policies",
    "rule": "ip_policy_rules",
    "page_a": "backends/http_response",
    "page_b": "backends/http_response",
    "both of them": "backends/failover",
    "split.v2": "backends/weighted",
    "an address": "reserved_addrs",
    "domain": "reserved_domains",
    "database": "edges/tcp",
    "group": "backends/tunnel_group",
    "stream": "event_destinations",
    "audit": "event_subscriptions",
    "till": "edges/tls",
}


@st.composite
def any_named_objects(draw: st.DrawFn, is_alone: bool = False) -> list[list[dict[str, Any]]]:
    """Lists of named objects, which are declared in sequence. All of them have the same objects, or a single one."""
    sizes = {"min_size": 1, "max_size": 1} if is_alone else {"min_size": 2}
    names = draw(st.permutations(sorted(draw(st.sets(st.sampled_from(sorted(NAMES)), **sizes)))))
    return [[_named(draw, name, names) for name in names] for _again in range(2)]


def _named(draw: st.DrawFn, name: str, names: list[str]) -> dict[str, Any]:
    collection = NAMES[name]
    body = {**ALWAYS.get(collection, {}), **draw(some({"metadata": METADATA, **BODIES.get(collection, {})}))}
    find_by = {"description": name}
    if name == "rule":  # What identifies an object stays the same.
        policy = next((f"ref:{one}" for one in sorted(names) if NAMES[one] == "ip_policies"), "ipp_one")
        find_by = {"ip_policy_id": policy, "cidr": "192.0.2.0/24"}
    return {
        "name": name,
        "collection": collection,
        "find_by": find_by,
        "body": _with_references(draw, body, names),
        "unordered": SETS,
        "create_only": ["ip_policy_id", "action", "domain"],
    }


def _with_references(draw: st.DrawFn, value: Any, names: list[str], field: str = "") -> Any:
    """The value with references by name in place of some IDs."""
    if isinstance(value, dict):
        return {
            _with_references(draw, name, names, field): _with_references(draw, member, names, name)
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [_with_references(draw, member, names, field) for member in value]
    of_field = ".addr" if field == "hostports" else ""
    others = [f"ref:{one}{of_field}" for one in names if NAMES[one] == REFERENCES.get(field)]
    if field == "hostports" and value != ADDRESS:
        return value  # Only one edge can have an address, and several edges are drawn together.
    return draw(st.sampled_from([value, *others])) if others else value


@ANY_NUMBER
@given(switches=HABITS, lists=any_named_objects(is_alone=True))
def test_an_object_of_any_collection(tasks: Tasks, switches: Given, lists: list[list[Given]]) -> None:
    tasks.service.reset()
    tasks.service.seed(objects=WORLD)
    before = tasks.service.state()
    tasks.service.switches(**switches)
    for declared in (*lists[0], *lists[1], {**lists[1][0], "body": {}, "state": "absent"}):
        alone = {name: value for name, value in declared.items() if name != "name"}
        converges(tasks, "object", **alone, purge_hostports=True, allow_empty=True)
    assert tasks.service.state() == before


@settings(ANY_NUMBER, max_examples=so_many(20, 60))
@given(switches=HABITS, lists=any_named_objects())
def test_named_objects(tasks: Tasks, switches: Given, lists: list[list[Given]]) -> None:
    """Nothing is duplicated, and nothing is lost."""
    tasks.service.reset()
    tasks.service.seed(objects=WORLD)
    tasks.service.switches(**switches)
    options = {"purge": ["hostports"], "allow_empty": True, "max_deletions": 99}
    converges(tasks, "estate", objects=lists[0], **options)
    if "Make the changes in two runs" in tasks.run("estate", True, objects=lists[1], **options).get("msg", ""):
        # Who gets through to a backend would change together with what is behind it.
        backends = {one["name"]: one for one in lists[0] if one["collection"].startswith("backends/")}
        converges(tasks, "estate", objects=[backends.get(one["name"], one) for one in lists[1]], **options)
    converges(tasks, "estate", objects=lists[1], **options)
    converges(tasks, "estate", objects=[{**one, "state": "absent"} for one in lists[-1]], max_deletions=99)
    held = tasks.service.state()["objects"]
    assert {name: len(found) for name, found in held.items()} == {name: len(found) for name, found in WORLD.items()}


def test_predicted_state_equals_the_real_one(tasks: Tasks) -> None:
    """For what is declared; what the service chooses only shows once it has."""
    place = seed_route(tasks, oidc={"issuer": "https://id.example.com", "client_id": "c", "client_secret": "s"})
    options = {**place, "id": ROUTE, **TOGETHER, "purge_modules": True, "description": "new"}
    dry, real = (tasks.done("https_edge_route", check=check, **options)["https_edge_route"] for check in (True, False))
    assert dry == real


def shape(value: Any) -> Any:
    """The keys in a value, at any depth. The members of a list have one shape."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items() if name not in ("sent", "warnings")}
    return [shape(member) for member in value[:1]] if isinstance(value, list) else None


SOME = harmless_switches() if WHOLE else [{}, *some_of(harmless_switches()[1:], 12, "harmless switches")]
"""Any estate is tried on services with any of them, too."""


@pytest.mark.parametrize("switches", SOME, ids=str)
def test_everything_is_foretold_comes_about_and_stays(tasks: Tasks, switches: Given) -> None:
    tasks.service.seed(**SEED)
    tasks.service.switches(**switches)
    worlds = [FIRST_WORLD, CHANGED_WORLD]
    if "operations" not in switches:  # the documented operations cannot remove traffic modules
        worlds.append(BARE_WORLD)
    for world in worlds:
        for module, options in world:
            dry, real = tasks.done(module, check=True, **options), converges(tasks, module, **options)
            assert real["changed"], (module, options)
            assert shape(dry) == shape(real)
