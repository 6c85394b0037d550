# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the table: what is timed against what. Each takes a service that it sets up as it needs."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measure import Ran, Row, in_turn, playbook, process
from slices import ACCOUNTS, DELAY_MS, SLICES, sliced_job
from worlds import edges, routes, tunnels

from module_task import work_of
from reference_service_process import ReferenceService

OFF = {"ansible_edgeops_in_process": False}
BARE_SCRIPT = Path(__file__).with_name("bare_script.py")
ACTION_PLUGINS = Path(__file__).with_name("action_plugins")
CALLBACKS = Path(__file__).with_name("callbacks")
ROUTE = "edgeops.ingress.https_edge_route"
ESTATE = {"edgeops.ingress.estate": {"https_edges": "{{ declared }}"}}
LIMIT = "the limit"
SEPARATE = 60
ITEMS = 20
"""In each of the loops that are timed in turn."""

LOOPS = 10
AT_MOST = "at most {}"
"""A target in the other direction: how many times as much ours takes."""
ANSIBLE_INVENTORY = Path(sys.executable).with_name("ansible-inventory")
MANY_TUNNELS = 10_000
TUNNELS_WITH_OPTIONS = 1_000
"""Fewer, because Ansible evaluates each expression for each of them."""

NO_OPTIONS: dict[str, Any] = {}
IN_GROUPS = {
    "filters": [{"include": "metadata.role | default('') == 'device'"}, {"exclude": True}],
    "keyed_groups": [{"key": "region", "prefix": "region"}, {"key": "metadata.role", "prefix": "role"}],
}
WITH_TEMPLATES = {"compose": {"ansible_user": "'admin'", "site": "region | title"}}
DEBUG = {"ansible.builtin.debug": {"msg": "item"}}

Play = tuple[list[dict[str, Any]], dict[str, Any]]
"""Tasks and the variables that they are run with."""


class Bench:
    """Times rows on one service, each in so many rounds."""

    def __init__(self, service: ReferenceService, folder: Path, rounds: int) -> None:
        self.service, self.folder, self.rounds = service, folder, rounds
        self.environment = {
            "INGRESS_BASE_URL": service.base_url,
            "INGRESS_API_KEY": service.api_key,
            "ANSIBLE_ACTION_PLUGINS": str(ACTION_PLUGINS),
        }

    def rows(self) -> list[Callable[[], Row]]:
        """All rows, in the order of the methods that time them."""
        return [getattr(self, name) for name in vars(Bench) if not name.startswith("_") and name != "rows"]

    def loop_of_routes(self) -> Row:
        variables = {"ids": self._seed(edges(20, 10))}
        edge_id, match = "{{ ids[item // 10] }}", "/{{ item % 10 }}"
        route = {**routes(1)[0], "match": match}
        ours = [{ROUTE: {"edge_id": edge_id, **route}, "loop": _numbers(200)}]
        url = f"{self.service.base_url}/edges/https/{edge_id}"
        headers = {"Authorization": f"Bearer {self.service.api_key}", "Svc-Version": "2"}
        there = "read.results[item].json.routes | selectattr('match', 'eq', '/' ~ item % 10) | first"
        theirs = [
            {"ansible.builtin.uri": {"url": url, "headers": headers}, "loop": _numbers(200), "register": "read"},
            {
                "ansible.builtin.uri": {
                    "url": f"{url}/routes/{{{{ ({there}).id }}}}",
                    "method": "PATCH",
                    "body": route,
                },
                "loop": _numbers(200),
                "when": f"not ({there}).compression.enabled",
            },
        ]
        return self._against(
            "loop of 200 `https_edge_route`, on 20 edges",
            "the same as `uri` tasks (GET, compare, PATCH)",
            "50",
            (ours, variables),
            (theirs, variables),
        )

    def loop_of_sources(self) -> Row:
        self._seed([])
        self.service.seed(event_subscriptions=[{"id": "esb_bench", "sources": ["ip_policy_created.v0"]}])
        task = _loop(200, "edgeops.ingress.event_source", subscription_id="esb_bench", type="ip_policy_created.v0")
        return self._against(
            "loop of 200 `event_source`", "the same module with in-process off", "40", (task, {}), (task, OFF)
        )

    def separate_tasks(self) -> Row:
        tasks = self._separate_tasks()
        return self._against("20 separate tasks", "ordinary module", "10", (tasks, {}), (tasks, OFF))

    def separate_tasks_and_debug(self) -> Row:
        times = self._in_one_run(self._route_task(), DEBUG, SEPARATE)
        return _row(f"{SEPARATE} separate tasks after the first", "`debug`", AT_MOST.format(1.5), times, at_most=True)

    def separate_tasks_and_limit(self) -> Row:
        task = self._route_task()
        times = self._in_one_run(task, _at_the_limit(task), SEPARATE)
        return _row("the same", LIMIT, AT_MOST.format(1.1), times, at_most=True)

    def first_task_and_debug(self) -> Row:
        task = self._route_task()
        seconds = [lambda task=task: playbook([task], self.environment).seconds for task in (task, DEBUG)]
        times = in_turn(self.rounds, *seconds)
        return _row("a playbook of one task, with its start", "`debug`", AT_MOST.format(1.25), times, at_most=True)

    def _route_task(self, routes_of_edge: int = 1) -> dict[str, Any]:
        """A task for one of so many routes of an edge."""
        edge_id = self._seed(edges(1, routes_of_edge))[0]
        return {ROUTE: {"edge_id": edge_id, **routes(routes_of_edge)[-1]}}

    def _separate_tasks(self) -> list[dict[str, Any]]:
        return [self._route_task()] * 20

    def loop_item_and_debug(self) -> Row:
        times = self._in_one_run(_looped(self._route_task()), _looped(DEBUG), LOOPS)
        work = f"{ITEMS * LOOPS} items of loops of `https_edge_route`, after the first task"
        return _row(work, "`debug`", AT_MOST.format(1.8), times, at_most=True)

    def loop_item_and_limit(self) -> Row:
        return self._items_and_limit("the same", 1)

    def items_on_a_large_edge(self) -> Row:
        return self._items_and_limit("the same on an edge of 1,000 routes", 1000)

    def _items_and_limit(self, work: str, routes_of_edge: int) -> Row:
        task = self._route_task(routes_of_edge)
        times = self._in_one_run(_looped(task), _looped(_at_the_limit(task)), LOOPS)
        return _row(work, LIMIT, AT_MOST.format(1.2), times, at_most=True)

    def _in_one_run(self, ours: dict[str, Any], theirs: dict[str, Any], number: int) -> tuple[list[float], list[float]]:
        """What so many of both tasks take in one play, in turn, once the first ones have loaded what they need."""
        log = self.folder / "task_seconds.jsonl"
        environment = {
            **self.environment,
            "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS),
            "ANSIBLE_CALLBACKS_ENABLED": "task_seconds",
            "TASK_SECONDS": str(log),
        }
        totals: tuple[list[float], list[float]] = ([], [])
        for _round in range(self.rounds):
            playbook([ours, theirs] * (number + 1), environment)
            seconds = [json.loads(line)[1] for line in log.read_text(encoding="utf-8").splitlines()]
            for first, total in enumerate(totals):
                total.append(sum(seconds[2 + first :: 2]))
        return totals

    def one_large_edge(self) -> Row:
        declared, tasks, ours = self._large_edge()
        path = self._declared_in_file(declared)
        edge_id = tasks[0]["edgeops.ingress.https_edge_routes"]["edge_id"]

        times = in_turn(self.rounds, ours, lambda: float(self._bare(path, edge_id).output))
        sent = self._requests_of(lambda: playbook(tasks, self.environment, declared=declared))
        return _row(
            "one edge of 1,000 routes, `https_edge_routes`",
            "a script with `requests` alone, without its start",
            "1 request",
            times,
            f"{sent} request",
            at_most=True,
        )

    def one_large_edge_and_set_fact(self) -> Row:
        declared, _tasks, ours = self._large_edge()
        tasks = [{"ansible.builtin.set_fact": {"routes": "{{ declared[0].routes }}"}}]

        times = in_turn(self.rounds, ours, lambda: self._seconds(tasks, declared))
        return _row("the same", "`set_fact` with the same routes", AT_MOST.format(2), times, at_most=True)

    def _large_edge(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]], Callable[[], float]]:
        """What is declared of an edge with 1,000 routes, the task for it, and what times that."""
        declared = edges(1, 1000)
        [edge_id] = self._seed(declared)
        tasks = [{"edgeops.ingress.https_edge_routes": {"edge_id": edge_id, "routes": "{{ declared[0].routes }}"}}]

        return declared, tasks, lambda: self._seconds(tasks, declared)

    def estate_and_single_modules(self) -> Row:
        declared, sample = edges(1000, 10), 5
        ids = self._seed(declared)
        singly = [
            *_loop(sample, "edgeops.ingress.https_edge", hostports=["host-{{ item }}.example.com:443"]),
            *_loop(
                10 * sample,
                ROUTE,
                edge_id=ids[0],
                **{**routes(1)[0], "match": "/{{ item % 10 }}"},
            ),
        ]

        def theirs() -> float:
            return self._seconds(singly) * len(declared) / sample

        times = in_turn(self.rounds, lambda: self._seconds([ESTATE], declared), theirs)
        sent = self._requests_of(lambda: playbook([ESTATE], self.environment, declared=declared))
        return _row(
            "estate of 1,000 edges with 10 routes each",
            f"a loop of single modules (timed for {sample} edges and their routes, and multiplied)",
            "100; 11 requests at most",
            times,
            f"{sent} requests",
        )

    def estate_and_set_fact(self) -> Row:
        declared = edges(1000, 10)
        self._seed(declared)
        fact = [{"ansible.builtin.set_fact": {"held": "{{ declared }}"}}]
        times = in_turn(self.rounds, lambda: self._seconds([ESTATE], declared), lambda: self._seconds(fact, declared))
        return _row("the same", "`set_fact` with the same edges", AT_MOST.format(2), times, at_most=True)

    def concurrency(self) -> Row:
        return self._slow_row("first run of an estate (550 writes)", edges(50, 10))

    def concurrency_in_one_edge(self) -> Row:
        return self._slow_row("first run of an estate of one edge with 1,000 routes", edges(1, 1000))

    def concurrency_of_routes(self) -> Row:
        there = [{"id": "edghts_bench", **edge} for edge in edges(1, 0)]
        task = {"edgeops.ingress.https_edge_routes": {"edge_id": "edghts_bench", "routes": "{{ declared[0].routes }}"}}
        return self._slow_row("1,000 new routes of one edge, `https_edge_routes`", edges(1, 1000), there, task)

    def _slow_row(
        self,
        work: str,
        declared: list[dict[str, Any]],
        there: Sequence[dict[str, Any]] = (),
        task: dict[str, Any] = ESTATE,
    ) -> Row:
        """A row of first runs with different concurrency, with a service that takes its time to respond."""

        def first_run(at_a_time: int) -> float:
            self._seed(list(there))
            self.service.switches(response_delay_ms=20)
            return self._seconds(
                [{name: {**options, "concurrency": at_a_time} for name, options in task.items()}], declared
            )

        times = in_turn(self.rounds, lambda: first_run(4), lambda: first_run(1))
        self.service.switches()
        return _row(f"{work}, concurrency 4, 20 ms per response", "concurrency 1", "3", times)

    def slices_on_two_workers(self) -> Row:
        work = f"{len(ACCOUNTS)} accounts in {SLICES} slices, {DELAY_MS} ms per response"
        return self._sliced_row(f"{work}, on 2 workers", 2)

    def slices_on_four_workers(self) -> Row:
        return self._sliced_row("the same on 4 workers", 4)

    def _sliced_row(self, work: str, workers: int) -> Row:
        with TemporaryDirectory() as folder, sliced_job(Path(folder)) as job:
            times = in_turn(self.rounds, lambda: job.seconds(workers), lambda: job.seconds(1))
        return _row(work, "1 worker", "", times)

    def planning(self) -> Row:
        from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked  # noqa: PLC0415
        from ansible_collections.edgeops.ingress.plugins.module_utils._objects import routes_of_edge  # noqa: PLC0415

        def plan(number: int) -> float:
            arguments = {
                "edge_id": "edghts_x",
                "routes": routes(number),
                "base_url": "http://localhost",
                "api_key": "k",
            }
            declared = checked(work_of("https_edge_routes"), arguments).options["routes"]
            there = [
                {**route, "id": f"edghtsrt_{one}", "backend": {"enabled": True, "backend": {"id": "bkdhr_two"}}}
                for one, route in enumerate(routes(number))
            ]
            started = time.perf_counter()
            routes_of_edge.RoutesOfEdge({"routes": there}, "edghts_x").plans(declared)
            return time.perf_counter() - started

        many, few = in_turn(self.rounds, lambda: plan(10_000), lambda: plan(1000))
        return _row(
            "planning 10,000 routes, all to be changed", "planning 1,000", AT_MOST.format(11), (many, few), at_most=True
        )

    def memory(self) -> Row:
        declared = edges(1000, 10)
        self._seed(declared)
        path = self._declared_in_file(declared)
        command = [sys.executable, str(Path(__file__).with_name("estate_alone.py")), str(path)]
        times = in_turn(
            self.rounds,
            lambda: process(command, self.environment).mebibytes,
            lambda: self._bare(path).mebibytes,
        )
        return _row(
            "peak memory of the estate of 10,000 routes",
            "the bare script that holds the same JSON",
            AT_MOST.format(3),
            times,
            unit="MiB",
            at_most=True,
        )

    def inventory(self) -> Row:
        self._seed_tunnels(MANY_TUNNELS)
        script = self.folder / "inventory.sh"
        self._inventory(NO_OPTIONS, "--export", "--output", str(self.folder / "inventory.json"))
        script.write_text(f"#!/bin/sh\ncat {self.folder / 'inventory.json'}\n", encoding="utf-8")
        script.chmod(0o755)
        command = [str(ANSIBLE_INVENTORY), "-i", str(script), "--list", "--output", str(self.folder / "script.json")]
        times = in_turn(
            self.rounds,
            lambda: self._inventory(NO_OPTIONS).seconds,
            lambda: process(command, self.environment).seconds,
        )
        return _row(
            "`ansible-inventory --list` of 10,000 tunnels",
            "the same hosts from a script that prints them",
            "10 s",
            times,
            f"{self._inventory(NO_OPTIONS).mebibytes:.0f} MiB",
        )

    def inventory_in_groups(self) -> Row:
        return self._inventory_against(
            IN_GROUPS, "1,000 tunnels with a filter on `metadata` and `keyed_groups` by `region` and `metadata.role`"
        )

    def inventory_with_templates(self) -> Row:
        return self._inventory_against(
            WITH_TEMPLATES, "the same with `compose` of two expressions, one of them `region \\| title`"
        )

    def _inventory_against(self, options: dict[str, Any], work: str) -> Row:
        """A row of an inventory against the same tunnels without any options."""
        self._seed_tunnels(TUNNELS_WITH_OPTIONS)
        times = in_turn(
            self.rounds,
            lambda: self._inventory(options).seconds,
            lambda: self._inventory(NO_OPTIONS).seconds,
        )
        more = [(our - their) * 1000 / TUNNELS_WITH_OPTIONS for our, their in zip(*times, strict=True)]
        each = f"{sorted(more)[len(more) // 2]:.2f} ms more for each host"
        return _row(work, "without options", "", times, f"{each}; {self._inventory(options).mebibytes:.0f} MiB")

    def _inventory(self, options: dict[str, Any], *arguments: str) -> Ran:
        path = self.folder / "tunnels.yml"
        path.write_text(json.dumps({"plugin": "edgeops.ingress.tunnels", **options}), encoding="utf-8")
        output = arguments or ("--output", str(self.folder / "listed.json"))
        return process([str(ANSIBLE_INVENTORY), "-i", str(path), "--list", *output], self.environment)

    def _seed_tunnels(self, number: int) -> None:
        self._seed([])
        self.service.seed(tunnels=tunnels(number))

    def _against(self, work: str, against: str, target: str, ours: Play, theirs: Play) -> Row:
        """A row of two plays."""
        seconds = [lambda tasks=tasks, given=given: self._seconds(tasks, **given) for tasks, given in (ours, theirs)]
        times = in_turn(self.rounds, *seconds)
        return _row(work, against, target, times, at_most=target.startswith(AT_MOST.format("")))

    def _seconds(
        self,
        tasks: list[dict[str, Any]],
        declared: Sequence[dict[str, Any]] = (),
        **variables: Any,
    ) -> float:
        """What a play takes beyond what ansible-playbook takes to start, read what is declared, and run `debug`."""
        given = {**variables, "declared": list(declared)}
        started = playbook([DEBUG], self.environment, **given).seconds
        return playbook(tasks, self.environment, **given).seconds - started

    def _seed(self, declared: list[dict[str, Any]]) -> list[str]:
        self.service.reset()
        return [edge["id"] for edge in self.service.seed(https_edges=declared)["https_edges"]]

    def _declared_in_file(self, declared: list[dict[str, Any]]) -> Path:
        path = self.folder / "declared.json"
        path.write_text(json.dumps(declared), encoding="utf-8")
        return path

    def _bare(self, path: Path, *edge_id: str) -> Ran:
        return process([sys.executable, str(BARE_SCRIPT), str(path), *edge_id], self.environment)

    def _requests_of(self, run: Callable[[], Any]) -> int:
        self.service.forget_journal()
        run()
        return len(self.service.journal())


def _at_the_limit(task: dict[str, Any]) -> dict[str, Any]:
    """The same arguments for the action that only reads."""
    [arguments] = task.values()
    return {"bare_get": arguments}


def _looped(task: dict[str, Any]) -> dict[str, Any]:
    return {**task, "loop": _numbers(ITEMS)}


def _loop(number: int, module: str, **options: Any) -> list[dict[str, Any]]:
    return [{module: options, "loop": _numbers(number)}]


def _numbers(number: int) -> str:
    return f"{{{{ range({number}) | list }}}}"


def _row(
    work: str,
    against: str,
    target: str,
    times: tuple[list[float], list[float]],
    note: str = "",
    *,
    unit: str = "s",
    at_most: bool = False,
) -> Row:
    """A row from the figures of ours and of theirs.

    The ratio says how many times as much theirs takes; with `at_most`, how many times as much ours takes.
    """
    ours, theirs = times
    pairs = list(zip(*((theirs, ours) if at_most else (ours, theirs)), strict=True))
    middle = [sorted(values)[len(values) // 2] for values in times]
    figures = f"{middle[0]:.2f} and {middle[1]:.2f} {unit}"
    return Row(work, against, target, [more / less for less, more in pairs], f"{figures}; {note}" if note else figures)
