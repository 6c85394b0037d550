# SPDX-License-Identifier: GPL-3.0-or-later
"""What is timed of many accounts: a job in slices, each of them transmitted to one of several workers."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from accounts import Services, hostport_of, running_services
from collection_tree import CHECKOUT, link_checkout
from execution_node import ExecutionNodes, Hosts

ACCOUNTS = tuple(f"account{number:03}" for number in range(200))
SLICES = 8
DELAY_MS = 200
PROJECT = CHECKOUT / "docs" / "awx" / "project"


class SlicedJob:
    """A job that configures all accounts, and finds them as declared."""

    def __init__(self, folder: Path, services: Services) -> None:
        self._folder, self._services = folder, services
        self._numbers = itertools.count()

    def seconds(self, workers: int) -> float:
        """What the job takes if so many workers run its slices, each of them one at a time."""
        folder = self._folder / f"job{next(self._numbers)}"
        folder.mkdir()
        nodes = ExecutionNodes(folder, PROJECT, link_checkout())
        dealt = [self._hosts(ACCOUNTS[first::SLICES]) for first in range(SLICES)]
        started = time.monotonic()
        with ThreadPoolExecutor(max_workers=workers) as pool:
            codes = list(pool.map(lambda hosts: nodes.start("estate.yml", hosts, {}).artifacts()[0], dealt))
        if any(codes):
            raise RuntimeError(f"the slices ended with {codes}")
        return time.monotonic() - started

    def _hosts(self, names: tuple[str, ...]) -> Hosts:
        return {
            name: {
                "ansible_connection": "local",
                "ansible_python_interpreter": sys.executable,
                "ingress_base_url": self._services[name].base_url,
                "ingress_api_key": self._services[name].api_key,
                "estate_https_edges": [{"hostports": [hostport_of(name)]}],
            }
            for name in names
        }


@contextmanager
def sliced_job(folder: Path) -> Iterator[SlicedJob]:
    """The job, and the services of its accounts, which take their time to respond."""
    with running_services(folder, ACCOUNTS) as services:
        for name, service in services.items():
            service.seed(https_edges=[{"hostports": [hostport_of(name)]}])
            service.switches(response_delay_ms=DELAY_MS)
        yield SlicedJob(folder, services)
