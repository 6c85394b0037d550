# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-lint starts modules in order to check their arguments. They check them, and do nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from collection_tree import MODULES, link_checkout
from module_examples import all_examples
from reference_service_process import API_KEY, ReferenceService

ROUTE = {"edge_id": "edghts_one", "match_type": "exact_path", "match": "/"}

RIGHT: list[tuple[str, dict[str, Any]]] = [
    *all_examples(),
    ("api", {"method": "POST", "path": "{{ path }}", "body": "{{ body }}"}),
    ("estate", {"https_edges": "{{ edges }}", "purge": ["{{ purge }}"], "concurrency": "{{ n }}"}),
    (
        "estate",
        {
            "https_edges": [
                {"id": "{{ edge.id }}", "routes": [{"match_type": "exact_path", "circuit_breaker": "{{ breaker }}"}]},
                {"hostports": "{{ hostports }}", "mutual_tls": {"enabled": "{{ enabled }}"}},
            ],
        },
    ),
    ("exposure_info", {"estate": "{{ declared }}", "accept": "{{ accepted }}", "fail_on": "{{ severity }}"}),
    ("exposure_info", {"estate": {"https_edges": "{{ edges }}"}, "accept": ["{{ one }}", {"rule": "{{ rule }}"}]}),
    ("estate", {"https_edges": [], "reject_findings": "{{ severity }}", "accept": "{{ accepted }}"}),
    ("estate_info", {"tls_edges": ["{{ edge }}"]}),
    ("event_source", {"subscription_id": "{{ esb }}", "type": "{{ type }}", "state": "{{ state }}"}),
    ("event_sources", {"subscription_id": "{{ esb }}", "types": "{{ types }}", "purge": "{{ purge }}"}),
    ("https_edge", {"id": "{{ id }}", "state": "{{ state }}", "timeout": "{{ t }}", "validate_certs": "{{ v }}"}),
    ("https_edge_info", {"hostports": "{{ hostports }}"}),
    (
        "https_edge_route",
        {**ROUTE, "edge_id": "{{ shop.https_edge.id }}", "circuit_breaker": {"num_buckets": "{{ n | int }}"}},
    ),
    (
        "https_edge_routes",
        {
            "edge_id": "{{ id }}",
            "routes": [
                {"match_type": "exact_path", "match": "/", "backend": {"enabled": "{{ on }}", "backend_id": "bk_one"}},
                {"match_type": "{{ type }}", "match": "/b", "oauth": {"provider": "{{ p }}"}},
                "{{ route }}",
            ],
        },
    ),
    (
        "https_edge_route",
        {**ROUTE, "oauth": {"provider": {"google": {"client_secret": "{{ s }}", "scopes": ["{{ t }}"]}}}},
    ),
    ("estate", {"objects": ["{{ one }}", {"name": "{{ name }}", "collection": "/backends", "body": "{{ body }}"}]}),
    ("tls_edge_info", {"id": "{{ id }}"}),
    ("tls_edge_ip_restriction", {"edge_id": "edgtls_one", "ip_policy_ids": ["{{ policy }}"]}),
    ("tls_edge_tls_termination", {"edge_id": "{{ id }}", "min_version": "{{ version }}"}),
    ("tunnel_info", {"retries": "{{ r }}"}),
]

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("https_edge_route", {**ROUTE, "edge_idd": "{{ id }}"}, "edge_idd"),
    ("event_source", {"subscription_id": "{{ id }}"}, "type"),
    ("https_edge_route", {**ROUTE, "match_type": "exact"}, "exact_path"),
    ("https_edge_route", {**ROUTE, "oidc": {"client_secert": "{{ secret }}"}}, "client_secert"),
    ("https_edge_route", {**ROUTE, "circuit_breaker": {"num_buckets": "many"}}, "num_buckets"),
    ("https_edge_routes", {"edge_id": "{{ id }}", "routes": "all"}, "routes"),
    ("estate", {"https_edges": [{"routes": [{"match": "{{ m }}", "backend": {"unknown": 1}}]}]}, "unknown"),
    ("https_edge_route", {**ROUTE, "oauth": {"provider": {"google": {"client_secert": "{{ s }}"}}}}, "client_secert"),
    ("exposure_info", {"estate": {"https_edges": [{"routes": [{"mach": "{{ m }}"}]}]}}, "mach"),
    ("estate", {"https_edges": [], "accept": [{"rule": "open-door", "object": "x", "reason": "y"}]}, "open-door"),
    ("tunnel_info", {"timeout": "long"}, "timeout"),
    *((module, {"no_such_option": "{{ value }}"}, "no_such_option") for module in MODULES),
]


MOST_TASKS = 100
"""In one play, without a complaint of ansible-lint."""


def linted(folder: Path, tasks: list[tuple[str, dict[str, Any]]], environment: dict[str, str]) -> dict[int, str]:
    """What ansible-lint says of each of these tasks, by their numbers."""
    written = [
        {"name": f"Task {number}", f"edgeops.ingress.{module}": options}
        for number, (module, options) in enumerate(tasks)
    ]
    parts = [written[first : first + MOST_TASKS] for first in range(0, len(written), MOST_TASKS)]
    text = yaml.safe_dump(
        [{"name": "Some tasks", "hosts": "localhost", "gather_facts": False, "tasks": part} for part in parts]
    )
    (folder / "site.yml").write_text(text, encoding="utf-8")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("INGRESS_")}
    run = subprocess.run(
        [sys.executable, "-m", "ansiblelint", "--offline", "--nocolor", "--format", "json", "site.yml"],
        cwd=folder,
        env={**inherited, "ANSIBLE_COLLECTIONS_PATH": str(link_checkout()), "HOME": str(folder), **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "Ignored exception" not in run.stderr, run.stderr
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("  - ")]
    found = {}
    for match in json.loads(run.stdout):
        if match["check_name"].startswith("args"):
            line = match["location"].get("lines", match["location"].get("positions"))["begin"]
            line = line["line"] if isinstance(line, dict) else line
            found[sum(start <= line for start in starts) - 1] = match["description"] + str(match.get("content"))
        else:
            assert match["check_name"].startswith(("yaml", "name", "jinja", "key-order")), match
    return found


@pytest.mark.parametrize("is_set", [True, False])
def test_linting_checks_arguments_and_sends_nothing(service: ReferenceService, tmp_path: Path, is_set: bool) -> None:
    service.reset()
    service.seed(https_edges=[{"id": "edghts_one", "hostports": ["one.example.com:443"]}])
    before = service.state()
    wrong = [(module, options) for module, options, _ in WRONG]
    # The inspection ignores the environment, even if it is wrong.
    environment = {"INGRESS_BASE_URL": service.base_url, "INGRESS_API_KEY": API_KEY, "INGRESS_RETRIES": "0"}
    found = linted(tmp_path, [*RIGHT, *wrong], environment if is_set else {"INGRESS_TIMEOUT": "wrong"})
    assert {number: said for number, said in found.items() if number < len(RIGHT)} == {}
    for number, (module, _, named) in enumerate(WRONG, len(RIGHT)):
        assert named in found.get(number, ""), (module, named)
    assert service.journal() == []
    assert service.state() == before
