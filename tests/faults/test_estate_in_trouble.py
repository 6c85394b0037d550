# SPDX-License-Identifier: GPL-3.0-or-later
"""One estate with something of everything to do: whatever happens to a run of it is made good, or reported and made
good by the next run.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import psutil
import pytest
import yaml

from amount import seeds, some_of
from fault_proxy import KINDS, SLOW, TIMEOUT, Fault, FaultProxy
from figures import LEAK, Figures
from module_task import WRITES, Given, apply, left_to_do
from reference_service_process import API_KEY, ReferenceService
from scripted_service import BREAK_OFF, Response

SECRETS = ("canary-of-webhook", "canary-of-oidc", "canary-of-oauth")
OLD = ["old.example.com:443"]

PREFIX, ONE = {"match_type": "path_prefix"}, {"match_type": "exact_path", "match": "/one"}
ROOT = {**PREFIX, "match": "/", "backend": {"backend_id": "bkdhr_one"}}
HOOK = {"webhook_verification": {"provider": "slack", "secret": SECRETS[0]}}
OIDC = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": SECRETS[1]}}
OAUTH = {"oauth": {"provider": {"github": {"client_id": "app", "client_secret": SECRETS[2]}}}}

SEED: dict[str, Any] = {
    "https_edges": [
        {
            "id": "edghts_old",
            "hostports": OLD,
            "description": "as it was",
            "mutual_tls": {"certificate_authority_ids": ["ca_one"]},
            "routes": [{**ROOT, **OAUTH}, {**PREFIX, "match": "/gone"}],
        }
    ],
    "tls_edges": [{"id": "edgtls_one"}, {"id": "edgtls_two", "tls_termination": {"terminate_at": "edge"}}],
    "event_subscriptions": [{"id": "esb_one", "sources": ["ip_policy_created.v0"]}],
}

ESTATE: dict[str, Any] = {
    "https_edges": [
        {
            "hostports": ["new.example.com:443", "new.example.com:8443"],
            "metadata": {"name": "new"},
            "routes": [{**ONE, "compression": {"enabled": True}}, {**PREFIX, "match": "/two", **HOOK}],
        },
        {
            "hostports": OLD,
            "description": "as it is to be",
            "tls_termination": {"min_version": "1.2"},
            "routes": [{**ROOT, **OIDC}],
        },
    ],
    "tls_edges": [
        {"edge_id": "edgtls_one", "ip_restriction": {"ip_policy_ids": ["ipp_one"]}},
        {"edge_id": "edgtls_two", "absent_modules": ["tls_termination"]},
    ],
    "event_subscriptions": [{"subscription_id": "esb_one", "sources": ["ip_policy_updated.v0"]}],
    "purge": ["routes", "modules", "sources"],
}


class EstateInTrouble:
    """Runs the estate through the proxy. `run` starts from the seed, and says what came of it."""

    def __init__(self, service: ReferenceService, proxy: FaultProxy) -> None:
        self.service, self.proxy = service, proxy
        self.start_over()
        self.expected: Any = None
        first = apply(ESTATE, proxy.base_url, timeout=30.0)
        assert not first.get("failed"), first["msg"]
        self.requests = len(proxy.requests)
        self.expected = self.state()

    def start_over(self) -> None:
        self.service.reset()
        self.service.switches(one_auth_module=True)
        self.service.seed(**SEED)
        self.proxy.begin()

    def run(self, faults: Mapping[int, Fault], **options: Any) -> dict[str, Any]:
        self.start_over()
        self.proxy.begin(faults)
        return apply(ESTATE, self.proxy.base_url, **{"timeout": TIMEOUT, **options})

    def complaints(self, result: dict[str, Any]) -> list[str]:
        """What is wrong after a run with faults: nothing, if all promises were kept."""
        self.proxy.raise_errors()
        sent_twice = [f"sent twice without a look: {request}" for request in _blindly_repeated(self.proxy)]
        found = [*sent_twice, *_leaks(result)]
        if result.get("failed"):
            found += _unclear(result)
        elif self.state() != self.expected:
            found.append("it said that it succeeded, and the state is another")
        found += left_to_do(ESTATE, self.service.base_url)
        if self.state() != self.expected:
            found.append(f"after the next run, the state is {self.state()} instead of {self.expected}")
        return found

    def state(self) -> Any:
        """All that the service holds, without what it makes up itself, in an order that does not depend on the run."""
        return _ordered(self.service.state())


def _blindly_repeated(proxy: FaultProxy) -> list[str]:
    """POST and PATCH requests that the service got twice, with nothing read in between."""
    found = []
    since_read: list[tuple[str, str, bytes]] = []
    for request in proxy.requests:
        if request.method not in WRITES:
            since_read = []
        elif request.method in ("POST", "PATCH") and proxy.statuses.get(request.number, 429) != 429:
            sent = (request.method, request.path, request.body)
            found += [f"{request.method} {request.path}"] if sent in since_read else []
            since_read.append(sent)
    return found


def _leaks(result: dict[str, Any]) -> list[str]:
    text = json.dumps(result, default=str)
    return [f"{LEAK}: {secret}" for secret in (*SECRETS, API_KEY) if secret in text]


def _unclear(result: dict[str, Any]) -> list[str]:
    """What an error lacks: the object that it is about, the operation, the cause."""
    failures = result.get("failures") or [{"object": "reading", "msg": result["msg"], "error": result.get("error")}]
    cause = re.compile("Skipped|Not (created|changed|deleted|purged|finished)|/")
    unclear = [one for one in failures if not (one["object"] and cause.search(one["msg"]))]
    return [f"an error that does not say what it is about: {one}" for one in unclear]


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _ordered(member) for name, member in value.items() if name not in ("id", "created_at")}
    if isinstance(value, list):
        return sorted((_ordered(member) for member in value), key=lambda member: json.dumps(member, sort_keys=True))
    return value


@pytest.fixture(scope="module")
def trouble(service: ReferenceService, proxy: FaultProxy) -> EstateInTrouble:
    """The estate, after a first run without faults that counts its requests."""
    return EstateInTrouble(service, proxy)


def test_the_estate_has_something_of_everything_to_do(trouble: EstateInTrouble) -> None:
    trouble.run({})
    assert {request.method for request in trouble.proxy.requests} == {"GET", "POST", "PUT", "PATCH", "DELETE"}
    # If the outcome of an edge's creation is unknown, the edge is read before its routes are created.
    [create] = [one.number for one in trouble.proxy.requests if (one.method, one.path) == ("POST", "/edges/https")]
    trouble.run({create: KINDS["reset after"]})
    found, edge, route = trouble.proxy.requests[create + 1 : create + 4]
    assert (found.method, found.path, edge.method) == ("GET", "/edges/https", "GET")
    assert (route.method, route.path) == ("POST", f"{edge.path}/routes")


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_loses_nothing(trouble: EstateInTrouble, figures: Figures, kind: str) -> None:
    complaints = {}
    for position in some_of(range(trouble.requests), 3, kind):
        result = trouble.run({position: KINDS[kind]})
        assert trouble.proxy.injected == [position]
        found = trouble.complaints(result)
        figures.tried("one fault, of each kind at each request", 1, found)
        if found:
            complaints[position] = found
    assert complaints == {}


@pytest.mark.parametrize("seed", seeds(12, 1000, "many faults"))
def test_many_faults_lose_nothing(trouble: EstateInTrouble, figures: Figures, seed: str) -> None:
    """Several objects at a time."""
    chance = random.Random(seed)
    kinds = [kind for kind in KINDS if kind not in SLOW or chance.random() < 0.1]
    often = chance.choice([0.05, 0.2, 0.5])
    faults = {number: KINDS[chance.choice(kinds)] for number in range(4 * trouble.requests) if chance.random() < often}
    result = trouble.run(faults, concurrency=chance.choice([1, 4]), retries=chance.choice([0, 2, 5]))
    injected = len(trouble.proxy.injected)
    found = trouble.complaints(result)
    figures.tried("many faults in one run", injected, found)
    assert found == []


@pytest.mark.parametrize("seed", seeds(8, 200, "two controllers"))
def test_two_control_nodes_at_once_create_nothing_twice(trouble: EstateInTrouble, figures: Figures, seed: str) -> None:
    chance = random.Random(seed)
    trouble.start_over()
    results: list[Given] = []
    start = Barrier(2)

    def control_node(lead: float) -> None:
        start.wait(10)
        time.sleep(lead)
        results.append(apply(ESTATE, trouble.service.base_url, timeout=30.0, concurrency=chance.choice([1, 4])))

    control_nodes = [Thread(target=control_node, args=(chance.random() * 0.05,)) for _each in range(2)]
    for each in control_nodes:
        each.start()
    for each in control_nodes:
        each.join(60)
    found = [complaint for result in results for complaint in trouble.complaints(result)]
    figures.tried("two control nodes at the same time", complaints=found)
    assert ([result.get("msg") for result in results if result.get("failed")], len(results), found) == ([], 2, [])


@pytest.mark.parametrize("takes_effect", [False, True], ids=["before", "after"])
def test_runs_killed_at_writes(trouble: EstateInTrouble, figures: Figures, tmp_path: Path, takes_effect: bool) -> None:
    trouble.run({})
    positions = [request.number for request in trouble.proxy.requests if request.method in WRITES]
    tasks = [{"edgeops.ingress.estate": {**ESTATE, "concurrency": 1}}]
    plays = [{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]
    (tmp_path / "play.yml").write_text(yaml.safe_dump(plays), encoding="utf-8")
    for position in some_of(positions, 2, f"killed {takes_effect}"):
        _run_and_kill(trouble, tmp_path / "play.yml", position, takes_effect)
        found = trouble.complaints({"failed": True, "msg": "killed at /", "error": {}})
        figures.tried("a playbook killed at a write", 1, found)
        assert found == [], position


def kill_all(ancestor: int) -> None:
    """End a process and all that it has started. Ansible's workers are not in its group.

    All are suspended first, so that none of them can react to the end of another one.
    """
    first = psutil.Process(ancestor)
    found: list[psutil.Process] = []
    # A process may start another one before it is suspended itself.
    while new := [one for one in (first, *first.children(recursive=True)) if one not in found]:
        for process in new:
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        found += new
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.kill()


def _run_and_kill(trouble: EstateInTrouble, play: Path, position: int, takes_effect: bool) -> None:
    trouble.start_over()
    process: list[subprocess.Popen[bytes]] = []

    def kill(_response: Response) -> Response:
        kill_all(process[0].pid)
        return BREAK_OFF

    trouble.proxy.begin({position: Fault(kill, takes_effect)})
    environment = {**os.environ, "INGRESS_BASE_URL": trouble.proxy.base_url, "INGRESS_API_KEY": API_KEY}
    command = [str(Path(sys.executable).with_name("ansible-playbook")), "-i", "localhost,", "-c", "local", str(play)]
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    process.append(subprocess.Popen(command, env=environment, **quiet))
    ended = process[0].wait(60)
    trouble.proxy.raise_errors()
    assert (ended, trouble.proxy.injected) == (-signal.SIGKILL, [position])
