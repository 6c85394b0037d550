# SPDX-License-Identifier: GPL-3.0-or-later
"""An account of a scripted service, whose lists and responses can be spoiled, and what polls it: an event source, or a
test.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.definition import options_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.memory import Memory, Moment, next_memory
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.reading import Reading, read_account
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.state_file import StateFile
from event_listener import Listener, listening
from scripted_service import Received, Response, ScriptedService, as_json, scripted_service

KEY = "ak_of_the_events"


class Account:
    """A scripted account with tunnels and edges, each in a list of pages. `spoil` may replace any response."""

    def __init__(self, tunnels: int = 3, edges: int = 2) -> None:
        self.tunnels = {f"tn_{number:03}": self.tunnel(f"tn_{number:03}") for number in range(tunnels)}
        self.edges = {f"edghts_{number:03}": self.edge(f"edghts_{number:03}") for number in range(edges)}
        self.hidden: set[str] = set()
        self.page = 100
        self.reads_single = True
        self.spoil: Any = lambda request: None

    @staticmethod
    def tunnel(identifier: str, **fields: Any) -> dict[str, Any]:
        return {"id": identifier, "public_url": f"https://{identifier[3:]}.example.com", "metadata": "", **fields}

    @staticmethod
    def edge(identifier: str, **fields: Any) -> dict[str, Any]:
        route = {"id": f"edghtsrt_{identifier[7:]}", "match_type": "path_prefix", "match": "/", "edge_id": identifier}
        hostports = [f"{identifier[7:]}.example.com:443"]
        return {"id": identifier, "hostports": hostports, "description": "", "routes": [route], **fields}

    def __call__(self, request: Received) -> Response:
        spoiled = self.spoil(request)
        if spoiled is not None:
            return spoiled
        path, _mark, query = request.path.partition("?")
        above, _slash, identifier = path.rpartition("/")
        lists = {"/tunnels": ("tunnels", self.tunnels), "/edges/https": ("https_edges", self.edges)}
        if path in lists:
            key, objects = lists[path]
            listed = [one for name, one in list(objects.items()) if name not in self.hidden]
            start = int(query.partition("=")[2] or 0)
            following = f"{path}?start={start + self.page}" if start + self.page < len(listed) else None
            return as_json({key: listed[start : start + self.page], "next_page_uri": following})
        if above in lists and not self.reads_single:
            return as_json({"status_code": 405, "msg": "not allowed"}, 405)
        found = lists[above][1].get(identifier) if above in lists else None
        return as_json(found) if found else as_json({"error_code": "ERR_404", "msg": "no such object"}, 404)


class Polled:
    """An account that is polled without a source."""

    def __init__(self, account: Account, **options: Any) -> None:
        self.account, self.options = account, options
        self.memory, self.reading, self.now = Memory(), Reading(), 0.0

    def restart(self, state: Path) -> None:
        """Know what a source knows that has ended, and is started again with its state file."""
        with closing(StateFile(str(state), "shop", 60.0)) as ended:
            ended.open()
            ended.save(self.memory, [])
        with closing(StateFile(str(state), "shop", 60.0)) as started:
            self.memory, self.reading = started.open()[0], Reading()

    def poll(self, service: ScriptedService) -> list[dict[str, Any]]:
        connection = {"base_url": service.base_url, "api_key": KEY, "retries": 0, "requests_per_minute": 100_000}
        options = options_of({**connection, "findings": False, "report_failure_after": 25, **self.options})
        client = Client(Connection.of(options), Progress())
        self.reading = read_account(client, options, self.memory.parts, self.memory.gone, self.reading)
        self.memory, events = next_memory(self.memory, self.reading, options, Moment("shop", self.now))
        return events


def lists(service: ScriptedService, path: str = "/edges/https") -> int:
    return sum(request.path == path for request in list(service.received))


@contextmanager
def watched(account: Account, takes: int = -1, **arguments: Any) -> Iterator[tuple[Listener, ScriptedService]]:
    with scripted_service(account) as service, listening_to(service, takes, **arguments) as listener:
        listener.until(lambda: lists(service, "/tunnels") > 2)
        yield listener, service


@contextmanager
def listening_to(service: ScriptedService, takes: int = -1, **arguments: Any) -> Iterator[Listener]:
    connection = {"base_url": service.base_url, "api_key": KEY, "retries": 0, "timeout": 5, "account": "shop"}
    with listening(lambda: lists(service, "/tunnels"), takes, **{**connection, **arguments}) as listener:
        yield listener
