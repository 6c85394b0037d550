# SPDX-License-Identifier: GPL-3.0-or-later
"""The digest of a plan: the same for the same plan, however it is declared; another one for whatever would be written
otherwise, of which the plan shows everything but secrets.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from module_task import Given, Tasks, writes
from places import EDGE, HOSTPORT, KEY, ROUTE, SUBSCRIPTION, TLS_EDGE, seed_edge, seed_route, seed_tls_edge

ESTATE: Given = {
    "https_edges": [
        {
            "hostports": ["a.example.com:443", "b.example.com:443"],
            "metadata": {"x": 1, "y": 2},
            "routes": [KEY, {**KEY, "match": "/admin"}],
        },
        {"hostports": ["c.example.com:443"], "routes": [{**KEY, "oidc": {"issuer": "https://i", "client_id": "c"}}]},
    ],
    "tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"ip_policy_ids": ["ipp_one", "ipp_two"]}}],
    "event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": ["domain_created.v0"]}],
}


def planned(tasks: Tasks, **options: Any) -> Given:
    return tasks.done("estate", True, **options)


def digest(tasks: Tasks, estate: Given = ESTATE, **options: Any) -> str:
    return str(planned(tasks, **estate, **options)["plan_digest"])


def edges(*routes: Given, **edge: Any) -> Given:
    return {"https_edges": [{"hostports": [HOSTPORT], **edge, **({"routes": list(routes)} if routes else {})}]}


@pytest.fixture
def there(tasks: Tasks) -> Tasks:
    tasks.service.seed(tls_edges=[{"id": TLS_EDGE}], event_subscriptions=[{"id": SUBSCRIPTION, "sources": []}])
    return tasks


def test_neither_the_order_of_declaration_nor_limits_change_the_digest(there: Tasks) -> None:
    shuffled = [_shuffled(ESTATE, random.Random(seed)) for seed in range(5)]
    assert {digest(there, each) for each in (ESTATE, *shuffled)} == {
        digest(there, concurrency=1, max_deletions=3, allow_empty=True)
    }


def test_every_written_value_changes_the_digest(there: Tasks) -> None:
    digests = [digest(there), *(digest(there, _with_another(ESTATE, path)) for path in _leaves(ESTATE))]
    assert len(set(digests)) == len(digests) > 10


def test_a_live_difference_changes_the_digest_if_it_changes_the_plan(there: Tasks) -> None:
    expected = digest(there)
    seed_edge(there)
    assert digest(there) == expected
    there.done("estate", **ESTATE)
    changed = _with_another(ESTATE, ("https_edges", 0, "metadata", "x"))
    first = digest(there, changed)
    held = {edge["hostports"][0]: edge["id"] for edge in there.service.state()["https_edges"]}
    there.done("https_edge", id=held["a.example.com:443"], description="by hand")
    assert digest(there, changed) != first


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
    kept, *changed = (planned(tasks, **edges(route(token))) for token in (OLD, NEW, NEWER))
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
    [entry] = planned(tasks, **edges(policy("a", token=NEW, api_key=OLD)))["plan"]
    assert "(a new value)" in json.dumps(entry["after"])


def certificates(*ids: str, enabled: bool = True) -> Given:
    return edges(mutual_tls={"enabled": enabled, "certificate_authority_ids": list(ids)})


def networks(*ids: str) -> Given:
    return {"tls_edges": [{"edge_id": TLS_EDGE, "ip_restriction": {"enabled": False, "ip_policy_ids": list(ids)}}]}


@pytest.mark.parametrize("references", ["list", "single"])
@pytest.mark.parametrize(("declared", "kind"), [(certificates, "ca"), (networks, "ipp")])
def test_ids_that_the_service_does_not_return_are_planned(
    tasks: Tasks, declared: Any, kind: str, references: str
) -> None:
    """Otherwise, whoever approves one authority would approve any others along with it."""
    one, *others = (f"{kind}_{number}" for number in range(3))
    tasks.service.switches(references=references)
    seed_edge(tasks, mutual_tls={"enabled": False, "certificate_authority_ids": ["ca_0"]})
    seed_tls_edge(tasks, ip_restriction={"enabled": True, "ip_policy_ids": ["ipp_0"]})
    plans = [planned(tasks, **declared(one, other)) for other in others]
    shown = [other in json.dumps(plan["plan"][0]["after"]) for plan, other in zip(plans, others, strict=True)]
    assert (shown, plans[0]["plan_digest"] == plans[1]["plan_digest"]) == ([True, True], False)
    options = {**declared(one, others[1]), "expect_plan": plans[0]["plan_digest"]}
    assert not writes(tasks.failed("estate", **options))


def test_ids_that_are_not_sent_are_not_planned(tasks: Tasks) -> None:
    tasks.service.switches(references="single")
    [live] = certificates("ca_1", "ca_2")["https_edges"]
    seed_edge(tasks, **live)
    [entry] = planned(tasks, https_edges=[{**live, "description": "new"}])["plan"]
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


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values that can be another one."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        if name not in ("match_type", "edge_id", "subscription_id"):
            yield from _leaves(member, (*path, name))
    if not isinstance(value, (dict, list)):
        yield path


def _with_another(value: Any, path: tuple[Any, ...]) -> Any:
    copy = deepcopy(value)
    *parents, last = path
    inner = copy
    for name in parents:
        inner = inner[name]
    there = inner[last]
    others = {"domain_created.v0": "domain_updated.v0", "https://i": "https://other"}
    inner[last] = there + 1 if isinstance(there, int) else others.get(there, _renamed(there))
    return copy


def _renamed(text: str) -> str:
    return f"other-{text}" if text.endswith(":443") else f"{text}other"
