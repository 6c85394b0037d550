# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the table: what is timed against what. Each sets up the service as it needs."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import AT_MOST, Ran, Row, playbook, process

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked
from ansible_collections.edgeops.ingress.plugins.module_utils._objects.routes_of_edge import RoutesOfEdge
from collection_tree import link_checkout
from module_task import work_of
from reference_service_process import ReferenceService

Objects = list[dict[str, Any]]
Pairs = list[tuple[float, float]]

ROUTE = "edgeops.ingress.https_edge_route"
ROUTES = "edgeops.ingress.https_edge_routes"
ESTATE = {"edgeops.ingress.estate": {"https_edges": "{{ declared }}"}}
DEBUG = {"ansible.builtin.debug": {"msg": "item"}}
OFF = {"ansible_edgeops_in_process": False}
LIMIT = "the limit"
SAME = "the same"
SEPARATE = 60
ITEMS, LOOPS = 20, 10
"""The items of each loop that is timed in turn with others, and how many loops."""

BARE_SCRIPT = """
import json, os, pathlib, requests, sys, time

started = time.perf_counter()
session = requests.Session()
session.headers.update({"Authorization": f"Bearer {os.environ['INGRESS_API_KEY']}", "Svc-Version": "2"})
declared = json.loads(pathlib.Path(sys.argv[1]).read_text())
edges, address = [], os.environ["INGRESS_BASE_URL"] + sys.argv[2]
while address:
    page = session.get(address, timeout=60).json()
    edges += page.get("https_edges", [page])
    address = page.get("next_page_uri")
there = {(edge["hostports"][0], route["match"]): route for edge in edges for route in edge["routes"]}
for edge in declared:
    for route in edge["routes"]:
        held = there[edge["hostports"][0], route["match"]]
        assert held["match_type"] == route["match_type"]
        assert held["backend"]["backend"]["id"] == route["backend"]["backend_id"]
        assert held["compression"]["enabled"]
print(time.perf_counter() - started)
"""
"""What a script with requests alone takes: it reads everything, compares what is declared, and prints the seconds."""

ANSIBLE_INVENTORY = Path(sys.executable).with_name("ansible-inventory")
MANY_TUNNELS = 10_000


def routes(number: int) -> Objects:
    common = {"match_type": "path_prefix", "backend": {"backend_id": "bkdhr_one"}, "compression": {"enabled": True}}
    return [{**common, "match": f"/{one}"} for one in range(number)]


def edges(number: int, routes_each: int) -> Objects:
    return [{"hostports": [f"host-{one}.example.com:443"], "routes": routes(routes_each)} for one in range(number)]


def tunnel(number: int) -> dict[str, Any]:
    return {
        "id": f"tn_{number:06}",
        "public_url": f"tcp://{number % 9}.tcp.example.net:{10000 + number}",
        "proto": "tcp",
        "region": ("ap", "eu", "us")[number % 3],
        "metadata": json.dumps({"name": f"device-{number}", "role": "device", "floors": [1, 2]}),
        "forwards_to": "localhost:22",
    }


class Bench:
    """Times rows on one service, each in so many rounds."""

    def __init__(self, service: ReferenceService, folder: Path, rounds: int) -> None:
        self.service, self.folder, self.rounds = service, folder, rounds
        self.environment = {
            "INGRESS_BASE_URL": service.base_url,
            "INGRESS_API_KEY": service.api_key,
            "ANSIBLE_COLLECTIONS_PATH": str(link_checkout()),
        }

    def rows(self) -> list[Callable[[], Row]]:
        """All rows, in the order of the methods that time them."""
        return [getattr(self, name) for name in vars(Bench) if not name.startswith("_") and name != "rows"]

    def loop_of_routes(self) -> Row:
        edge_id, match = "{{ ids[item // 10] }}", "/{{ item % 10 }}"
        route = {**routes(1)[0], "match": match}
        url = f"{self.service.base_url}/edges/https/{edge_id}"
        headers = {"Authorization": f"Bearer {self.service.api_key}", "Svc-Version": "2"}
        there = "read.results[item].json.routes | selectattr('match', 'eq', '/' ~ item % 10) | first"
        change = {"url": f"{url}/routes/{{{{ ({there}).id }}}}", "method": "PATCH", "body": route}
        theirs = [
            {**_loop(200, "ansible.builtin.uri", url=url, headers=headers), "register": "read"},
            {**_loop(200, "ansible.builtin.uri", **change), "when": f"not ({there}).compression.enabled"},
        ]
        ours = [_loop(200, ROUTE, edge_id=edge_id, **route)]
        ids = self._seed(edges(20, 10))
        pairs = self._in_turn(lambda: self._seconds(ours, ids=ids), lambda: self._seconds(theirs, ids=ids))
        against = "the same as `uri` tasks (GET, compare, PATCH)"
        return Row("loop of 200 `https_edge_route`, on 20 edges", against, "50", pairs)

    def loop_of_sources(self) -> Row:
        self._seed([])
        self.service.seed(event_subscriptions=[{"id": "esb_bench", "sources": ["ip_policy_created.v0"]}])
        task = _loop(200, "edgeops.ingress.event_source", subscription_id="esb_bench", type="ip_policy_created.v0")
        pairs = self._in_process_and_off([task])
        return Row("loop of 200 `event_source`", "the same module with in-process off", "40", pairs)

    def separate_tasks(self) -> Row:
        pairs = self._in_process_and_off([self._route_task()] * 20)
        return Row("20 separate tasks", "ordinary module", "10", pairs)

    def separate_tasks_and_debug(self) -> Row:
        pairs = self._in_one_run(self._route_task(), DEBUG, SEPARATE)
        return Row(f"{SEPARATE} separate tasks after the first", "`debug`", f"{AT_MOST} 1.5", pairs)

    def separate_tasks_and_limit(self) -> Row:
        task = self._route_task()
        return Row(SAME, LIMIT, f"{AT_MOST} 1.1", self._in_one_run(task, _at_the_limit(task), SEPARATE))

    def first_task_and_debug(self) -> Row:
        task = self._route_task()
        ours, theirs = (lambda task=task: playbook([task], self.environment)[0].seconds for task in (task, DEBUG))
        pairs = self._in_turn(ours, theirs)
        return Row("a playbook of one task, with its start", "`debug`", f"{AT_MOST} 1.25", pairs)

    def loop_item_and_debug(self) -> Row:
        pairs = self._in_one_run(_looped(self._route_task()), _looped(DEBUG), LOOPS)
        work = f"{ITEMS * LOOPS} items of loops of `https_edge_route`, after the first task"
        return Row(work, "`debug`", f"{AT_MOST} 1.8", pairs)

    def loop_item_and_limit(self) -> Row:
        return self._items_and_limit(SAME, 1)

    def items_on_a_large_edge(self) -> Row:
        return self._items_and_limit("the same on an edge of 1,000 routes", 1000)

    def _items_and_limit(self, work: str, routes_of_edge: int) -> Row:
        task = self._route_task(routes_of_edge)
        pairs = self._in_one_run(_looped(task), _looped(_at_the_limit(task)), LOOPS)
        return Row(work, LIMIT, f"{AT_MOST} 1.2", pairs)

    def one_large_edge(self) -> Row:
        declared, task = self._large_edge()
        edge_id = task[ROUTES]["edge_id"]
        ours, theirs = self._play(task, declared), lambda: float(self._bare(declared, f"/{edge_id}").output)
        work = "one edge of 1,000 routes, `https_edge_routes`"
        against = "a script with `requests` alone, without its start"
        return Row(work, against, f"{AT_MOST} 1 request", self._in_turn(ours, theirs), self._requests_of(ours))

    def one_large_edge_and_set_fact(self) -> Row:
        declared, task = self._large_edge()
        fact = {"ansible.builtin.set_fact": {"routes": "{{ declared[0].routes }}"}}
        pairs = self._in_turn(self._play(task, declared), self._play(fact, declared))
        return Row(SAME, "`set_fact` with the same routes", f"{AT_MOST} 2", pairs)

    def _large_edge(self) -> tuple[Objects, dict[str, Any]]:
        """What is declared of an edge with 1,000 routes, and the task for it."""
        declared = edges(1, 1000)
        return declared, {ROUTES: {"edge_id": self._seed(declared)[0], "routes": "{{ declared[0].routes }}"}}

    def estate_and_single_modules(self) -> Row:
        declared, sample = edges(1000, 10), 5
        edge_id = self._seed(declared)[0]
        route = {**routes(1)[0], "match": "/{{ item % 10 }}"}
        singly = [
            _loop(sample, "edgeops.ingress.https_edge", hostports=["host-{{ item }}.example.com:443"]),
            _loop(10 * sample, ROUTE, edge_id=edge_id, **route),
        ]
        ours = self._play(ESTATE, declared)
        pairs = self._in_turn(ours, lambda: self._seconds(singly) * len(declared) / sample)
        against = f"a loop of single modules (timed for {sample} edges and their routes, and multiplied)"
        work = "estate of 1,000 edges with 10 routes each"
        return Row(work, against, "100; 11 requests at most", pairs, self._requests_of(ours))

    def estate_and_set_fact(self) -> Row:
        declared = edges(1000, 10)
        self._seed(declared)
        fact = {"ansible.builtin.set_fact": {"held": "{{ declared }}"}}
        pairs = self._in_turn(self._play(ESTATE, declared), self._play(fact, declared))
        return Row(SAME, "`set_fact` with the same edges", f"{AT_MOST} 2", pairs)

    def concurrency(self) -> Row:
        return self._slow_row("first run of an estate (550 writes)", edges(50, 10))

    def concurrency_in_one_edge(self) -> Row:
        return self._slow_row("first run of an estate of one edge with 1,000 routes", edges(1, 1000))

    def _slow_row(self, work: str, declared: Objects) -> Row:
        """A row of first runs with different concurrency, with a service that takes its time to respond."""
        [(module, options)] = ESTATE.items()

        def first_run(concurrency: int) -> float:
            self._seed([])
            self.service.switches(response_delay_ms=20)
            return self._play({module: {**options, "concurrency": concurrency}}, declared)()

        pairs = self._in_turn(lambda: first_run(4), lambda: first_run(1))
        self.service.switches()
        return Row(f"{work}, concurrency 4, 20 ms per response", "concurrency 1", "3", pairs)

    def planning(self) -> Row:
        def plan(number: int) -> float:
            given = {"edge_id": "edghts_x", "routes": routes(number), "base_url": "http://localhost", "api_key": "k"}
            declared = checked(work_of("https_edge_routes"), given).options["routes"]
            other = {"backend": {"enabled": True, "backend": {"id": "bkdhr_two"}}}
            there = [{**route, "id": f"edghtsrt_{one}", **other} for one, route in enumerate(routes(number))]
            started = time.perf_counter()
            RoutesOfEdge({"routes": there}, "edghts_x").plans(declared)
            return time.perf_counter() - started

        pairs = self._in_turn(lambda: plan(10_000), lambda: plan(1000))
        return Row("planning 10,000 routes, all to be changed", "planning 1,000", f"{AT_MOST} 11", pairs)

    def memory(self) -> Row:
        declared = edges(1000, 10)
        self._seed(declared)
        connection = {"base_url": self.service.base_url, "api_key": self.service.api_key}
        given = self.folder / "arguments.json"
        given.write_text(json.dumps({"ANSIBLE_MODULE_ARGS": {**connection, "https_edges": declared}}), encoding="utf-8")
        module = [sys.executable, "-m", "ansible_collections.edgeops.ingress.plugins.modules.estate", str(given)]
        environment = {"PYTHONPATH": str(link_checkout())}
        pairs = self._in_turn(lambda: process(module, environment).mebibytes, lambda: self._bare(declared).mebibytes)
        against = "the bare script that holds the same JSON"
        return Row("peak memory of the estate of 10,000 routes", against, f"{AT_MOST} 3", pairs, unit="MiB")

    def inventory(self) -> Row:
        self.service.reset()
        self.service.seed(tunnels=[tunnel(one) for one in range(MANY_TUNNELS)])
        script, hosts = self.folder / "inventory.sh", str(self.folder / "inventory.json")
        self._inventory("--export", "--output", hosts)
        script.write_text(f"#!/bin/sh\ncat {hosts}\n", encoding="utf-8")
        script.chmod(0o755)
        command = [str(ANSIBLE_INVENTORY), "-i", str(script), "--list", "--output", str(self.folder / "script.json")]
        pairs = self._in_turn(lambda: self._inventory().seconds, lambda: process(command, {}).seconds)
        work, against = "`ansible-inventory --list` of 10,000 tunnels", "the same hosts from a script that prints them"
        return Row(work, against, "10 s", pairs, f"{self._inventory().mebibytes:.0f} MiB")

    def _inventory(self, *arguments: str) -> Ran:
        path = self.folder / "tunnels.yml"
        path.write_text(json.dumps({"plugin": "edgeops.ingress.tunnels"}), encoding="utf-8")
        output = arguments or ("--output", str(self.folder / "listed.json"))
        return process([str(ANSIBLE_INVENTORY), "-i", str(path), "--list", *output], self.environment)

    def _in_turn(self, ours: Callable[[], float], theirs: Callable[[], float]) -> Pairs:
        return [(ours(), theirs()) for _round in range(self.rounds)]

    def _in_one_run(self, ours: dict[str, Any], theirs: dict[str, Any], number: int) -> Pairs:
        """What so many of both tasks take in one play, in turn, once the first ones have loaded what they need."""
        plays = [playbook([ours, theirs] * (number + 1), self.environment)[1] for _round in range(self.rounds)]
        return [(sum(seconds[2::2]), sum(seconds[3::2])) for seconds in plays]

    def _in_process_and_off(self, tasks: Objects) -> Pairs:
        return self._in_turn(lambda: self._seconds(tasks), lambda: self._seconds(tasks, **OFF))

    def _play(self, task: dict[str, Any], declared: Objects) -> Callable[[], float]:
        return lambda: self._seconds([task], declared=declared)

    def _seconds(self, tasks: Objects, **variables: Any) -> float:
        """What the tasks of a play take beyond the start of ansible-playbook and a first `debug`."""
        return sum(playbook([DEBUG, *tasks], self.environment, **variables)[1][1:])

    def _route_task(self, routes_of_edge: int = 1) -> dict[str, Any]:
        """A task for one of so many routes of an edge."""
        return {ROUTE: {"edge_id": self._seed(edges(1, routes_of_edge))[0], **routes(routes_of_edge)[-1]}}

    def _seed(self, declared: Objects) -> list[str]:
        self.service.reset()
        return [edge["id"] for edge in self.service.seed(https_edges=declared)["https_edges"]]

    def _bare(self, declared: Objects, edge: str = "") -> Ran:
        path = self.folder / "declared.json"
        path.write_text(json.dumps(declared), encoding="utf-8")
        return process([sys.executable, "-c", BARE_SCRIPT, str(path), f"/edges/https{edge}"], self.environment)

    def _requests_of(self, run: Callable[[], Any]) -> str:
        self.service.forget_journal()
        run()
        sent = len(self.service.journal())
        return f"{sent} request{'s' if sent > 1 else ''}"


def _at_the_limit(task: dict[str, Any]) -> dict[str, Any]:
    """The same arguments for the action that only reads."""
    [arguments] = task.values()
    return {"bare_get": arguments}


def _looped(task: dict[str, Any]) -> dict[str, Any]:
    return {**task, "loop": f"{{{{ range({ITEMS}) | list }}}}"}


def _loop(number: int, module: str, **options: Any) -> dict[str, Any]:
    return {module: options, "loop": f"{{{{ range({number}) | list }}}}"}
