# SPDX-License-Identifier: GPL-3.0-or-later
"""Any options of a task, and any responses of a service: what is wrong is an error, never a traceback."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_error import OptionError
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_wording import suboptions_of
from collection_tree import MODULES
from figures import Figures
from module_examples import task_of
from module_task import Given, applied, work_of
from scripted_service import Received, Response, Script, ScriptedService, as_json

CONNECTION = {"base_url": "http://127.0.0.1:9", "api_key": "ak_of_a_test", "retries": 0, "timeout": 5.0}
CASES = so_many(25, 10_000 // len(MODULES) + 1)

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 2**33),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(
        ["{{ x }}", "********", "present", "absent", "edghts_one", "a.example.com:443", "exact_path", "/", "é" * 300]
    ),
)
trees = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def options_of(spec: Given) -> st.SearchStrategy[Given]:
    """Dictionaries of these options, some of them right, some of anything."""
    likely = {name: value_of(option) | trees for name, option in spec.items() if name not in CONNECTION}
    return st.fixed_dictionaries({}, optional=likely)


def value_of(option: Given) -> st.SearchStrategy[Any]:
    if suboptions := suboptions_of(option):
        inside = options_of(suboptions)
        return st.lists(inside, max_size=2) if option["type"] == "list" else inside
    if option.get("choices"):
        return st.sampled_from(option["choices"])
    kinds: dict[str, st.SearchStrategy[Any]] = {
        "bool": st.booleans(),
        "int": st.integers(0, 300),
        "list": st.lists(leaves, max_size=3),
    }
    return kinds.get(option["type"], leaves)


@pytest.mark.parametrize("module", MODULES)
def test_no_option_makes_a_traceback(figures: Figures, module: str) -> None:
    work = work_of(module)

    @settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
    @given(options_of(entry.argument_spec(work)), st.booleans())
    def check(options: Given, check_mode: bool) -> None:
        arguments = checked(work, {**CONNECTION, **options})
        faults = [*arguments.option_errors, *work.option_errors(arguments.options, check_mode)]
        assert all(isinstance(fault, OptionError) and fault.path and fault.text for fault in faults)
        figures.tried("options of any kind")

    check()


def responses_of(names: list[str]) -> st.SearchStrategy[Any]:
    """JSON that looks like the service's, and other JSON."""
    keys = st.sampled_from(names) | st.text(max_size=3)
    return st.recursive(
        leaves.filter(lambda leaf: not isinstance(leaf, float) or math.isfinite(leaf)),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=8),
        max_leaves=12,
    )


NAMES = [
    *("id", "https_edges", "routes", "tunnels", "sources", "next_page_uri", "uri", "type", "match", "match_type"),
    *("hostports", "metadata", "description", "backend", "oauth", "provider", "github", "client_secret", "enabled"),
    *("policy", "inbound", "actions", "mutual_tls", "certificate_authorities", "ip_policies", "error_code", "msg"),
    *("details", "tls_termination", "min_version", "labels", "backends", "edge_id", "request_headers", "add", "remove"),
]

ODD = st.sampled_from([None, "", ".", "..", "a/../b", "a?b#c", "\ud800", 7, True, [], {}, ["x"], {"id": "x"}])
ONE_OF_FOUR = st.integers(0, 3).map(lambda number: number == 0)


def nearly(value: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly what belongs there."""
    return ONE_OF_FOUR.flatmap(lambda is_odd: ODD if is_odd else value)


def objects(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Given]:
    return st.fixed_dictionaries({}, optional={name: nearly(value) for name, value in members.items()})


def lists(members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return nearly(st.lists(nearly(members), max_size=3))


REFS = lists(objects(id=st.sampled_from(["ipp_one", "ipp_two"])))
PROVIDERS = objects(
    github=objects(email_domains=lists(st.just("example.com")), client_secret=st.sampled_from(["x", "***"])),
    google=st.just({}),
)
ROUTES = objects(
    id=st.sampled_from(["edghtsrt_one", "edghtsrt_two"]),
    match_type=st.sampled_from(["exact_path", "path_prefix"]),
    match=st.sampled_from(["/shop", "/other"]),
    backend=objects(enabled=st.booleans(), backend_id=st.just("bkd_one"), backend=objects(id=st.just("bkd_one"))),
    oauth=objects(provider=PROVIDERS),
    ip_restriction=objects(ip_policies=REFS),
    policy=objects(inbound=lists(objects(name=st.just("x"), actions=lists(st.just({}))))),
)
EDGES = objects(
    id=st.sampled_from(["edghts_one", "edghts_two"]),
    hostports=lists(st.sampled_from(["a.example.com:443", "b.example.com:443"])),
    metadata=st.just("m"),
    mutual_tls=objects(certificate_authorities=REFS),
    routes=lists(ROUTES),
)
SOURCES = objects(type=st.sampled_from(["ip_policy_created.v0", "domain_created.v0"]), uri=st.just("/x"))
RESPONSES = st.fixed_dictionaries(
    {"edges": lists(EDGES), "sources": lists(SOURCES), "module": objects(ip_policies=REFS)}
)


class Almost:
    """A service whose responses are nearly right. IDs may be dots, empty, not a string, or those of another object, and
    routes, sources, and modules of wrong shapes.
    """

    def __init__(self, responses: Given, is_rejected: bool) -> None:
        self.edges, self._responses, self._is_rejected = responses["edges"], responses, is_rejected

    def __call__(self, request: Received) -> Response:
        path = request.path.split("?")[0]
        if request.method != "GET":
            if self._is_rejected:
                return Response(403)
            return Response(204) if request.method == "DELETE" else as_json(_first(self.edges))
        if path.endswith("/sources"):
            return as_json({"sources": self._responses["sources"], "uri": None})
        if path == "/edges/https":
            return as_json({"https_edges": self.edges})
        return as_json(_first(self.edges) if path.startswith("/edges/https/") else self._responses["module"])


def in_sequence(values: list[Any], status: int) -> Script:
    bodies = [json.dumps(value).encode() for value in values]
    return lambda request: Response(status if request.number else 200, bodies[min(request.number, len(bodies) - 1)])


SCRIPTS = {
    "responses of any kind": st.builds(
        in_sequence,
        st.lists(responses_of(NAMES), min_size=1, max_size=6),
        st.sampled_from([200, 200, 200, 201, 400, 404, 422]),
    ),
    "responses that are almost correct": st.builds(Almost, RESPONSES, st.booleans()),
}
# What may be purged sends more kinds of requests.
TASKS = {module: task_of(module) for module in MODULES}
TASKS["estate"] = {**TASKS["estate"], "purge": ["edges", "routes", "modules", "sources"], "concurrency": 1}


@pytest.mark.parametrize("kind", SCRIPTS)
@pytest.mark.parametrize("module", TASKS)
def test_no_response_crashes_or_leads_elsewhere(
    figures: Figures, responding: ScriptedService, kind: str, module: str
) -> None:
    """Nothing is written to another path, nothing is deleted twice, what cannot be read is not taken for nothing."""

    @settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
    @given(SCRIPTS[kind], st.booleans())
    def check(script: Script, check_mode: bool) -> None:
        responding.received.clear()
        responding.script = script
        connection = {**CONNECTION, "base_url": responding.base_url}
        result = applied(module, {**connection, **TASKS[module]}, check_mode)
        assert "option_errors" not in result
        assert isinstance(result["changed"], bool)
        assert not result.get("failed") or result["msg"]
        assert _complaints(responding, getattr(script, "edges", None)) == []
        figures.tried(kind)

    check()


def _first(edges: Any) -> Any:
    return edges[0] if isinstance(edges, list) and edges else edges


def _complaints(responding: ScriptedService, edges: Any) -> list[str]:
    paths = [(one.method, one.path) for one in responding.received if one.method != "GET"]
    found = [f"{method} {path}" for method, path in paths if {"", ".", ".."} & set(path[1:].split("/"))]
    deleted = [path for method, path in paths if method == "DELETE"]
    found += [f"deleted twice: {path}" for path in set(deleted) if deleted.count(path) > 1]
    for edge in edges if isinstance(edges, list) else ():
        routes = edge.get("routes") if isinstance(edge, dict) else None
        if edge is _first(edges) and not isinstance(routes, (list, type(None))):
            below = f"/edges/https/{json.dumps(edge.get('id'))[1:-1]}/routes"
            found += [
                f"{method} {path}, though its routes are {routes}" for method, path in paths if path.startswith(below)
            ]
    return found
