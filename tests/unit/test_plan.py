# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans: which operations, in which order, with which words; and the diff that is made of the same."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.backends import Backends
from ansible_collections.edgeops.ingress.plugins.module_utils._access.parts import Part
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.arrangement import arranged
from ansible_collections.edgeops.ingress.plugins.module_utils._graph.graph import Graph, in_order
from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._planning import changes
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Plan, Target, unchanged, withholding
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import StringSet

pytestmark = pytest.mark.every_core

ROUTE = Target("route", schema.HTTPS_EDGE_ROUTE, path="/routes/r", collection="/routes", identity={"id": "new"})
TEXT_FIELDS = {"id": "edghtsrt_r", "match_type": "path_prefix", "match": "/", "description": "d", "metadata": "m"}
MATCH_SENT = {name: TEXT_FIELDS[name] for name in ("match_type", "match")}
BACKEND = {"enabled": True, "backend": {"id": "bkd_a"}}
OAUTH = {"enabled": True, "provider": {"github": {"teams": ["o/x"]}}}


def route_plan(wire: dict[str, Any] | None, given: dict[str, Any], **how: Any) -> Plan:
    """The plan for a route that the service shows as `wire`. As from Ansible, all options are there."""
    have = None if wire is None else schema.HTTPS_EDGE_ROUTE.read({**TEXT_FIELDS, **wire}, "")
    options = {f.name: given.get(f.name) for f in schema.HTTPS_EDGE_ROUTE.declarable}
    return changes.plan_present(ROUTE, have, options, **how)


def steps(planned: Plan) -> list[str]:
    return [f"{operation.method} {operation.path}" for operation in planned.operations]


def test_a_create_sends_what_is_declared_and_nothing_else() -> None:
    declared = {**MATCH_SENT, "description": "", "compression": {"enabled": True}}
    planned = route_plan(None, {**declared, "metadata": None}, absent_modules=["saml"], purge_modules=True)
    [create] = planned.operations
    assert (create.method, create.path, create.body) == ("POST", "/routes", declared)
    assert planned.before is None
    assert (planned.after or {})["id"] == "new"


def test_a_change_carries_the_match_and_the_declared_description() -> None:
    given = {"match": "/new", "description": "d", "compression": {"enabled": True}}
    [patch] = route_plan({}, given).operations
    assert patch.body == {**MATCH_SENT, **given}
    assert patch.reason == "differs: match, compression"


def test_a_change_of_an_edge_sends_the_change_alone() -> None:
    kind = schema.HTTPS_EDGE
    have = kind.read({"id": "e", "description": "d", "hostports": ["a:1"], "mutual_tls": {"enabled": False}}, "")
    given = {"description": "new", "metadata": None, "hostports": ["A:1"], "mutual_tls": None, "tls_termination": None}
    [patch] = changes.plan_present(Target("edge", kind, path="/edges/e"), have, given).operations
    assert patch.body == {"description": "new"}


FULL = {"compression": {"enabled": True}, "backend": BACKEND, "oauth": OAUTH, "ip_restriction": {"enabled": True}}
KEPT = {"backend": {"backend_id": "bkd_a"}, "ip_restriction": {"enabled": True}}


@pytest.mark.parametrize("how", [{"absent_modules": ["oauth", "compression"]}, {"purge_modules": True}])
def test_modules_are_removed_after_the_change_for_a_reason_that_is_named(how: dict[str, Any]) -> None:
    planned = route_plan(FULL, {**KEPT, "description": "new"}, **how)
    assert steps(planned)[0] == "PATCH /routes/r"
    assert sorted(steps(planned)[1:]) == ["DELETE /routes/r/compression", "DELETE /routes/r/oauth"]
    assert planned.after is not None
    assert planned.after["oauth"] is planned.after["compression"] is None
    only = route_plan(FULL, KEPT, **how)
    assert sorted(steps(only)) == sorted(steps(planned)[1:])
    reason = "purged" if "purge_modules" in how else "absent_modules"
    assert all(reason in operation.reason for operation in only.operations)


def test_the_policy_may_have_another_name_in_its_path() -> None:
    [removal] = route_plan({"policy": {"inbound": [{"name": "r"}]}}, {}, absent_modules=["policy"]).operations
    assert (removal.path, removal.other_paths) == ("/routes/r/policy", ("/routes/r/traffic_policy",))


def test_a_module_of_its_own_is_replaced() -> None:
    kind = schema.TLS_EDGE_MODULES["ip_restriction"]
    have = kind.read({"enabled": False, "ip_policies": [{"id": "ipp_a"}]}, "")
    given = {"enabled": None, "ip_policy_ids": ["ipp_b", "ipp_a"]}
    target = Target("module", kind, path="/m")
    planned = changes.plan_replacement(target, have, given)
    assert steps(planned) == ["PUT /m"]
    assert planned.operations[0].body == {"enabled": True, "ip_policy_ids": ["ipp_b", "ipp_a"]}
    assert "enabled, ip_policy_ids" in planned.operations[0].reason
    assert changes.plan_replacement(target, planned.after, given).operations == ()


def test_names_that_move_along_a_chain_of_more_objects_than_functions_can_be_nested_are_not_a_cycle() -> None:
    kind = Object(fields=(Field("names", StringSet(), unique=True),))
    states = [{"names": [f"{number}"]} for number in range(1501)]
    plans = [
        changes.plan_present(Target(f"object {number}", kind, path=f"/{number}"), states[number], states[number + 1])
        for number in range(1500)
    ]
    assert in_order(arranged(plans)) == [(number, 0) for number in reversed(range(1500))]


def test_a_plan_that_is_withheld_waits_for_nothing_any_more() -> None:
    first = route_plan({}, {"description": "new"})
    second = route_plan(FULL, {**KEPT, "description": "new"}, absent_modules=["oauth"])
    graph = Graph([first, second])
    graph.need((1, 1), (0, 0))
    graph.plans[1] = unchanged(second, withholding(second, "another object"))
    assert in_order(graph) == [(0, 0)]


def test_what_is_withheld_names_the_first_failed_backend_in_each_run() -> None:
    failed = {f"bkdst_{number}": 8 - number for number in range(9)}
    backends = Backends({identifier: Part([None]) for identifier in failed}, failed)
    assert backends.failed(frozenset(failed)) == list(range(9))
