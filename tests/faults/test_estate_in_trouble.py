# SPDX-License-Identifier: GPL-3.0-or-later
"""One estate with something of everything to do: whatever happens to a run of it is made good, or reported and made
good by the next run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Barrier, Thread

import pytest
import yaml

from amount import seeds, some_of
from estate_in_trouble import ESTATE, EstateInTrouble
from fault_kinds import KINDS, SLOW
from fault_proxy import Fault
from figures import Figures
from module_task import WRITES, Given
from processes import kill_all
from reference_service_process import API_KEY
from scripted_service import BREAK_OFF, Response

POSITIONS_OF_A_SAMPLE = 3
LONGEST_LEAD_SECONDS = 0.05
LONGEST_RUN_SECONDS = 60


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
    for position in some_of(range(trouble.requests), POSITIONS_OF_A_SAMPLE, kind):
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
def test_two_control_nodes_at_the_same_time_create_nothing_twice(
    trouble: EstateInTrouble, figures: Figures, seed: str
) -> None:
    chance = random.Random(seed)
    trouble.start_over()
    results: list[Given] = []
    start = Barrier(2)

    def control_node(lead: float) -> None:
        start.wait(10)
        time.sleep(lead)
        results.append(trouble.apply(trouble.service.base_url, timeout=30.0, concurrency=chance.choice([1, 4])))

    control_nodes = [Thread(target=control_node, args=(chance.random() * LONGEST_LEAD_SECONDS,)) for _each in range(2)]
    for each in control_nodes:
        each.start()
    for each in control_nodes:
        each.join(60)
    found = [complaint for result in results for complaint in trouble.complaints(result)]
    figures.tried("two control nodes at the same time", complaints=found)
    assert ([result.get("msg") for result in results if result.get("failed")], len(results), found) == ([], 2, [])


@pytest.mark.parametrize("takes_effect", [False, True], ids=["before", "after"])
def test_a_playbook_is_killed_at_a_write(
    trouble: EstateInTrouble, figures: Figures, tmp_path: Path, takes_effect: bool
) -> None:
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
    ended = process[0].wait(LONGEST_RUN_SECONDS)
    trouble.proxy.raise_errors()
    assert (ended, trouble.proxy.injected) == (-signal.SIGKILL, [position])
