# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source `changes`: what becomes an event, against the reference service."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import CONNECTION_OPTIONS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.definition import DEFINITION
from cases import cases
from event_listener import PLUGIN, Listener, listening, wait_for_threads
from module_task import Tasks
from places import KEY

TUNNEL = {
    "id": "tn_one",
    "region": "eu",
    "proto": "tcp",
    "public_url": "tcp://1.tcp.example.net:12345",
    "forwards_to": "localhost:9999",
    "metadata": '{"name": "north-gate"}',
}
EDGE = {"hostports": ["shop.example.com:443"], "routes": [{**KEY, "backend": {"backend_id": "bkdhr_shop"}}]}


@contextmanager
def watching(tasks: Tasks, **arguments: Any) -> Iterator[Listener]:
    """Run a source until its first poll is over."""

    def polls() -> int:
        return sum(request["path"] == "/tunnels" for request in tasks.service.journal())

    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "account": "shop"}
    with listening(polls, **{**connection, **arguments}) as listener:
        listener.until(lambda: polls() > 2)
        yield listener


def planted(tasks: Tasks) -> dict[str, Any]:
    """An account with an object of each kind."""
    tls_edge = {"ip_restriction": {"enabled": True, "ip_policy_ids": ["ipp_office"]}}
    unlisted = {"tls_edges": [tls_edge], "event_subscriptions": [{"sources": ["ip_policy_created.v0"]}]}
    return dict(tasks.service.seed(tunnels=[TUNNEL], https_edges=[EDGE], **unlisted))


def parts_of(found: dict[str, Any]) -> dict[str, list[str]]:
    """The options that name what no list shows."""
    return {name: [one["id"] for one in found[name]] for name in ("tls_edges", "event_subscriptions")}


def test_initial_events_are_about_what_exists(tasks: Tasks) -> None:
    with watching(tasks, initial_events=True, **parts_of(planted(tasks))) as listener:
        listener.after_polls(2)
        kinds = [(event["type"], event["kind"]) for event in listener.events if event["kind"] != "finding"]
    assert kinds == [
        ("tunnel_online", "tunnel"),
        ("edge_changed", "https_edge"),
        ("route_changed", "https_edge_route"),
        ("edge_changed", "tls_edge"),
        ("source_changed", "event_source"),
    ]


# What is sent, to the edge, the route, the TLS edge, or the subscription, and the events.
CHANGES = cases(
    """
    an edge          | PATCH  | '{edge}'  | {description: new}  | [edge_changed, https_edge, changed, [description]]
    a route          | PATCH  | '{route}' | *NEW_ROUTE | [route_changed, https_edge_route, changed, [backend]]
    a deleted route  | DELETE | '{route}' | null | [route_changed, https_edge_route, deleted, []]
    a deleted edge   | DELETE | '{edge}'  | null
        | [edge_changed, https_edge, deleted, []] | [route_changed, https_edge_route, deleted, []]
    a TLS edge       | PUT    | '{tls}/ip_restriction' | {enabled: false, ip_policy_ids: [ipp_office]}
        | [edge_changed, tls_edge, changed, [ip_restriction]]
    a source         | POST   | '{subscription}/sources' | {type: ip_policy_deleted.v0}
        | [source_changed, event_source, created, []]
    a deleted source | DELETE | '{subscription}/sources/ip_policy_created.v0' | null
        | [source_changed, event_source, deleted, []]
    a new edge       | seed   | https_edges | *NEW_EDGE
        | [edge_changed, https_edge, created, []] | [route_changed, https_edge_route, created, []]
    a new tunnel     | seed   | tunnels | *NEW_TUNNEL | [tunnel_online, tunnel, null, null]
    """,
    NEW_ROUTE={**KEY, "backend": {"backend_id": "bkdhr_new"}},
    NEW_EDGE={**EDGE, "hostports": ["new.example.com:443"]},
    NEW_TUNNEL={**TUNNEL, "id": "tn_two"},
)


def make(tasks: Tasks, found: dict[str, Any], method: str, where: str, what: Any) -> None:
    [edge], [tls], [subscription] = found["https_edges"], found["tls_edges"], found["event_subscriptions"]
    path = where.format(
        edge=f"/edges/https/{edge['id']}",
        route=f"/edges/https/{edge['id']}/routes/{edge['routes'][0]['id']}",
        tls=f"/edges/tls/{tls['id']}",
        subscription=f"/event_subscriptions/{subscription['id']}",
    )
    if method == "seed":
        tasks.service.seed(**{where: [what]})
    else:
        tasks.done("api", method=method, path=path, **({"body": what} if what else {}))


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_one_event(tasks: Tasks, name: str) -> None:
    method, where, what, *expected = CHANGES[name]
    found = planted(tasks)
    with watching(tasks, findings=False, **parts_of(found)) as listener:
        make(tasks, found, method, where, what)
        listener.after_polls(3)
    shown = [[one["type"], one["kind"], one.get("action"), one.get("changed")] for one in listener.events]
    assert shown == expected
    for event in listener.events:
        assert (event["before"] is None) == (event.get("action", "created") == "created")
        assert (event["after"] is None) == (event.get("action") == "deleted")
        assert (event["account"], event["time"][-1]) == ("shop", "Z")
    assert len({event["id"] for event in listener.events}) == len(listener.events)


def test_tunnels_go_offline_and_findings_open_and_close_even_if_other_objects_move(tasks: Tasks) -> None:
    planted(tasks)
    opened = {**TUNNEL, "id": "tn_ssh", "forwards_to": "localhost:22"}
    with watching(tasks) as listener:
        tasks.service.seed(tunnels=[opened])
        listener.after_polls(2)
        assert listener.types() == ["tunnel_online", "finding_opened"]
        finding = listener.events[1]
        assert (finding["before"], finding["after"]["rule"]) == (None, "service_port_in_the_open")
        assert finding["ids"] == {"id": "tn_ssh"}
        # Another tunnel takes its place in the list.
        tasks.service.seed(tunnels=[{**TUNNEL, "id": "tn_web"}])
        listener.after_polls(2)
        assert listener.types()[2:] == ["tunnel_online"]
        tasks.service.reset()
        listener.until(lambda: {"tunnel_offline", "finding_closed"} <= {*listener.types()})
        last = {event["type"]: event for event in listener.events}
    offline, closed = last["tunnel_offline"], last["finding_closed"]
    assert (closed["before"], closed["after"]) == (finding["after"], None)
    assert (offline["before"]["metadata"], offline["after"]) == ({"name": "north-gate"}, None)
    assert offline["object"] == f"tunnel {TUNNEL['public_url']} ({offline['ids']['id']})"


def test_an_accepted_finding_is_not_open(tasks: Tasks) -> None:
    accept = [{"rule": "service_port_in_the_open", "object": "tunnel *", "reason": "A honeypot"}]
    with watching(tasks, accept=accept) as listener:
        tasks.service.seed(tunnels=[{**TUNNEL, "forwards_to": "localhost:22"}])
        listener.after_polls(2)
        assert listener.types() == ["tunnel_online"]


SWITCHES: list[dict[str, Any]] = [
    *({"lists": "reordered"}, {"list_members": "short_routes"}, {"list_members": "id_and_uri"}, {"page_size": 1}),
    *({"empty_lists": "missing", "empty_text": "null"}, {"references": "ids"}, {"unset_values": "missing"}),
]


def test_the_switches_of_the_service_make_no_events(tasks: Tasks) -> None:
    with watching(tasks, **parts_of(planted(tasks))) as listener:
        for switches in SWITCHES:
            tasks.service.switches(**switches)
            assert listener.after_polls(2) == [], switches


def test_secrets_are_masked(tasks: Tasks, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with watching(tasks, state_file=str(state)) as listener:
        route = {
            **KEY,
            "webhook_verification": {"provider": "github", "secret": "verify-with-this"},
            "request_headers": {"add": {"Authorization": "Bearer of-the-backend"}},
            "metadata": json.dumps({"password": "of-the-metadata", "key": tasks.service.api_key}),
        }
        tasks.service.seed(https_edges=[{**EDGE, "routes": [route]}])
        listener.until(lambda: len(listener.events) >= 2)
    shown = json.dumps(listener.events), state.read_text()
    for text in shown:
        assert "webhook_verification" in text
        for secret in ("verify-with-this", "of-the-backend", "of-the-metadata", tasks.service.api_key):
            assert secret not in text
    assert state.stat().st_mode & 0o777 == 0o600


@pytest.mark.every_core
def test_all_errors_in_the_options_are_reported_before_any_request(tasks: Tasks) -> None:
    wrong: dict[str, Any] = {
        "interval": 0,
        "report_failure_after": -1,
        "requests_per_minute": 0,
        "tls_edges": ["../x"],
        "tunnels": "perhaps",
        "accept": [{"rule": "no_such_rule", "object": "x", "reason": "y"}],
        "account": "\x1b[31m",
        "state_file": " ",
        "colour": "red",
    }
    wait_for_threads()  # of sources that other tests have stopped
    earlier = tasks.service.journal()
    with listening(lambda: 0, base_url=tasks.service.base_url, **wrong) as listener:
        listener.thread.join(10)
    names = {**wrong, "tls_edges[0]": 0, "accept[0].rule": 0, "api_key": 0}.keys() - {"tls_edges", "accept"}
    assert [name for name in names if f"{name}: " not in str(listener.error)] == []
    assert tasks.service.journal() == earlier


@pytest.mark.parametrize(("missing", "package"), [("ansible", "ansible-core"), ("requests", "requests")])
def test_a_missing_package_is_named(missing: str, package: str) -> None:
    program = (
        f"import asyncio, runpy, sys; sys.modules['{missing}'] = None; main = runpy.run_path(sys.argv[1])['main'];"
        "asyncio.run(main(asyncio.Queue(), {}))"
    )
    done = subprocess.run((sys.executable, "-c", program, PLUGIN), capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert f"{package} is required" in last


def facts(option: dict[str, Any]) -> dict[str, Any]:
    names = ("type", "elements", "required", "default")
    inside = option.get("suboptions", option.get("options"))
    known = {name: option[name] for name in names if option.get(name) is not None}
    return {**known, **({"inside": {name: facts(one) for name, one in inside.items()}} if inside else {})}


def test_the_documentation_has_the_options_of_the_plugin() -> None:
    documented = yaml.safe_load(runpy.run_path(str(PLUGIN))["DOCUMENTATION"])["options"]
    spec = {**CONNECTION_OPTIONS, **DEFINITION.options}
    own = {"requests_per_minute": {"default": 60}, "retry_max_wait": {"default": 60.0}}
    assert {name: facts(one) for name, one in documented.items()} == {
        name: {**facts(one), **own.get(name, {})} for name, one in spec.items()
    }
