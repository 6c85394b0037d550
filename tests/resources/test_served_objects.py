# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that serve traffic without a module of their own, such as TCP edges: they are judged as edges are."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes

Given = dict[str, Any]

BACKEND: Given = {"backend": {"backend_id": "bkd_one"}}
OFFICE: Given = {"ip_restriction": {"ip_policy_ids": ["ipp_office"]}}
CLIENTS: Given = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
VPN: Given = {"id": "edgtls_vpn", "hostports": ["vpn.example.com:443"], **BACKEND}


def off(module: Given) -> Given:
    return {name: {**value, "enabled": False} for name, value in module.items()}


def declared(collection: str, find_by: Given, **body: Any) -> Given:
    return {"objects": [{"name": "served", "collection": collection, "find_by": find_by, "body": body}]}


TLS = ("edges/tls", {"hostports": ["vpn.example.com:443"]})

# What is live, what is declared, the rules that find something in it, and what it opens.
CASES: dict[str, tuple[Given, Given, list[str], list[str]]] = {
    "certificates are disabled": (
        {**VPN, **CLIENTS},
        declared(*TLS, **off(CLIENTS)),
        ["protection_disabled"],
        ["vpn.example.com:443: no longer requires a client certificate"],
    ),
    "a restriction is disabled": (
        {**VPN, **OFFICE},
        declared(*TLS, **off(OFFICE)),
        ["protection_disabled"],
        ["vpn.example.com:443: no longer requires an allowed network"],
    ),
    "other certificates": (
        {**VPN, **CLIENTS},
        declared(*TLS, mutual_tls={"certificate_authority_ids": ["ca_two"]}),
        [],
        ["vpn.example.com:443: also admits certificate_authority_ids ca_two"],
    ),
    "obsolete TLS": (VPN, declared(*TLS, tls_termination={"min_version": "1.0"}), ["old_tls"], []),
    "a port of administrators": (
        {},
        declared("edges/tcp", {"hostports": ["1.tcp.example.com:22"]}, **BACKEND),
        ["service_port_in_the_open"],
        ["1.tcp.example.com:22: nothing took it before, and everyone gets through now"],
    ),
    "a protected port of administrators": (
        {},
        declared("edges/tcp", {"hostports": ["1.tcp.example.com:22"]}, **BACKEND, **OFFICE),
        [],
        ["1.tcp.example.com:22: nothing took it before, and it requires an allowed network now"],
    ),
    "a description": ({**VPN, **CLIENTS}, declared(*TLS, description="VPN"), [], []),
}


@pytest.mark.parametrize(("live", "options", "rules", "opens"), CASES.values(), ids=CASES)
def test_what_is_declared_is_judged(
    tasks: Tasks, live: Given, options: Given, rules: list[str], opens: list[str]
) -> None:
    tasks.service.seed(tls_edges=[live] if live else [])
    dry = tasks.run("estate", True, **options, reject_findings="low")
    assert [one["rule"] for one in dry["findings"] if one["created"]] == rules
    assert [f"{one['request']}: {one['text']}" for entry in dry["plan"] for one in entry["opens"]] == opens
    result = tasks.run("estate", **options, reject_findings="low")
    assert (bool(result.get("failed")), writes(result) == []) == (bool(rules), bool(rules))
    judged = tasks.done("exposure_info", estate=options)
    if options["objects"][0]["body"].keys() - {"description"} and live == {}:
        assert sorted(one["rule"] for one in judged["findings"]) == rules


def test_an_endpoint_is_judged_by_its_url(tasks: Tasks) -> None:
    options = declared("endpoints", {"url": "tcp://1.tcp.example.com:22"}, type="cloud", traffic_policy="")
    judged = tasks.done("exposure_info", estate=options)
    assert [one["rule"] for one in judged["findings"]] == ["service_port_in_the_open"]


def test_an_unknown_collection_may_serve_traffic(tasks: Tasks) -> None:
    options = declared("edges/udp", {"hostports": ["1.udp.example.com:53"]})
    result = tasks.run("estate", True, **options, reject_findings="low")
    names = [one["object"] for one in result.get("not_judged", ())]
    assert any("edges/udp" in name for name in names), result.get("msg")
