# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading online tunnels: one or all, filtered, in whatever form the service has them, and those that become hosts:
from the service or from a cache, each of them once, with an ID.
"""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, result_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.definition import tunnel_inventory
from cases import cases
from module_task import Given, Tasks, methods
from scripted_service import as_json, in_turn, scripted_service

AGENT: Given = {"id": "tn_agent", "public_url": "tcp://1.tcp.example.net:12345", "proto": "tcp", "region": "us"}
AGENT |= {"metadata": '{"app":"shop"}', "endpoint": {"id": "ep_a"}, "forwards_to": "localhost:22"}
BACKEND = {"id": "tn_backend", "labels": {"app": "shop", "env": "live"}, "backends": [{"id": "bkd_a"}], "region": "eu"}
BARE = {"id": "tn_bare", "proto": "https", "region": "us"}
FIELDS = {
    *("id", "public_url", "started_at", "metadata", "proto", "region", "tunnel_session", "endpoint", "labels"),
    *("backends", "forwards_to"),
}


@pytest.fixture(autouse=True)
def _three_tunnels(tasks: Tasks) -> None:
    tasks.service.seed(tunnels=[AGENT, BACKEND, BARE])


def ids(tasks: Tasks, **options: Any) -> list[str]:
    """The IDs of the tunnels that a task returns."""
    return sorted(tunnel["id"] for tunnel in tasks.done("tunnel_info", **options)["tunnels"])


# What a task asks for, and the tunnels that it returns.
FILTERS = cases(
    """
    all | {} | [agent, backend, bare]
    an ID | id: tn_bare | [bare]
    an unknown ID | id: tn_unknown | []
    an ID and another region | {id: tn_bare, region: eu} | []
    a protocol | proto: tcp | [agent]
    another protocol | proto: http | []
    a region | region: us | [agent, bare]
    two fields | {region: us, proto: https} | [bare]
    metadata | metadata: '{"app":"shop"}' | [agent]
    a part of metadata | metadata: shop | []
    a label | labels: {app: shop} | [backend]
    a label and another one | labels: {app: shop, env: test} | []
    two labels | labels: {env: live, app: shop} | [backend]
    no labels | labels: {} | [agent, backend, bare]
    a label with a number | labels: {app: 7} | [numbered]
    a label with nothing | labels: {other: null} | []
    no metadata | metadata: "" | [backend, bare, numbered]
    """
)


@pytest.mark.parametrize(
    "switches", [{}, {"page_size": 1}, {"page_size": 1, "next_page": "relative"}, {"extra_keys": True}]
)
@pytest.mark.parametrize(("options", "found"), FILTERS.values(), ids=FILTERS)
def test_filters_select_tunnels_in_check_mode_as_well(
    tasks: Tasks, options: Given, found: list[str], switches: Given
) -> None:
    if "numbered" in found:
        tasks.service.seed(tunnels=[{"id": "tn_numbered", "labels": {"app": "7"}}])
    tasks.service.switches(**switches)
    for check in (False, True):
        assert ids(tasks, check=check, **options) == [f"tn_{name}" for name in found]


@pytest.mark.parametrize("switches", [{}, {"references": "single"}, {"extra_keys": True}], ids=str)
def test_every_tunnel_has_every_field(tasks: Tasks, switches: Given) -> None:
    tasks.service.switches(**switches)
    tunnels = {tunnel["id"]: tunnel for tunnel in tasks.done("tunnel_info")["tunnels"]}
    assert all(set(tunnel) == FIELDS for tunnel in tunnels.values())
    agent, backend = tunnels["tn_agent"], tunnels["tn_backend"]
    assert (agent["endpoint"]["id"], agent["backends"], agent["labels"]) == ("ep_a", [], {})
    assert (backend["public_url"], backend["endpoint"]) == ("", None)
    assert [ref["id"] for ref in tunnels["tn_backend"]["backends"]] == ["bkd_a"]
    assert tunnels["tn_bare"]["tunnel_session"]["id"].startswith("ts_")


def test_reading_changes_nothing(tasks: Tasks) -> None:
    result = tasks.done("tunnel_info")
    assert (result["changed"], set(methods(result)), "diff" in result) == (False, {"GET"}, False)


def test_an_empty_account(tasks: Tasks) -> None:
    tasks.service.reset()
    for empty in ("empty", "null"):
        tasks.service.switches(empty_pages=empty)
        assert ids(tasks) == []


WRONG: list[Any] = [
    *([], "tunnels", 5, {"tunnels": {"a": 1}}, {"tunnels": [None]}, {"tunnels": ["tn_a"]}),
    {"tunnels": [{"labels": []}]},
]


@pytest.mark.parametrize("response", WRONG, ids=str)
def test_a_response_of_another_type_is_a_failure(tasks: Tasks, response: Any) -> None:
    result = tasks.failed("tunnel_info", instead=in_turn(as_json(response)))
    assert ("tunnels" in result["msg"], result["changed"]) == (True, False)


def test_a_single_tunnel_of_another_shape_is_a_failure(tasks: Tasks) -> None:
    assert tasks.failed("tunnel_info", instead=in_turn(as_json(["tn_a"])), id="tn_a")["msg"]


def test_the_protocols_are_those_of_the_api_reference(tasks: Tasks) -> None:
    for proto in ("http", "https", "tcp", "tls"):
        tasks.done("tunnel_info", proto=proto)
    assert "proto" in tasks.failed("tunnel_info", proto="udp")["msg"]


def test_the_error_contains_the_number_of_the_invalid_tunnel(tasks: Tasks) -> None:
    listed = as_json({"tunnels": [{"id": "tn_a"}, {"id": "tn_b", "labels": "x"}]})
    result = tasks.failed("tunnel_info", instead=in_turn(listed))
    assert "tunnels[1].labels" in result["msg"]
    assert (result["error"]["method"], result["error"]["path"]) == ("GET", "/tunnels")


def test_an_option_error_of_the_id_is_named_before_any_request(tasks: Tasks) -> None:
    result = tasks.failed("tunnel_info", id="edghts_a")
    assert [option_error.split(": ")[0] for option_error in result["option_errors"]] == ["id"]
    assert result["sent"] == []
    assert "operations" not in result


ONE = {"id": "tn_one", "region": "eu"}
OTHER = {"id": "tn_other", "region": "us"}


def inventory(tasks: Tasks, known: list[Given] | None = None, **options: Any) -> Given:
    """Return the result of the inventory; `sent` are the paths of the requests that the service received."""
    definition = tunnel_inventory(known)
    connection: Given = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}
    arguments = checked(definition, {**connection, **options})
    before = len(tasks.service.journal())
    found = result_of(definition, arguments.options, arguments.option_errors)
    return {**found, "sent": [request["path"] for request in tasks.service.journal()[before:]]}


@pytest.mark.parametrize("known", [None, [], [ONE], [ONE, OTHER, {**ONE, "region": "ap"}]], ids=str)
def test_online_tunnels_become_hosts_unless_others_are_known(tasks: Tasks, known: list[Given] | None) -> None:
    """What is listed twice is one host."""
    tasks.service.reset()
    tasks.service.seed(tunnels=[ONE, OTHER])
    found = inventory(tasks, known)
    expected = [ONE, OTHER] if known is None else known[:2]
    assert {tunnel["id"]: tunnel["region"] for tunnel in found["tunnels"]} == {
        one["id"]: one["region"] for one in expected
    }
    assert (found["sent"], found["changed"]) == (["/tunnels"] * (known is None), False)


@pytest.mark.parametrize(
    "odd",
    [
        *({"id": identifier} for identifier in ("", " ", "tn one", "-tn", "../tn", "x" * 300, "tn\x1b[2J", None, 5)),
        *({"id": "tn_odd", **fields} for fields in ({"labels": []}, {"metadata": float("nan")}, {"proto": {}})),
    ],
    ids=str,
)
def test_a_tunnel_that_cannot_be_a_host_is_not_in_the_inventory(tasks: Tasks, odd: Given) -> None:
    with scripted_service(in_turn(as_json({"tunnels": [ONE, odd, OTHER]}), as_json({"tunnels": [odd]}))) as service:
        found = inventory(tasks, base_url=service.base_url)
        assert [tunnel["id"] for tunnel in found["tunnels"]] == ["tn_one", "tn_other"]
        [warning] = found["warnings"]
        assert "tunnels[1]" in warning
        assert warning.endswith("This tunnel is not in the inventory.")
        alone = inventory(tasks, base_url=service.base_url)
        assert "tunnels[0]" in alone["msg"]
        assert (alone["error"]["method"], alone["error"]["path"]) == ("GET", "/tunnels")


def test_warnings_are_limited(tasks: Tasks) -> None:
    odd = [{"id": f"tn/{number}"} for number in range(9)]
    with scripted_service(in_turn(as_json({"tunnels": [*odd, ONE]}))) as service:
        warnings = inventory(tasks, base_url=service.base_url)["warnings"]
    assert len(warnings) == 6
    assert warnings[-1].startswith("4 more tunnels")


def test_defaults_of_omitted_options() -> None:
    arguments = checked(tunnel_inventory(), {"base_url": "https://api.example.com", "api_key": "k"})
    assert arguments.option_errors == []
    own = {name: arguments.options[name] for name in tunnel_inventory().options}
    assert own == {**dict.fromkeys(own), "name_prefix": "", "hostvars_prefix": "", "filters": [], "keyed_groups": []}


INCLUDE = {"include": "a"}
OPTION_ERRORS: list[tuple[Given, str]] = [
    ({"hostvars_prefix": "1-"}, "hostvars_prefix: "),
    ({"filters": [{**INCLUDE, "exclude": "b"}]}, "filters[0]: "),
    ({"filters": ["a"]}, "filters[0]: "),
    ({"filters": "a"}, "filters[0]: "),
    ({"filters": INCLUDE}, "filters"),
]


@pytest.mark.parametrize(("options", "option_error"), OPTION_ERRORS)
def test_option_errors_are_reported_before_any_request(tasks: Tasks, options: Given, option_error: str) -> None:
    found = inventory(tasks, **options)
    assert option_error in found["msg"]
    assert (found["failed"], found["sent"]) == (True, [])
