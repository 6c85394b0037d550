# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source after restarts, and its state file: nothing is lost, and nothing is delivered twice."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.state_file import StateFile, UnusableStateFile
from collection_tree import CHECKOUT
from event_listener import wait_for_threads
from module_task import Given
from scripted_account import KEY, Account, Polled, listening_to, lists
from scripted_service import Received, Response, ScriptedService, as_json, scripted_service


@pytest.mark.parametrize(
    ("before", "after"),
    [({}, {"event_subscriptions": ["esb_1"]}), ({}, {"tunnels": False}), ({"tunnels": False}, {})],
    ids=["one more part", "one part less", "tunnels, too"],
)
def test_what_opens_in_a_restart_with_other_options_is_reported(before: Given, after: Given, tmp_path: Path) -> None:
    polled = Polled(Account(), findings=True)
    polled.account.spoil = lambda request: as_json({"sources": []}) if "event_sub" in request.path else None
    with scripted_service(polled.account) as service:
        for options in (before, after):
            polled.options = {"findings": True, **options}
            polled.restart(tmp_path / "state")
            events = [event for _again in range(2) for event in polled.poll(service)]
            polled.account.edges["edghts_new"] = polled.account.edge("edghts_new")
    opened = [event["ids"]["edge_id"] for event in events if event["type"] == "finding_opened"]
    assert set(opened) == {"edghts_new"}
    assert not [event for event in events if event["type"] == "finding_closed"]


# The subscriptions before and after a restart, of which only `some` has sources, and the events about findings.
SUBSCRIPTIONS: dict[str, tuple[str, str, list[str]]] = {
    "one more": ("one", "one another", []),
    "another one": ("one", "another", []),
    "one more, with what was missing": ("one", "one some", ["finding_closed"]),
    "one less": ("one some", "one", ["finding_opened"]),
}


@pytest.mark.parametrize("initial_events", [False, True])
@pytest.mark.parametrize(("before", "after", "types"), SUBSCRIPTIONS.values(), ids=SUBSCRIPTIONS)
def test_a_finding_about_all_subscriptions_is_reported_once(
    before: str, after: str, types: list[str], initial_events: bool, tmp_path: Path
) -> None:
    polled = Polled(Account(), findings=True, initial_events=initial_events)
    some = {"type": "api_key_created.v0", "uri": "api_key_created.v0"}
    polled.account.spoil = lambda request: (
        as_json({"sources": [some] * ("some" in request.path), "uri": None}) if "event_sub" in request.path else None
    )
    with scripted_service(polled.account) as service:
        for subscriptions in (before, before, after):
            polled.options["event_subscriptions"] = [f"esb_{name}" for name in subscriptions.split()]
            polled.restart(tmp_path / "state")
            events = [event for _again in range(2) for event in polled.poll(service)]
    assert [event["type"] for event in events if event["kind"] == "finding"] == types


@pytest.mark.parametrize("takes", [0, 1, 4])
def test_what_was_not_taken_is_delivered_after_a_restart(takes: int, tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    with scripted_service(account) as service:
        with listening_to(service, takes, state_file=state) as first:
            first.until(lambda: lists(service, "/tunnels") > 2)
            for number in range(6):
                account.tunnels[f"tn_new{number}"] = account.tunnel(f"tn_new{number}")
            first.until(lambda: len(first.events) >= takes)
            time.sleep(0.5)
        with listening_to(service, state_file=state) as second:
            second.after_polls(3)
    ids = [event["id"] for event in (*first.events, *second.events)]
    assert len(ids) == len(set(ids)) == 6
    assert len({event["ids"]["id"] for event in (*first.events, *second.events)}) == 6


SOURCE = """
import asyncio, json, resource, signal, sys
from event_listener import plugin_main

class Queue:
    async def put(self, event):
        print(json.dumps(event), flush=True)

async def run(arguments, fate):
    task = asyncio.ensure_future(plugin_main()(Queue(), arguments))
    await asyncio.sleep({"a full disk": 1.5, "is canceled": 2.0}.get(fate, 0.0))
    if fate == "a full disk":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    elif fate == "is canceled":
        task.cancel()
    await asyncio.wait([task], timeout=None if fate != "a full disk" else 15)
    print(task.exception() if task.done() and not task.cancelled() else "still running", flush=True)

asyncio.run(run(json.loads(sys.argv[1]), sys.argv[2]))
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{CHECKOUT / 'tests' / 'support'}{os.pathsep}{CHECKOUT / 'dev'}"}


def source(service: ScriptedService, fate: str = "is killed", **arguments: Any) -> list[str]:
    """The command of a process with a source, and what becomes of it."""
    given = {"base_url": service.base_url, "api_key": KEY, "interval": 0.1, "requests_per_minute": 100_000, **arguments}
    return [sys.executable, "-c", SOURCE, json.dumps(given), fate]


ROUNDS = so_many(8, 100)


def test_a_killed_process_repeats_at_most_one_event(tmp_path: Path) -> None:
    account, chance, state = Account(2, 0), random.Random(5), str(tmp_path / "state")
    seen: list[Given] = []
    with scripted_service(account) as service:
        for number in range(ROUNDS):
            command = source(service, state_file=state)
            polls = lists(service, "/tunnels")
            with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
                end = time.monotonic() + 20
                while lists(service, "/tunnels") < polls + 2 and time.monotonic() < end:
                    time.sleep(0.02)
                for each in range(20):
                    name = f"tn_{number}x{each}"
                    account.tunnels[name] = account.tunnel(name)
                time.sleep(chance.uniform(0.0, 0.25))
                process.send_signal(signal.SIGKILL)
                output = process.communicate()[0]
            seen += [json.loads(line) for line in output.splitlines() if line.endswith("}")]
        with listening_to(service, state_file=state, account=None) as last:
            last.after_polls(3)
    seen += last.events
    objects = [event["ids"]["id"] for event in seen]
    assert {f"tn_{number}x{each}" for number in range(ROUNDS) for each in range(20)} == set(objects)
    assert len(objects) - len(set(objects)) <= ROUNDS
    assert len({event["id"] for event in seen}) == len(set(objects))  # what is repeated has the same ID
    assert sorted(path.name for path in tmp_path.iterdir()) == ["state", "state.lock"]


def of_another_version(text: str) -> str:
    content = text.partition("\n")[0].partition(" ")[2].replace('"format": 1', '"format": 2')
    return f"{hashlib.sha256(content.encode()).hexdigest()} {content}\n"


def pipe_in_place_of(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def rewritten(change: Callable[[str], str]) -> Callable[[Path], Any]:
    return lambda path: path.write_text(change(path.read_text()))


DAMAGED = "is damaged, or not a state file"
HARM: dict[str, tuple[Callable[[Path], Any], str]] = {
    "more lines": (rewritten(lambda text: f"{text}more\n"), DAMAGED),
    "without its end": (rewritten(lambda text: text.partition("\n")[0]), DAMAGED),
    "changed": (rewritten(lambda text: text.replace('"kind": "tunnel"', '"kind": "later"')), DAMAGED),
    "no text": (lambda path: path.write_bytes(b"\xff\xfe\x00"), DAMAGED),
    "empty": (rewritten(lambda text: ""), DAMAGED),
    "another version": (rewritten(of_another_version), "is of another version of the collection"),
    "a pipe": (pipe_in_place_of, "is not a file"),
    "a pipe for the lock": (lambda path: pipe_in_place_of(Path(f"{path}.lock")), "cannot be "),
}


def error_at_the_start(service: ScriptedService, **arguments: Any) -> str:
    """Return the error of a source that ends before it sends any request."""
    wait_for_threads()
    requests = len(service.received)
    with listening_to(service, **arguments) as listener:
        listener.thread.join(10)
    assert len(service.received) == requests
    return str(listener.error)


@pytest.mark.parametrize(("harm", "said"), HARM.values(), ids=HARM)
def test_an_unusable_state_file_is_an_error_at_once(harm: Callable[[Path], Any], said: str, tmp_path: Path) -> None:
    polled, state = Polled(Account()), tmp_path / "state.json"
    with scripted_service(polled.account) as service:
        polled.poll(service)
    polled.restart(state)
    harm(state)
    with pytest.raises(UnusableStateFile, match=f"^state_file: /.*{said}"):
        polled.restart(state)


def test_a_state_file_belongs_to_one_account_and_with_a_name_survives_a_new_key(tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    own = {"account": None, "state_file": str(tmp_path / "unnamed.json")}
    with scripted_service(account) as service:
        for arguments in ({"state_file": state}, own):
            with listening_to(service, **arguments) as listener:
                listener.after_polls(2)
        for other in ({"account": "other"}, {"api_key": "ak_other"}, {"version_header": "Other"}):
            assert "belongs to another account" in error_at_the_start(service, **{**own, **other})
        account.tunnels["tn_new"] = account.tunnel("tn_new")
        with listening_to(service, state_file=state, api_key="ak_new") as listener:
            listener.after_polls(2)
            with listening_to(service, state_file=state) as other_source:
                other_source.thread.join(10)
            assert "used by another source" in str(other_source.error)
        assert listener.types() == ["tunnel_online"]


@pytest.mark.parametrize("where", ["missing/state.json", "file/state.json", "x" * 252, "x" * 300])
def test_a_state_file_that_cannot_be_written_is_an_error_at_the_start(where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnusableStateFile, match=r"^state_file: /.*cannot be "):
        Polled(Account()).restart(tmp_path / where)


@pytest.mark.long(cores=0)
def test_the_budget_is_kept_by_processes_in_sequence(tmp_path: Path) -> None:
    with scripted_service(Account()) as service:
        command = source(service, requests_per_minute=7, state_file=str(tmp_path / "state"))
        for _process in range(3):
            (tmp_path / "state.lock").unlink(missing_ok=True)  # is written again when a process has started
            with subprocess.Popen(command, env=ENVIRONMENT) as process:
                end = time.monotonic() + 20
                while time.monotonic() < end and not (tmp_path / "state.lock").exists():
                    time.sleep(0.02)
                time.sleep(1)
                process.kill()
        assert len(service.received) == 7


def test_requests_before_a_restart_in_the_same_process_count_for_a_source_with_other_options(tmp_path: Path) -> None:
    """Each connection has a limit of its own, which knows only its own requests."""
    counted = []
    for sender in ("a", "b", "b", "a"):
        with closing(StateFile(str(tmp_path / "state"), "shop", 60.0, sender)) as state:
            state.open()
            counted.append(len(state.requests()))
            state.request()
    assert counted == [0, 1, 1, 2]


@pytest.mark.parametrize("is_out", [False, True], ids=["all well", "during an outage"])
def test_a_full_disk_ends_the_source(is_out: bool, tmp_path: Path) -> None:
    account = Account()
    account.spoil = lambda request: as_json({"msg": "broken"}, 500) if is_out and "edges" in request.path else None
    arguments = {"retries": 0, "state_file": str(tmp_path / "s"), "report_failure_after": 0.3}
    with scripted_service(account) as service:
        command = source(service, "a full disk", **arguments)
        ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    assert "state_file: " in ended.stdout, ended.stdout + ended.stderr
    assert "cannot be written" in ended.stdout


LISTS = [pytest.param(path, marks=pytest.mark.long(cores=0)) for path in ("/tunnels", "/edges/https")]


@pytest.mark.parametrize("path", [*LISTS, "/edges/https/"])
def test_a_process_ends_while_the_service_does_not_respond(path: str) -> None:
    account, released = Account(2, 5), threading.Event()
    short = as_json({"https_edges": [{"id": one} for one in account.edges]})

    def hang(request: Received) -> Response | None:
        if request.path.startswith(path) and (path != "/edges/https/" or request.path != "/edges/https"):
            released.wait(30)
        return short if request.path == "/edges/https" else None

    account.spoil = hang
    with scripted_service(account) as service:
        started = time.monotonic()
        try:
            subprocess.run(source(service, "is canceled", timeout=30), env=ENVIRONMENT, timeout=60, check=True)
        finally:
            released.set()
        assert time.monotonic() - started < 15
