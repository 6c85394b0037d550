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

from amount import first_alone
from collection_tree import MODULES, link_checkout
from module_examples import all_examples
from reference_service_process import API_KEY, running_reference_service

# Options with lists, whose members are templates.
LISTS = {"estate": ["purge", "accept", "objects"], "estate_info": ["tls_edges"], "exposure_info": ["accept"]}
ROUTE = {"edge_id": "edghts_one", "match_type": "exact_path", "match": "/"}


def templated(value: Any, depth: int) -> Any:
    """A value with a template in place of each of its parts at this depth."""
    if depth == 0:
        return "{{ value }}"
    if isinstance(value, dict):
        return {name: templated(member, depth - 1) for name, member in value.items()}
    return [templated(member, depth) for member in value] if isinstance(value, list) else value


RIGHT: list[tuple[str, dict[str, Any]]] = [
    *all_examples(),
    *(
        (module, made)
        for module, example in all_examples()
        for depth in range(1, 5)
        if (made := templated(example, depth)) != example
    ),
    *((module, {name: ["{{ member }}"] for name in options}) for module, options in LISTS.items()),
    ("https_edge_routes", {"edge_id": "{{ id }}", "routes": [{"match_type": "{{ type }}", "match": "/"}, "{{ one }}"]}),
    ("https_edge", {"id": "{{ id }}", "state": "{{ state }}", "timeout": "{{ t }}", "validate_certs": "{{ v }}"}),
]

WRONG: list[tuple[str, dict[str, Any], str]] = [
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
    written = [{"name": f"Task {at}", f"edgeops.ingress.{name}": options} for at, (name, options) in enumerate(tasks)]
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


@pytest.mark.parametrize("is_set", first_alone([True, False]))
def test_linting_checks_arguments_and_sends_nothing(tmp_path: Path, is_set: bool) -> None:
    wrong = [(module, options) for module, options, _ in WRONG]
    (tmp_path / "service").mkdir()
    with running_reference_service(tmp_path / "service") as service:
        # The inspection ignores the environment, even if it is wrong.
        environment = {"INGRESS_BASE_URL": service.base_url, "INGRESS_API_KEY": API_KEY, "INGRESS_RETRIES": "0"}
        found = linted(tmp_path, [*RIGHT, *wrong], environment if is_set else {"INGRESS_TIMEOUT": "wrong"})
        assert service.journal() == []
    assert {number: said for number, said in found.items() if number < len(RIGHT)} == {}
    for number, (module, _, named) in enumerate(WRONG, len(RIGHT)):
        assert named in found.get(number, ""), (module, named)
