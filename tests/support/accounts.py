# SPDX-License-Identifier: GPL-3.0-or-later
"""Many accounts: a service for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from reference_service_process import ReferenceService, running_program

NAMES = [f"account{number:02}" for number in range(16)]

_STARTED_BY = Path(__file__).with_name("accounts_service.py")

Services = dict[str, ReferenceService]


@contextmanager
def running_services(folder: Path, names: Sequence[str] = NAMES) -> Iterator[Services]:
    ready = folder / "ready.json"
    with running_program((str(_STARTED_BY), str(ready), *names), ready, {}) as started:
        below = {name: f"{started.announced['base_url']}/{name}" for name in names}
        yield {name: ReferenceService(url, f"{url}/_control", f"ak_of_{name}") for name, url in below.items()}


def hostport_of(name: str) -> str:
    return f"{name}.example.com:443"


def writes(service: ReferenceService) -> list[str]:
    return [request["method"] for request in service.journal() if request["method"] != "GET"]
