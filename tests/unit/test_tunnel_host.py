# SPDX-License-Identifier: GPL-3.0-or-later
"""What a tunnel is as a host: its variables, its address, its name, for any metadata that there can be."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils.schema import TUNNEL
from ansible_collections.edgeops.ingress.plugins.module_utils.tunnel_host import (
    LONGEST_NAME,
    default_name,
    metadata_of,
    name_in,
    names_of,
    prefix_faults,
    variables_of,
)


def tunnel(**fields: Any) -> dict[str, Any]:
    """A tunnel as `tunnel_info` shows it, in which what is left out is empty."""
    return TUNNEL.shown(TUNNEL.read({"id": "tn_1", **fields}, "tunnel"))


ADDRESSES: list[tuple[str, tuple[str, int] | None]] = [
    ("tcp://1.tcp.example.net:12345", ("1.tcp.example.net", 12345)),
    ("tcp://1.TCP.example.net:12345/", ("1.tcp.example.net", 12345)),
    ("tcp://127.0.0.1:22", ("127.0.0.1", 22)),
    ("tcp://[2001:db8::1]:22", ("2001:db8::1", 22)),
    ("tcp://[fe80::1%25eth0]:22", None),
    ("tcp://2001:db8::1:22", None),
    ("tcp://1.tcp.example.net", None),
    ("tcp://1.tcp.example.net:0", None),
    ("tcp://1.tcp.example.net:65536", None),
    ("tcp://1.tcp.example.net:ssh", None),
    ("tcp://:22", None),
    ("tcp://me@1.tcp.example.net:22", None),
    ("tcp://1.tcp.example.net:22/path", None),
    ("tcp://1.tcp.example.net:22?query", None),
    ("tcp://-oProxyCommand=id:22", None),
    ("tcp://{{ host }}:22", None),
    ("tls://1.tls.example.net:443", None),
    ("https://shop.example.app", None),
    ("1.tcp.example.net:22", None),
    ("", None),
]


@pytest.mark.parametrize(("public_url", "address"), ADDRESSES)
def test_the_address(public_url: str, address: tuple[str, int] | None) -> None:
    variables = variables_of(tunnel(public_url=public_url), "")
    found = (variables["ansible_host"], variables["ansible_port"]) if "ansible_host" in variables else None
    assert found == address
    assert ("ansible_port" in variables) == (address is not None)


def test_every_field_is_a_variable() -> None:
    one = tunnel(public_url="tcp://a.example.com:22", metadata='{"site": "north"}', labels={"a": "b"})
    assert variables_of(one, "") == {
        **one,
        "metadata": {"site": "north"},
        "ansible_host": "a.example.com",
        "ansible_port": 22,
    }
    prefixed = variables_of(one, "tunnel_")
    assert set(prefixed) == {f"tunnel_{name}" for name in one} | {"ansible_host", "ansible_port"}


METADATA: list[tuple[str, Any]] = [
    ("", ""),
    ("ssh", "ssh"),
    ('{"a": {"b": [1, null]}}', {"a": {"b": [1, None]}}),
    (' ["a"]\n', ["a"]),
    ("{}", {}),
    ("22", "22"),
    ('"quoted"', '"quoted"'),
    ("true", "true"),
    ("null", "null"),
    ("{not json}", "{not json}"),
    ("{{ lookup('env', 'HOME') }}", "{{ lookup('env', 'HOME') }}"),
    ('{"a": NaN}', '{"a": NaN}'),
    ('[{"__ansible_vault": "a"}]', '[{"__ansible_vault": "a"}]'),
    ('{"a": "\\ud800"}', '{"a": "\\ud800"}'),
    ("[" * 33 + "]" * 33, "[" * 33 + "]" * 33),
    ("[" * 2048 + "]" * 2048, "[" * 2048 + "]" * 2048),
    ("[" + "1" * 4094 + "]", [int("1" * 4094)]),
]


@pytest.mark.parametrize(("text", "value"), METADATA, ids=[str(number) for number in range(len(METADATA))])
def test_metadata(text: str, value: Any) -> None:
    assert metadata_of(tunnel(metadata=text)) == value


DEFAULT_NAMES = [
    ({}, "tn_1"),
    ({"metadata": "gate"}, "gate"),
    ({"metadata": '{"name": "gate", "site": "north"}'}, "gate"),
    ({"metadata": '{"name": 7}'}, "7"),
    ({"metadata": '{"site": "north"}'}, "tn_1"),
    ({"metadata": '{"name": ""}'}, "tn_1"),
    ({"metadata": '{"name": null}'}, "tn_1"),
    ({"metadata": '{"name": true}'}, "tn_1"),
    ({"metadata": '{"name": ["gate"]}'}, "tn_1"),
    ({"metadata": '["gate"]'}, "tn_1"),
    ({"metadata": " \n"}, "tn_1"),
    ({"metadata": "22"}, "22"),
]


@pytest.mark.parametrize(("fields", "name"), DEFAULT_NAMES)
def test_the_name_that_is_not_asked_for(fields: dict[str, str], name: str) -> None:
    assert default_name(tunnel(**fields)) == name


NAMES: list[tuple[Any, str]] = [
    ("gate.north-1", "gate.north-1"),
    ("  the gate, north:1 ", "the_gate_north_1"),
    ("Tür", "Tür"),
    ("../../etc/passwd", "etc_passwd"),
    ("-oProxyCommand=id", "oProxyCommand_id"),
    ("a[1:3]", "a_1_3"),
    ("~.*", ""),
    ("{{ 7 * 7 }}", "7_7"),
    ("a\nb\0c", "a_b_c"),
    ("\ud800", ""),
    ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
    ("x" * (LONGEST_NAME + 1), ""),
    ("ü" * 127, ""),
    (22, "22"),
    (1.5, "1.5"),
    (True, ""),
    (None, ""),
    (["a"], ""),
    ({"a": "b"}, ""),
]


@pytest.mark.parametrize(("value", "name"), NAMES, ids=[str(number) for number in range(len(NAMES))])
def test_what_is_good_for_a_name(value: Any, name: str) -> None:
    assert name_in(value) == name


NAMED: list[tuple[dict[str, str], dict[str, str], list[str]]] = [
    ({}, {}, []),
    ({"tn_1": "a", "tn_2": "b", "tn_3": "tn_3"}, {"tn_1": "a", "tn_2": "b", "tn_3": "tn_3"}, []),
    (
        {"tn_2": "a", "tn_1": "a", "tn_3": "b"},
        {"tn_2": "tn_2", "tn_1": "tn_1", "tn_3": "b"},
        ["2 tunnels have the name a; their hosts are named by their ids: tn_1, tn_2"],
    ),
    ({"tn_1": "all"}, {"tn_1": "tn_1"}, ["the tunnel tn_1 can't have the name all"]),
    ({"tn_1": "tn_2", "tn_2": "b"}, {"tn_1": "tn_1", "tn_2": "b"}, ["the tunnel tn_1 can't have the name tn_2"]),
    (
        {"tn_1": "tn_2", "tn_2": "tn_2"},
        {"tn_1": "tn_1", "tn_2": "tn_2"},
        ["2 tunnels have the name tn_2; their hosts are named by their ids: tn_1, tn_2"],
    ),
    (
        {"tn_1": "all", "tn_2": "all"},
        {"tn_1": "tn_1", "tn_2": "tn_2"},
        ["2 tunnels have the name all; their hosts are named by their ids: tn_1, tn_2"],
    ),
]


@pytest.mark.parametrize(("wanted", "names", "warnings"), NAMED)
def test_no_tunnel_is_lost_by_its_name(wanted: dict[str, str], names: dict[str, str], warnings: list[str]) -> None:
    found, said = names_of(wanted, {"all", "ungrouped"})
    assert found == names
    assert len(said) == len(warnings)
    assert all(one.startswith(start) for one, start in zip(said, warnings, strict=True))


few_names = st.sampled_from(["a", "b", "all", "tn_1", "tn_2", "tn_3", "tn_4"])


@given(st.dictionaries(st.sampled_from(["tn_1", "tn_2", "tn_3", "tn_4"]), few_names), st.randoms())
def test_names_are_different_and_do_not_depend_on_the_order(wanted: dict[str, str], random: Any) -> None:
    names, _warnings = names_of(wanted, {"all"})
    assert set(names) == set(wanted)
    assert len(set(names.values())) == len(wanted)
    assert "all" not in names.values()
    shuffled = list(wanted.items())
    random.shuffle(shuffled)
    assert names_of(dict(shuffled), {"all"})[0] == names


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("name"), inner),
    max_leaves=8,
)


@given(st.text() | trees.map(json.dumps) | trees.map(lambda tree: json.dumps({"name": tree})))
def test_any_metadata_makes_a_host(text: str) -> None:
    one = tunnel(metadata=text)
    assert variables_of(one, "")["metadata"] in (text, metadata_of(one))
    name = default_name(one)
    assert re.fullmatch(r"\w([\w.-]*\w)?", name)
    assert len(name.encode()) <= LONGEST_NAME


PREFIXES = [("", 0), ("tunnel_", 0), ("_", 0), ("t1", 0), ("1t", 1), ("tunnel-", 1), ("tunnel ", 1), ("tür", 1)]


@pytest.mark.parametrize(("prefix", "number"), PREFIXES)
def test_prefixes(prefix: str, number: int) -> None:
    assert len(list(prefix_faults(prefix))) == number
