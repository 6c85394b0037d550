# SPDX-License-Identifier: GPL-3.0-or-later
"""Hosts that are made of tunnels: their names, which the owners of tunnels choose, their variables and addresses, for
any metadata, and the expressions for them, as far as anything but Ansible can judge these.
"""

from __future__ import annotations

import json
import re
from textwrap import indent
from typing import Any

import pytest
from ansible.parsing.dataloader import DataLoader
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import TUNNEL
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels import host_names, tunnel_host
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.definition import syntax_errors
from vaulted import encrypted

pytestmark = pytest.mark.every_core

NAMES: dict[Any, str] = {
    "gate.north-1": "gate.north-1",
    "gate.example.com": "gate.example.com",
    "gate.yml": "gate_yml",
    "gate.YAML": "gate_YAML",
    "gate.Json.": "gate_Json",
    "gate.yml.yml": "gate_yml_yml",
    "gate.yml~": "gate_yml",
    "gate.yml.bak": "gate_yml_bak",
    "gate.yml2": "gate_yml2",
    "gate.orig": "gate_orig",
    "gate.rpmsave": "gate_rpmsave",
    "gate.old.example.com": "gate_old.example.com",
    "gate.older.example.com": "gate.older.example.com",
    ".gate": "gate",
    "gate/../other": "gate_.._other",
    "  the gate, north:1 ": "the_gate_north_1",
    "Tür": "Tür",
    "../../etc/passwd": "etc_passwd",
    "-oProxyCommand=id": "oProxyCommand_id",
    "{{ 7 * 7 }}": "7_7",
    "a\nb\0c": "a_b_c",
    "x" * host_names.LONGEST_NAME: "x" * host_names.LONGEST_NAME,
    22: "22",
    1.5: "1.5",
    **dict.fromkeys(["x" * (host_names.LONGEST_NAME + 1), "ü" * 127, "\ud800", "~.*", "..", "", True, None], ""),
}


def test_values_as_names() -> None:
    """The dot of a configured extension is replaced, and lists and dictionaries are no names."""
    assert {value: host_names.name_in(value) for value in NAMES} == NAMES
    names = {"gate.vars": "gate_vars", "gate.a+b": "gate.a_b", "gate.varsity": "gate.varsity"}
    assert {value: host_names.name_in(value, (".vars", "", ".yml")) for value in names} == names
    assert [host_names.name_in(value) for value in (["a"], {"a": "b"})] == ["", ""]


def test_invalid_prefixes_are_option_errors() -> None:
    prefixes = ("", "tunnel-", "t.", "-t", "t/", "a.yml")
    assert [len(list(host_names.name_prefix_errors(prefix))) for prefix in prefixes] == [0, 0, 0, 1, 1, 1]
    prefixes = ("", "tunnel_", "_", "t1", "1t", "tunnel-", "tunnel ", "tür")
    assert [len(list(tunnel_host.prefix_errors(prefix))) for prefix in prefixes] == [0, 0, 0, 0, 1, 1, 1, 1]


FULL_WIDTH = "\N{FULLWIDTH LATIN SMALL LETTER A}ll"
AFTER_IDS = "so the hosts of these tunnels are named after the tunnel IDs: tn_1, tn_2"
NO_HOST = "and the tunnel ID cannot be used as a name either; without a host: "
# The names that the tunnels have, those of their hosts, and the beginning of the warning.
NAMED: list[tuple[str, str, str]] = [
    ("", "", ""),
    ("tn_1=a tn_2=b tn_3=tn_3", "tn_1=a tn_2=b tn_3=tn_3", ""),
    ("tn_2=a tn_1=A tn_3=b", "tn_2=tn_2 tn_1=tn_1 tn_3=b", f"2 tunnels have the name A, {AFTER_IDS}"),
    ("tn_1=ALL", "tn_1=tn_1", "the name ALL is the name of a group, so the host of this tunnel is named after the"),
    ("tn_1=tn_2 tn_2=b", "tn_1=tn_1 tn_2=b", "the name tn_2 is the ID of another tunnel"),
    ("tn_1=tn_2 tn_2=tn_2", "tn_1=tn_1 tn_2=tn_2", f"2 tunnels have the name tn_2, {AFTER_IDS}"),
    ("tn_1=all tn_2=all", "tn_1=tn_1 tn_2=tn_2", f"2 tunnels have the name all, {AFTER_IDS}"),
    (f"tn_1={FULL_WIDTH}", "tn_1=tn_1", f"the name {FULL_WIDTH} is the name of a group"),
    (
        "tn.yml=tn_yml tn_yml=b tn_3=tn_3",
        "tn_yml=b tn_3=tn_3",
        f"the name tn_yml is the ID of another tunnel, {NO_HOST}",
    ),
    ("tn_1=tn_1 tn_9=tn_9", "tn_1=tn_1", f"the name tn_9 is the name of a host, {NO_HOST}"),
]
TAKEN = {"all": "the name of a group", "ungrouped": "the name of a group", "TN_9": "the name of a host"}


@pytest.mark.parametrize(("wanted", "expected", "warning"), NAMED)
def test_conflicts_of_names(wanted: str, expected: str, warning: str) -> None:
    names, hosts = (dict(one.split("=") for one in text.split()) for text in (wanted, expected))
    found, said = host_names.names_of(
        names, {identifier: host_names.name_in(identifier) for identifier in names}, TAKEN
    )
    assert found == hosts
    assert len(said) == bool(warning)
    assert all(one.startswith(warning) for one in said)


few_names = st.sampled_from(["a", "b", "all", "tn_1", "tn_2", "tn_3", "tn_4"])


@given(st.dictionaries(st.sampled_from(["tn_1", "tn_2", "tn_3", "tn_4"]), few_names), st.randoms())
def test_names_are_unique_and_independent_of_the_order(wanted: dict[str, str], random: Any) -> None:
    own = {identifier: identifier for identifier in wanted}
    names, _warnings = host_names.names_of(wanted, own, {"all": "the name of a group"})
    assert set(names) == set(wanted)
    assert len(set(names.values())) == len(wanted)
    assert "all" not in names.values()
    shuffled = list(wanted.items())
    random.shuffle(shuffled)
    assert host_names.names_of(dict(shuffled), own, {"all": "the name of a group"})[0] == names


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
    assert tunnel_host.omissions_of(one).endswith(": __ansible_type, __ansible_unsafe, __ansible_vault")
    assert tunnel_host.omissions_of(tunnel(labels={"a": "__ansible_vault"})) == ""


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
    assert len(name.encode()) <= host_names.LONGEST_NAME


LEFT_TO_ANSIBLE: list[dict[str, Any]] = [
    {"hostname": "{% other_statement %}"},
    {"hostname": "#jinja2: variable_start_string: '[%'\n{{ region"},
    *({"compose": {"a": text}} for text in ("{{ region", "region }} {% if %}", "(" * 5000)),
    {"compose": {"a": "region | no_such_filter(1) is no_such_test"}},
    {"hostname": 5, "compose": ["a"], "groups": "a", "filters": {"include": "a ="}, "keyed_groups": "a ="},
]


def test_what_only_ansible_can_judge_is_no_option_error() -> None:
    loaded = DataLoader().load("a: !vault |\n" + indent(encrypted("region ="), "  "))
    vaulted = {"hostname": loaded["a"], "compose": loaded, "filters": [{"include": loaded["a"]}]}
    assert [option for option in (*LEFT_TO_ANSIBLE, vaulted) if list(syntax_errors(option))] == []
