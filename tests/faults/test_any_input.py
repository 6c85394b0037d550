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
from ansible_collections.edgeops.ingress.plugins.module_utils._model.option_error import OptionError
from ansible_collections.edgeops.ingress.plugins.module_utils._model.option_wording import with_suboptions
from collection_tree import MODULES
from figures import Figures
from module_task import Given, applied, work_of
from sample_tasks import task_of
from scripted_service import Response, ScriptedService

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
    if suboptions := with_suboptions(option).get("options"):
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

# What may be purged sends more kinds of requests.
TASKS = {module: task_of(module) for module in MODULES}
TASKS["estate"] = {**TASKS["estate"], "purge": ["edges", "routes", "modules", "sources"]}


@pytest.mark.parametrize("module", TASKS)
def test_no_response_causes_a_traceback(figures: Figures, responding: ScriptedService, module: str) -> None:
    @settings(max_examples=CASES, suppress_health_check=list(HealthCheck))
    @given(
        st.lists(responses_of(NAMES), min_size=1, max_size=6),
        st.sampled_from([200, 200, 200, 201, 400, 404, 422]),
        st.booleans(),
    )
    def check(values: list[Any], status: int, check_mode: bool) -> None:
        bodies = [json.dumps(value).encode() for value in values]
        responding.received.clear()
        responding.script = lambda request: Response(
            status if request.number else 200, bodies[min(request.number, len(bodies) - 1)]
        )
        result = applied(module, {**CONNECTION, "base_url": responding.base_url, **TASKS[module]}, check_mode)
        assert "option_errors" not in result
        assert isinstance(result["changed"], bool)
        assert not result.get("failed") or result["msg"]
        figures.tried("responses of any kind")

    check()
