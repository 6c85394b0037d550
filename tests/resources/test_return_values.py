# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of the modules have the keys that RETURN documents, and RETURN documents no others.

Their values are plain: ansible-core warns about anything else, and turns some of it into other values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from collection_tree import MODULES
from module_examples import EDGE, ROUTE, SEED, constants_of, task_of
from module_task import Given, Tasks

pytestmark = pytest.mark.every_core

OWN_KEYS = {"changed", "failed", "msg", "diff", "warnings", "sent"}
"""Keys that results of all modules of Ansible can have, and the one of our tests. They need no documentation."""

TYPES: Given = {"str": str, "int": int, "float": (float, int), "bool": bool, "dict": dict, "list": list}
PLAIN = (str, int, float, bool, list, dict, type(None))

OTHER_PLAN: Given = {"expect_plan": "0" * 32}
NO_DELETION: Given = {"allow_empty": True, "max_deletions": 0}
ON_EDGE: Given = {"edge_id": "edghts_one"}
SEVERAL: Given = {
    "https_edges": [{"hostports": [f"{one}.example.com:443"], "metadata": "twice"} for one in ("two", "three")],
    "tls_edges": [{"id": "edgtls_two", "metadata": "twice"}, {"id": "edgtls_three", "metadata": "twice"}],
    "objects": {"ip_policies": [{"description": "Twice"}, {"description": "Twice"}]},
}
TWICE: Given = {"edge": {"metadata": "twice"}}
BOTH = {"hostports": ["two.example.com:443", "three.example.com:443"]}
PRIVATE = {"needs": ["login"], "reason": "Nobody else needs it."}
OPEN = {"match_type": "path_prefix", "match": "/open", "backend": {"backend_id": "bk_one"}}
STREAM: Given = {
    "collection": "event_destinations",
    "find_by": {"description": "Stream"},
    "body": {"format": "JSON", "target": {"kinesis": {"auth": {"creds": {"aws_secret_access_key": "canary"}}}}},
}

RARE: dict[str, tuple[Given, ...]] = {
    "estate": (
        {"https_edges": [EDGE], **OTHER_PLAN},
        {"https_edges": [], "purge": ["edges"], **NO_DELETION},
        {"tls_edges": [{"edge_id": f"edgtls_{one}", "ip_restriction": {"ip_policy_ids": ["ipp_one"]}} for one in "ab"]},
        {"purge": ["edges"], "tls_edges": []},
        {"https_edges": [{**EDGE, "routes": [ROUTE]}]},
    ),
    "event_sources": (
        {"subscription_id": "esb_one", "types": [], **OTHER_PLAN},
        {"subscription_id": "esb_one", "types": [], "purge": True, **NO_DELETION},
        {"subscription_id": "esb_one", "types": ["unknown.v0"], "allow_unknown_type": True},
    ),
    "exposure_info": ({"estate": {}}, {"fail_on": "low", "requirements": [{**PRIVATE, "hosts": ["*"]}]}),
    "https_edge": (BOTH, {"find_by": "metadata"}),
    "https_edge_route": ({**TWICE, **ROUTE}, ON_EDGE | ROUTE, {**ON_EDGE, "match": "/", "oauth": {}, "policy": {}}),
    "https_edge_routes": (
        {**TWICE, "routes": []},
        {**ON_EDGE, "routes": [ROUTE]},
        {**ON_EDGE, "routes": [ROUTE], **OTHER_PLAN},
        {**ON_EDGE, "purge": True, "routes": [], **NO_DELETION},
        {**ON_EDGE, "routes": [{"id": "edghtsrt_unknown", "description": "?"}]},
        {**ON_EDGE, "routes": [OPEN], "requirements": [PRIVATE]},
    ),
    "object": (
        {"collection": "ip_policies", "find_by": {"description": "Twice"}},
        STREAM,
        STREAM,
        {"collection": "things"},
    ),
    "tls_edge_ip_restriction": ({**TWICE, "ip_policy_ids": ["ipp_one"]},),
    "tls_edge_tls_termination": ({**TWICE, "terminate_at": "edge"},),
}
"""For each module, tasks that return the keys that hardly any task returns."""


def results_of(module: str, tasks: Tasks) -> Iterator[Given]:
    """Run the task of the module in several ways, and yield the results."""
    tasks.service.seed(**SEED)
    tasks.service.seed(**SEVERAL)
    for check in (True, False, False):  # predicted, changed, and unchanged
        yield tasks.done(module, check=check, **task_of(module))
    yield tasks.failed(module, **{**task_of(module), "api_key": "ak_of_nobody"})
    yield tasks.failed(module, no_such_option=1)
    yield tasks.failed(module, api_version="ü", ca_path=["x"])
    tasks.service.switches(secrets="left_out")
    for options in RARE.get(module, ()):
        yield tasks.run(module, **options)


def differences(result: Given, returned: Given) -> Iterator[str]:
    """Yield what the documentation of the module does not say about the values of a result."""
    for key in result.keys() - OWN_KEYS - returned.keys():
        yield f"{key} is not documented"
    always = ("always",) if result.get("failed") else ("always", "success", "unless the options are invalid")
    for key, about in returned.items():
        if key not in result:
            if about["returned"].split(",")[0] in always:
                yield f"{key} is missing"
        elif result[key] is None:
            if "null" not in str(about["description"]).lower():
                yield f"{key} is null"
        elif about["type"] != "raw" and not isinstance(result[key], TYPES[about["type"]]):
            yield f"{key}: expected {about['type']}, got {result[key]!r}"


def not_plain(value: Any, path: str = "result") -> Iterator[str]:
    """Yield what is not exactly of a plain type, at any depth."""
    if type(value) not in PLAIN:
        yield f"{path}: {type(value).__name__}"
    elif isinstance(value, (dict, list)):
        for name, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from not_plain(name, f"the key {name!r} of {path}")
            yield from not_plain(member, f"{path}.{name}")


@pytest.mark.parametrize("module", MODULES)
def test_results_have_the_documented_keys_and_no_others(tasks: Tasks, module: str) -> None:
    returned = yaml.safe_load(constants_of(module)["RETURN"])
    results = list(results_of(module, tasks))
    assert [found for result in results for found in (*differences(result, returned), *not_plain(result))] == []
    assert {key for result in results for key in result} | OWN_KEYS >= returned.keys()
