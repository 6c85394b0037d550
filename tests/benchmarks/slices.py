# SPDX-License-Identifier: GPL-3.0-or-later
"""What is timed of many accounts: a job in slices, each of them transmitted to one of several workers."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from accounts import hostport_of, running_services
from collection_tree import CHECKOUT, link_checkout
from execution_node import ExecutionNodes
from reference_service_process import ReferenceService

ACCOUNTS = tuple(f"account{number:03}" for number in range(200))
SLICES = 8
DELAY_MS = 200
PROJECT = CHECKOUT / "docs" / "awx" / "project"


@contextmanager
def sliced_job(folder: Path) -> Iterator[Callable[[int], float]]:
    """The seconds of a job that finds all accounts as declared, if so many workers run its slices, each one at a time.

    The services of its accounts take their time to respond.
    """
    with running_services(folder, ACCOUNTS) as services:
        for name, service in services.items():
            service.seed(https_edges=[{"hostports": [hostport_of(name)]}])
            service.switches(response_delay_ms=DELAY_MS)
        hosts = {name: _variables(name, service) for name, service in services.items()}
        dealt = [{name: hosts[name] for name in ACCOUNTS[first::SLICES]} for first in range(SLICES)]

        def seconds(workers: int) -> float:
            nodes = ExecutionNodes(Path(tempfile.mkdtemp(dir=folder)), PROJECT, link_checkout())
            started = time.monotonic()
            with ThreadPoolExecutor(max_workers=workers) as pool:
                codes = list(pool.map(lambda one: nodes.exit_code("estate.yml", one), dealt))
            if any(codes):
                raise RuntimeError(f"the slices ended with {codes}")
            return time.monotonic() - started

        yield seconds


def _variables(name: str, service: ReferenceService) -> dict[str, object]:
    return {
        "ansible_connection": "local",
        "ansible_python_interpreter": sys.executable,
        "ingress_base_url": service.base_url,
        "ingress_api_key": service.api_key,
        "estate_https_edges": [{"hostports": [hostport_of(name)]}],
    }
