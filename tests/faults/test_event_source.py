# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source while the service, the process, or a list is not what it should be: nothing false, nothing twice."""

from __future__ import annotations

import ast
import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from amount import first_alone
from collection_tree import CHECKOUT
from event_listener import INTERVAL, Listener, listening
from scripted_service import BREAK_OFF, Received, Response, ScriptedService, as_json, scripted_service

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
        for prefix, key, objects in (
            ("/tunnels", "tunnels", self.tunnels),
            ("/edges/https", "https_edges", self.edges),
        ):
            if path == prefix:
                listed = [one for name, one in list(objects.items()) if name not in self.hidden]
                start = int(query.partition("=")[2] or 0)
                following = f"{path}?start={start + self.page}" if start + self.page < len(listed) else None
                return as_json({key: listed[start : start + self.page], "next_page_uri": following})
            if path.startswith(f"{prefix}/"):
                found = objects.get(path.rpartition("/")[2])
                if not self.reads_single:
                    return as_json({"status_code": 405, "msg": "not allowed"}, 405)
                return as_json(found) if found else as_json({"error_code": "ERR_404", "msg": "no such object"}, 404)
        return as_json({"msg": "no such path"}, 404)


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


BAD = {
    "no connection": BREAK_OFF,
    "500": as_json({"msg": "broken"}, 500),
    "502 page": Response(502, b"<html>Bad gateway</html>", {"Content-Type": "text/html"}),
    "429": as_json({"msg": "slow down"}, 429),
    "401": as_json({"msg": "who are you"}, 401),
    "403": as_json({"msg": "not you"}, 403),
    "404": as_json({"msg": "nothing here"}, 404),
    "404 page": Response(404, b"<html>Not found</html>", {"Content-Type": "text/html"}),
    "no JSON": Response(200, b"<html>Login</html>", {"Content-Type": "text/html"}),
    "empty": Response(200, b""),
    "no list": as_json({}),
    "null": as_json(None),
    "list of null": as_json({"tunnels": [None], "https_edges": [None]}),
    "no IDs": as_json({"tunnels": [{}], "https_edges": [{}]}),
    "wrong types": as_json({"tunnels": [{"id": 5}], "https_edges": [{"id": "edghts_000", "hostports": {}}]}),
    "too many levels": Response(200, b'{"tunnels": ' + b"[" * 100_000),
    "link elsewhere": as_json({"tunnels": [], "https_edges": [], "next_page_uri": "https://elsewhere.example/"}),
    "204": Response(204),
}


IN_TURN = [
    *(("everywhere", name) for name in ("no connection", "429", "404", "no list", "no IDs")),
    ("single", "502 page"),
]
OTHERS = [(where, name) for where in ("everywhere", "single") for name in BAD if (where, name) not in IN_TURN]


@pytest.mark.parametrize(
    ("where", "name"), [*IN_TURN, *(pytest.param(*each, marks=pytest.mark.long(cores=0)) for each in OTHERS)]
)
def test_a_bad_response_changes_nothing(where: str, name: str) -> None:
    account, bad = Account(), BAD[name]
    with watched(account) as (listener, _service):
        if where == "single":
            # The list has lost objects, and what confirms that is spoiled, too. Only a clear 404 is believed.
            if name == "404":
                pytest.skip("this is the response of a service without that object")
            account.hidden = {"tn_001", "edghts_001"}
            account.spoil = lambda request: bad if request.path.count("/") > 1 + ("edges" in request.path) else None
        else:
            account.spoil = lambda request: bad
        assert listener.after_polls(3) == []
        account.spoil, account.hidden = (lambda request: None), set()
        assert listener.after_polls(3) == []
        account.tunnels.pop("tn_000")
        listener.after_polls(3)
        assert listener.types()[:1] == ["tunnel_offline"]


@pytest.mark.parametrize(
    "empty",
    [{"tunnels": [], "https_edges": []}, {"tunnels": None, "https_edges": None}],
    ids=["empty", "null"],
)
@pytest.mark.parametrize("objects", [3, 60])
def test_a_list_without_members_changes_nothing_while_the_objects_exist(empty: dict[str, Any], objects: int) -> None:
    account = Account(objects, objects)
    with watched(account, findings=False) as (listener, _service):
        account.spoil = lambda request: as_json(empty) if request.path in ("/tunnels", "/edges/https") else None
        assert listener.after_polls(4) == []


@pytest.mark.parametrize("page", first_alone([7, 2, 100]))
def test_lists_that_lose_members_at_random_change_nothing(page: int) -> None:
    account, chance = Account(50, 50), random.Random(page)
    account.page = page
    everything = [*account.tunnels, *account.edges]

    def lose(request: Received) -> None:
        account.hidden = set(chance.sample(everything, 30))

    with watched(account) as (listener, service):
        account.spoil = lose
        assert listener.after_polls(8) == []
        assert any(request.path.startswith("/tunnels/tn_") for request in service.received)


def test_the_first_list_may_lack_a_member() -> None:
    account = Account(9, 9)
    account.page = 3

    def lose(request: Received) -> None:
        lists_of = {"tn_004": lists(service_, "/tunnels"), "edghts_007": lists(service_)}
        account.hidden = {name for name, number in lists_of.items() if number <= 1}

    account.spoil = lose
    with scripted_service(account) as service_, listening_to(service_) as listener:
        listener.until(lambda: lists(service_, "/tunnels") > 2)
        assert listener.after_polls(2) == []


def test_a_route_that_is_missing_for_a_moment_changes_nothing() -> None:
    account = Account()
    whole = dict(account.edges["edghts_001"])
    with watched(account) as (listener, _service):

        def without_routes(request: Received) -> Response | None:
            is_list = request.path == "/edges/https"
            return as_json({"https_edges": [account.edges["edghts_000"], {**whole, "routes": []}]}) if is_list else None

        account.spoil = without_routes
        assert listener.after_polls(3) == []


@pytest.mark.parametrize("reads_single", [True, False])
def test_many_objects_that_are_really_gone_are_soon_reported(reads_single: bool) -> None:
    account = Account(70, 0)
    account.reads_single = reads_single
    with watched(account) as (listener, service):
        for number in range(1, 70):
            account.tunnels.pop(f"tn_{number:03}")
        listener.until(lambda: len(listener.events) >= 69)
        listener.after_polls(2)
        assert listener.types() == ["tunnel_offline"] * 69
        assert sum(request.path.startswith("/tunnels/") for request in service.received) <= 69


SUBSCRIPTION = "/event_subscriptions/esb_1/sources"


@pytest.mark.parametrize(("polls", "is_deleted"), [(1, False), (100, True)], ids=["for a moment", "for good"])
def test_a_subscription_and_a_tls_edge_that_return_404(polls: int, is_deleted: bool) -> None:
    account = Account(1, 0)
    gone: list[str] = []

    def others(request: Received) -> Response | None:
        missing = as_json({"error_code": "ERR_404", "msg": "no such object"}, 404)
        if request.path.startswith("/tunnels") and gone:
            gone.append("poll")
        if request.path.startswith((SUBSCRIPTION, "/edges/tls")):
            if 2 <= len(gone) <= polls + 1:
                return missing
            if request.path.startswith(SUBSCRIPTION):
                return as_json({"sources": [{"type": "ip_policy_created.v0"}]})
            return as_json({"enabled": True, "ip_policy_ids": ["ipp_1"]}) if "ip_" in request.path else missing
        return None

    account.spoil = others
    parts = {"tls_edges": ["edgtls_1"], "event_subscriptions": ["esb_1"], "https_edges": False, "findings": False}
    with scripted_service(account) as service, listening_to(service, **parts) as listener:
        listener.until(lambda: lists(service, "/tunnels") > 2)
        gone.append("from now on")
        listener.after_polls(5)
    assert listener.types() == ["edge_changed", "source_changed"] * is_deleted


def test_an_outage_of_404_changes_nothing() -> None:
    account = Account()

    def sources(request: Received) -> Response | None:
        return as_json({"sources": [{"type": "ip_policy_created.v0"}]}) if request.path == SUBSCRIPTION else None

    account.spoil = sources
    with scripted_service(account) as service, listening_to(service, event_subscriptions=["esb_1"]) as listener:
        listener.until(lambda: lists(service, "/tunnels") > 1)
        account.spoil = lambda request: BAD["404"]
        listener.after_polls(4)
        account.spoil = sources
        assert listener.after_polls(3) == []


def test_a_service_that_does_not_respond_is_asked_once_in_a_poll() -> None:
    account = Account()
    with watched(account, event_subscriptions=["esb_1", "esb_2"], report_failure_after=0) as (listener, service):
        account.spoil = lambda request: BREAK_OFF
        listener.until(lambda: "polling_failed" in listener.types())
        before = len(service.received)
        time.sleep(1)
        assert len(service.received) - before <= 1 / INTERVAL + 2
    assert "not read, because of the error of" in json.dumps(listener.events)


def test_a_part_that_never_responds_does_not_hide_the_others() -> None:
    account = Account()
    account.spoil = lambda request: BREAK_OFF if request.path.startswith("/tunnels") else None
    with scripted_service(account) as service, listening_to(service) as listener:
        listener.until(lambda: lists(service) > 1)
        account.edges["edghts_new"] = account.edge("edghts_new")
        listener.until(lambda: len(listener.events) >= 2)
    assert listener.types() == ["edge_changed", "route_changed"]


def test_a_long_outage_is_one_event_and_so_is_its_end() -> None:
    account = Account()
    with watched(account, report_failure_after=0.5) as (listener, _service):
        account.spoil = lambda request: as_json({"msg": f"broken {KEY}"}, 500) if "edges" in request.path else None
        listener.until(lambda: len(listener.events) > 0)
        listener.after_polls(3)
        assert listener.types() == ["polling_failed"]
        [failed] = listener.events
        assert failed["before"] is None
        assert list(failed["after"]["errors"]) == ["https_edges"]
        assert KEY not in json.dumps(failed)
        # The other part is still watched.
        account.tunnels["tn_new"] = account.tunnel("tn_new")
        listener.after_polls(3)
        assert listener.types() == ["polling_failed", "tunnel_online"]
        account.spoil = lambda request: None
        listener.until(lambda: len(listener.events) > 2)
        listener.after_polls(2)
        assert listener.types() == ["polling_failed", "tunnel_online", "polling_recovered"]
        assert listener.events[2]["before"] == failed["after"]


def test_a_short_outage_is_not_reported() -> None:
    account = Account()
    with watched(account, report_failure_after=60) as (listener, _service):
        account.spoil = lambda request: BREAK_OFF
        listener.after_polls(3)
        account.spoil = lambda request: None
        assert listener.after_polls(3) == []


def test_an_outage_at_the_start_is_waited_for() -> None:
    account = Account()
    account.spoil = lambda request: BREAK_OFF
    with watched(account) as (listener, _service):
        account.spoil = lambda request: None
        assert listener.after_polls(2) == []
        account.tunnels["tn_new"] = account.tunnel("tn_new")
        listener.after_polls(2)
        assert listener.types() == ["tunnel_online"]


def test_a_delay_that_the_service_asks_for_is_kept() -> None:
    account = Account()
    with watched(account) as (listener, service):
        account.spoil = lambda request: as_json({"msg": "slow down"}, 429, Retry_After="2")
        listener.after_polls(1)
        before = lists(service, "/tunnels")
        time.sleep(1)
        assert lists(service, "/tunnels") - before <= 1


def test_changes_during_a_restart_are_reported_once(tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    with scripted_service(account) as service:
        seen: list[str] = []
        for number in range(5):
            with listening_to(service, state_file=state) as listener:
                listener.until(lambda count=number: len(listener.events) >= bool(count))  # type: ignore[misc]
                listener.after_polls(2)
            seen += [event["object"] for event in listener.events]
            account.tunnels[f"tn_new{number}"] = account.tunnel(f"tn_new{number}")
    assert seen == [f"tunnel https://new{number}.example.com (tn_new{number})" for number in range(4)]


@pytest.mark.parametrize("takes", [0, 1, 4])
def test_what_was_not_taken_is_delivered_after_a_restart(takes: int, tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    with scripted_service(account) as service:
        with listening_to(service, takes, state_file=state) as first:
            first.until(lambda: lists(service, "/tunnels") > 1)
            for number in range(6):
                account.tunnels[f"tn_new{number}"] = account.tunnel(f"tn_new{number}")
            first.until(lambda: len(first.events) >= takes)
            time.sleep(0.5)
        with listening_to(service, state_file=state) as second:
            second.after_polls(3)
    ids = [event["id"] for event in (*first.events, *second.events)]
    assert len(ids) == len(set(ids)) == 6
    assert len({event["ids"]["id"] for event in (*first.events, *second.events)}) == 6


KILLED = """
import asyncio, json, sys
sys.path[:0] = sys.argv[1:2]
from event_listener import plugin_main

class Queue:
    async def put(self, event):
        print(json.dumps(event), flush=True)

asyncio.run(plugin_main()(Queue(), json.loads(sys.argv[2])))
"""


ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{CHECKOUT / 'tests' / 'support'}{os.pathsep}{CHECKOUT / 'dev'}"}


def test_a_killed_process_repeats_at_most_one_event(tmp_path: Path) -> None:
    account, chance = Account(2, 0), random.Random(5)
    arguments = {"api_key": KEY, "interval": 0.1, "requests_per_minute": 100_000, "state_file": str(tmp_path / "state")}
    seen: list[dict[str, Any]] = []
    with scripted_service(account) as service:
        for number in range(5):
            command = [sys.executable, "-c", KILLED, "", json.dumps({**arguments, "base_url": service.base_url})]
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
        with listening_to(service, **{**arguments, "account": None}) as last:
            last.after_polls(3)
    seen += last.events
    objects = [event["ids"]["id"] for event in seen]
    assert {f"tn_{number}x{each}" for number in range(5) for each in range(20)} == set(objects)
    assert len(objects) - len(set(objects)) <= 5
    assert len({event["id"] for event in seen}) == len(set(objects))  # what is repeated has the same ID


def cut_off(path: Path) -> None:
    path.write_text(path.read_text().partition("\n")[0][:-30])


def more_lines(path: Path) -> None:
    path.write_text(f"{path.read_text()}more\n")


def not_ours(path: Path) -> None:
    path.write_text('{"format": 1}\n')


def no_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")


def empty(path: Path) -> None:
    path.write_text("")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def cut_memory(path: Path) -> None:
    content = json.loads(path.read_text().splitlines()[0])
    content["memory"]["parts"]["tunnels"]["tn_000"] = "cut"
    path.write_text(f"{json.dumps(content)}\n")


@pytest.mark.parametrize("harm", [cut_off, more_lines, not_ours, no_text, empty, a_folder, cut_memory])
def test_a_damaged_state_file_is_an_error_at_the_start(harm: Any, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with scripted_service(Account()) as service:
        with listening_to(service, state_file=str(state)) as listener:
            listener.after_polls(2)
        harm(state)
        requests = len(service.received)
        with listening_to(service, state_file=str(state)) as listener:
            listener.thread.join(10)
        assert "state_file: " in str(listener.error)
        assert len(service.received) == requests


@pytest.mark.parametrize(
    "other",
    [{"account": "other"}, {"api_key": "ak_other"}, {"version_header": "Other"}],
    ids=lambda one: next(iter(one)),
)
def test_the_state_file_of_another_account_is_an_error_at_the_start(other: dict[str, Any], tmp_path: Path) -> None:
    arguments = {"account": None, "state_file": str(tmp_path / "state.json")}
    with scripted_service(Account()) as service:
        with listening_to(service, **arguments) as listener:
            listener.after_polls(2)
        with listening_to(service, **{**arguments, **other}) as listener:
            listener.thread.join(10)
        assert "belongs to another account" in str(listener.error)


def test_the_state_file_of_a_named_account_survives_a_new_key(tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    with scripted_service(account) as service:
        with listening_to(service, state_file=state) as listener:
            listener.after_polls(2)
        account.tunnels["tn_new"] = account.tunnel("tn_new")
        with listening_to(service, state_file=state, api_key="ak_new") as listener:
            listener.after_polls(2)
        assert listener.types() == ["tunnel_online"]


def test_two_sources_cannot_share_a_state_file(tmp_path: Path) -> None:
    with scripted_service(Account()) as service:
        arguments = {"state_file": str(tmp_path / "state.json")}
        with listening_to(service, **arguments) as listener:
            listener.after_polls(1)
            with listening_to(service, **arguments) as other:
                other.thread.join(10)
            assert "used by another source" in str(other.error)


@pytest.mark.parametrize("where", ["missing/state.json", "file/state.json"])
def test_a_state_file_that_cannot_be_written_is_an_error_at_the_start(where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with scripted_service(Account()) as service:
        with listening_to(service, state_file=str(tmp_path / where)) as listener:
            listener.thread.join(10)
        assert "cannot be written" in str(listener.error)
        assert service.received == []


HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "{{ lookup('ansible.builtin.pipe', 'id') }}",
    "{% raw %}",
    "{# comment #}",
    "{{{{{ x",
    "'{' '{ x }}'",
    '"\\x7b\\x7b x }}"',
    "'\\N{LEFT CURLY BRACKET}\\u007b x'",
    "#jinja2: variable_start_string: '[['",
    "$ANSIBLE_VAULT;1.1;AES256",
    "\ud800 half",
    "\u202egnp.exe",
    "null\x00byte",
    "ends with {",
    json.dumps({"{{ key }}": ["{{ value }}"], "a.b": {"": "\ud83d"}}),
    json.dumps({"number": 10**400}),
    '{"a": 1e999, "b": NaN}',
    "[" * 5000,
    "[" * 50 + "]" * 50,
    "x" * 3_000_000,
    json.dumps({f"key{number}": "y" * 1000 for number in range(2000)}),
]


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=[pytest.mark.long(cores=0)] * (number % 4 > 0)) for number, text in enumerate(HOSTILE)],
    ids=[f"text{number}" for number in range(len(HOSTILE))],
)
def test_hostile_strings_are_harmless(text: str, tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    with scripted_service(account) as service:
        with listening_to(service, state_file=state) as listener:
            listener.until(lambda: lists(service, "/tunnels") > 1)
            account.tunnels["tn_new"] = account.tunnel("tn_new", metadata=text, public_url=text, labels={text: text})
            account.edges["edghts_001"] = account.edge("edghts_001", description=text, metadata=text)
            listener.until(lambda: len(listener.events) >= 2)
            assert sorted(listener.types()) == ["edge_changed", "tunnel_online"]
            listener.after_polls(2)
        with listening_to(service, state_file=state) as again:
            again.after_polls(2)
    assert len(listener.events) == 2
    assert again.events == []
    for event in listener.events:
        shown = json.dumps(event, allow_nan=False)
        assert len(shown) < 120_000
        for mark in ("{{", "{%", "{#", "\\u001b", "\\u0000", "\\ud8", "\\u202e", "$ANSIBLE_VAULT", "#jinja2:"):
            assert mark not in shown.replace("\\\\u", "")
        assert all(_is_inert(text) for text in _strings(event))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield name
            yield from _strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from _strings(member)


def _is_inert(text: str) -> bool:
    """Whether the string is not a template, even after it was evaluated as a Python literal, in quotes or without."""
    warnings.simplefilter("ignore", SyntaxWarning)
    for literal in (text, f"'{text}'", f'"{text}"'):
        try:
            found = ast.literal_eval(literal)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if any(mark in one for one in _strings(found) for mark in ("{{", "{%", "{#")):
            return False
    return not text.endswith("{")


def test_the_budget_is_kept_in_any_minute_with_retries() -> None:
    account = Account(5, 0)
    account.page = 1
    chance = random.Random(3)
    account.spoil = lambda request: as_json({"msg": "slow"}, 500) if chance.random() < 0.3 else None
    with scripted_service(account) as service:
        with listening_to(service, requests_per_minute=12, retries=3, https_edges=False) as listener:
            listener.until(lambda: len(service.received) >= 12)
            time.sleep(2)
        assert len(service.received) == 12


def test_the_budget_is_kept_by_processes_in_sequence(tmp_path: Path) -> None:
    account = Account()
    arguments = {"api_key": KEY, "interval": 0.1, "requests_per_minute": 7, "state_file": str(tmp_path / "state")}
    with scripted_service(account) as service:
        command = [sys.executable, "-c", KILLED, "", json.dumps({**arguments, "base_url": service.base_url})]
        for _process in range(3):
            (tmp_path / "state.lock").unlink(missing_ok=True)  # is written again when a process has started
            with subprocess.Popen(command, env=ENVIRONMENT) as process:
                end = time.monotonic() + 20
                while time.monotonic() < end and not (tmp_path / "state.lock").exists():
                    time.sleep(0.02)
                time.sleep(1)
                process.kill()
        assert len(service.received) == 7


def test_a_source_that_hangs_stops_immediately() -> None:
    account = Account()

    def hang(request: Received) -> None:
        time.sleep(3)

    with watched(account, timeout=30) as (listener, _service):
        account.spoil = hang
        time.sleep(0.3)
        started = time.monotonic()
        listener.stop()
        assert time.monotonic() - started < 1
        account.spoil = lambda request: None
