# SPDX-License-Identifier: GPL-3.0-or-later
"""A tunnel as a host: its variables, its address, and its name, for any metadata."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import TUNNEL
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_names import LONGEST_NAME
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.tunnel_host import (
    default_name,
    metadata_of,
    omissions_of,
    prefix_errors,
    variables_of,
)

pytestmark = pytest.mark.every_core


def tunnel(**fields: Any) -> dict[str, Any]:
    """Return a tunnel as in the result of `tunnel_info`. Omitted fields are empty."""
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
def test_the_address_of_a_tcp_tunnel_becomes_host_and_port(public_url: str, address: tuple[str, int] | None) -> None:
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
    ('{"a": 1e999}', '{"a": 1e999}'),
    ('{"a": [-1e999, 1.5]}', '{"a": [-1e999, 1.5]}'),
    ('{"a": -Infinity}', '{"a": -Infinity}'),
    ('{"a": 1.5}', {"a": 1.5}),
    ('{"__ansible_unsafe": "a"}', '{"__ansible_unsafe": "a"}'),
    ("half a \ud83d", "half a \ud83d"),
    ('{"a": "\\ud800"}', '{"a": "\\ud800"}'),
    ("[" * 33 + "]" * 33, "[" * 33 + "]" * 33),
    ("[" * 2048 + "]" * 2048, "[" * 2048 + "]" * 2048),
    ("[" + "1" * 4094 + "]", [int("1" * 4094)]),
]


@pytest.mark.parametrize(("text", "value"), METADATA, ids=[str(number) for number in range(len(METADATA))])
def test_metadata_that_is_json_is_parsed(text: str, value: Any) -> None:
    assert metadata_of(tunnel(metadata=text)) == value


def test_labels_that_ansible_reserves_are_ignored() -> None:
    one = tunnel(labels={"__ansible_vault": "a", "__ansible_unsafe": "b", "__ansible_type": "c", "__a": "d"})
    assert variables_of(one, "")["labels"] == {"__a": "d"}
    assert len(list(omissions_of(one))) == 3
    assert list(omissions_of(tunnel(labels={"a": "__ansible_vault"}))) == []


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    one = tunnel(metadata="a \ud83d", region="\udc00", labels={"\ud800": "\ud800"}, backends=[{"id": "\ud800"}])
    variables = variables_of(one, "")
    json.dumps(variables, ensure_ascii=False).encode()
    assert variables["metadata"] == "a \ufffd"


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
def test_the_default_name(fields: dict[str, str], name: str) -> None:
    assert default_name(tunnel(**fields)) == name


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
def test_invalid_prefixes_are_option_errors(prefix: str, number: int) -> None:
    assert len(list(prefix_errors(prefix))) == number
