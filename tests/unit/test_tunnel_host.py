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
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels import tunnel_host
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_names import LONGEST_NAME

pytestmark = pytest.mark.every_core


def tunnel(**fields: Any) -> dict[str, Any]:
    """Return a tunnel as in the result of `tunnel_info`. Omitted fields are empty."""
    return TUNNEL.shown(TUNNEL.read({"id": "tn_1", **fields}, "tunnel"))


ADDRESSES: dict[str, tuple[str, int]] = {
    "tcp://1.tcp.example.net:12345": ("1.tcp.example.net", 12345),
    "tcp://1.TCP.example.net:12345/": ("1.tcp.example.net", 12345),
    "tcp://127.0.0.1:22": ("127.0.0.1", 22),
    "tcp://[2001:db8::1]:22": ("2001:db8::1", 22),
}
NO_ADDRESSES = [
    *("tcp://[fe80::1%25eth0]:22", "tcp://2001:db8::1:22", "tcp://1.tcp.example.net", "tcp://1.tcp.example.net:0"),
    *("tcp://1.tcp.example.net:65536", "tcp://1.tcp.example.net:ssh", "tcp://:22", "tcp://me@1.tcp.example.net:22"),
    *("tcp://1.tcp.example.net:22/path", "tcp://1.tcp.example.net:22?query", "tcp://-oProxyCommand=id:22"),
    *("tcp://{{ host }}:22", "tls://1.tls.example.net:443", "https://shop.example.app", "1.tcp.example.net:22", ""),
]


def test_the_address_of_a_tcp_tunnel_becomes_host_and_port() -> None:
    found = {url: tunnel_host.variables_of(tunnel(public_url=url), "") for url in (*ADDRESSES, *NO_ADDRESSES)}
    names = ("ansible_host", "ansible_port")
    addresses = {url: tuple(each[name] for name in names if name in each) for url, each in found.items()}
    assert addresses == {**ADDRESSES, **dict.fromkeys(NO_ADDRESSES, ())}


def test_every_field_is_a_variable() -> None:
    one = tunnel(public_url="tcp://a.example.com:22", metadata='{"site": "north"}', labels={"a": "b"})
    assert tunnel_host.variables_of(one, "") == {
        **one,
        "metadata": {"site": "north"},
        "ansible_host": "a.example.com",
        "ansible_port": 22,
    }
    prefixed = tunnel_host.variables_of(one, "tunnel_")
    assert set(prefixed) == {f"tunnel_{name}" for name in one} | {"ansible_host", "ansible_port"}


PARSED: dict[str, Any] = {
    '{"a": {"b": [1, null]}}': {"a": {"b": [1, None]}},
    ' ["a"]\n': ["a"],
    "{}": {},
    '{"a": 1.5}': {"a": 1.5},
    "[" + "1" * 4094 + "]": [int("1" * 4094)],
}
AS_IT_IS = [
    *("", "ssh", "22", '"quoted"', "true", "null", "{not json}", "{{ lookup('env', 'HOME') }}", '{"a": NaN}'),
    *('[{"__ansible_vault": "a"}]', '{"a": 1e999}', '{"a": [-1e999, 1.5]}', '{"a": -Infinity}'),
    *('{"__ansible_unsafe": "a"}', "half a \ud83d", '{"a": "\\ud800"}'),
    *("[" * 33 + "]" * 33, "[" * 2048 + "]" * 2048),
]


def test_metadata_that_is_json_is_parsed() -> None:
    expected = {**PARSED, **{text: text for text in AS_IT_IS}}
    assert {text: tunnel_host.metadata_of(tunnel(metadata=text)) for text in expected} == expected


def test_labels_that_ansible_reserves_are_ignored() -> None:
    one = tunnel(labels={"__ansible_vault": "a", "__ansible_unsafe": "b", "__ansible_type": "c", "__a": "d"})
    assert tunnel_host.variables_of(one, "")["labels"] == {"__a": "d"}
    assert len(list(tunnel_host.omissions_of(one))) == 3
    assert list(tunnel_host.omissions_of(tunnel(labels={"a": "__ansible_vault"}))) == []


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    one = tunnel(metadata="a \ud83d", region="\udc00", labels={"\ud800": "\ud800"}, backends=[{"id": "\ud800"}])
    variables = tunnel_host.variables_of(one, "")
    json.dumps(variables, ensure_ascii=False).encode()
    assert variables["metadata"] == "a \ufffd"


DEFAULT_NAMES = {
    "gate": "gate",
    '{"name": "gate", "site": "north"}': "gate",
    '{"name": 7}': "7",
    "22": "22",
    **dict.fromkeys(['{"site": "north"}', '{"name": ""}', '{"name": null}', '{"name": true}'], "tn_1"),
    **dict.fromkeys(['{"name": ["gate"]}', '["gate"]', " \n", ""], "tn_1"),
}


def test_the_default_name() -> None:
    found = {metadata: tunnel_host.default_name(tunnel(metadata=metadata)) for metadata in DEFAULT_NAMES}
    assert found == DEFAULT_NAMES


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("name"), inner),
    max_leaves=8,
)


@given(st.text() | trees.map(json.dumps) | trees.map(lambda tree: json.dumps({"name": tree})))
def test_any_metadata_makes_a_host(text: str) -> None:
    one = tunnel(metadata=text)
    assert tunnel_host.variables_of(one, "")["metadata"] in (text, tunnel_host.metadata_of(one))
    name = tunnel_host.default_name(one)
    assert re.fullmatch(r"\w([\w.-]*\w)?", name)
    assert len(name.encode()) <= LONGEST_NAME


def test_invalid_prefixes_are_option_errors() -> None:
    prefixes = ("", "tunnel_", "_", "t1", "1t", "tunnel-", "tunnel ", "tür")
    assert [len(list(tunnel_host.prefix_errors(prefix))) for prefix in prefixes] == [0, 0, 0, 0, 1, 1, 1, 1]
