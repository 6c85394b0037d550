# SPDX-License-Identifier: GPL-3.0-or-later
"""The owner of one tunnel can choose its metadata, its labels, and its name, but change nothing else."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible import template
from ansible.errors import AnsibleParserError
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar

from inventory_in_process import Inventories, inventories_of, members
from reference_service_process import ReferenceService

pytestmark = pytest.mark.every_core

COMMAND = "{{ lookup('ansible.builtin.pipe', 'touch TRACE') }}"
ENCODED = {
    "base64": base64.b64encode(COMMAND.encode()).decode(),
    "url": quote(COMMAND),
    "json": '{"a": ["' + COMMAND.replace("{", "\\\\u007b").replace("}", "\\\\u007d") + '"]}',
    "plain": COMMAND,
    "pieces": '["{", "7*7"]',
}
ODD = {
    "id": "tn_odd",
    "public_url": "tcp://1.tcp.example.net:22",
    "proto": "tcp",
    "region": ENCODED["base64"],
    "metadata": json.dumps({"name": "odd", **ENCODED, ENCODED["plain"]: 1}),
    "labels": {"a": ENCODED["base64"], COMMAND: ENCODED["url"]},
    "forwards_to": ENCODED["url"],
}
LEGITIMATE = {"id": "tn_gate", "public_url": "tcp://2.tcp.example.net:22", "proto": "tcp", "metadata": "gate"}

DECODING = {
    "decoded": "region | b64decode",
    "url": "forwards_to | urldecode",
    "of_json": "metadata.json | from_json",
    "of_json_of_json": "('\"' ~ (metadata.json | from_json).a[0] ~ '\"') | from_json",
    "joined": "'{' ~ (metadata.pieces | from_json | join) ~ '}}'",
    "replaced": "'x' | regex_replace('x', region | b64decode)",
    "formatted": "'%s' | format(region | b64decode)",
    "listed": "[region | b64decode, {'a': region | b64decode, region | b64decode: 1}]",
    "lines": "(region | b64decode).splitlines()",
    "reversed": "region | b64decode | reverse | list | reverse | join",
    "yaml": "metadata.plain | to_json | from_yaml",
    "ansible_user": "region | b64decode",
    "ansible_ssh_common_args": "'-o User=' ~ (labels.a | b64decode)",
    "ansible_port": "region | b64decode",
    "as_it_is": "metadata",
    "constant": "'{' ~ '{ 7 * 7 }' ~ '}'",
}


@pytest.fixture
def inventories(service: ReferenceService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inventories:
    service.reset()
    return inventories_of(service, tmp_path, monkeypatch)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from strings(key)
            yield from strings(member)
    elif isinstance(value, (list, tuple, set)):
        for member in value:
            yield from strings(member)


def could_be_a_template(text: str) -> bool:
    if hasattr(template, "is_trusted_as_template"):
        return bool(template.is_trusted_as_template(text))
    return not hasattr(text, "__UNSAFE__")


def test_no_string_of_the_service_becomes_a_template(inventories: Inventories, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    fields = json.loads(json.dumps(ODD).replace("TRACE", str(trace)))
    command = COMMAND.replace("TRACE", str(trace))
    fields["region"] = fields["labels"]["a"] = base64.b64encode(command.encode()).decode()
    inventories.service.seed(tunnels=[fields])
    data = inventories.read(
        compose=DECODING,
        keyed_groups=[{"key": DECODING["decoded"]}, {"key": DECODING["listed"]}, {"key": "labels", "prefix": "a"}],
        groups={"decoded": "(region | b64decode) is search('touch')", "composed": "'touch' in decoded"},
        hostname="{{ metadata.name }} {{ region | b64decode }}",
        filters=[{"exclude": "(region | b64decode) == 'x'"}],
    )
    [host] = data.hosts.values()
    assert set(DECODING) < set(host.vars)
    assert command in (host.vars["decoded"], host.vars["listed"][0], host.vars["ansible_user"])
    own = [value for name, value in host.vars.items() if name not in ("inventory_file", "inventory_dir")]
    assert [text for text in strings(own) if could_be_a_template(text)] == []
    assert members(data, "decoded") == members(data, "composed") == [host.name]
    # Use the variables as a task would use them, and as it would use values that it computes from them.
    templar = Templar(DataLoader(), variables=host.get_vars())
    trusted = getattr(template, "trust_as_template", lambda text: text)
    for name in DECODING:
        templar.template(trusted(f"{{{{ {name} }}}}"))
    templar.template(trusted("{{ group_names }} {{ inventory_hostname }}"))
    assert not trace.exists()


@pytest.mark.parametrize(
    "expression",
    [
        "metadata.n * 1000",
        "[metadata.n * 1000]",
        "{'a': [{'b': metadata.n * 1000}]}",
        "metadata.f * 1000",
        "{'a': metadata.f * 1000}",
        "{metadata.n * 1000: 1}",
        "metadata.f * 1000 - metadata.f * 1000",
        "-1 * metadata.n * 1000",
    ],
)
def test_numbers_that_json_cannot_represent(inventories: Inventories, expression: str) -> None:
    odd = {"id": "tn_odd", "metadata": f'{{"name": "odd", "n": 1{"0" * 4298}, "f": 1e308}}'}
    inventories.service.seed(tunnels=[{**LEGITIMATE, "metadata": '{"name": "gate", "n": 1, "f": 1.0}'}, odd])
    compose = {"big": expression, "small": "metadata.name"}
    data = inventories.read(compose=compose, groups={"bigs": "big is defined"}, keyed_groups=[{"key": expression}])
    assert "big" in data.hosts["gate"].vars
    assert all(data.hosts[name].vars["small"] == name for name in ("gate", "odd"))
    assert json.loads(json.dumps(data.hosts["odd"].vars, allow_nan=False))["metadata"]["f"] == 1e308
    if hasattr(template, "trust_as_template"):  # Before 2.19, the value is a string, or it fails.
        assert members(data, "bigs") == ["gate"]
        [warning] = inventories.warnings
        assert "compose.big is not set, because the value is or contains an infinite number, or one with" in warning
        assert "(tunnels: tn_odd)" in warning
        with pytest.raises(AnsibleParserError, match=r"compose\.big fails for tunnel tn_odd"):
            inventories.read(compose=compose, strict=True)


HALVES = {
    "base64": ("metadata.a | b64decode", "/w==", "\ufffd"),
    "bytes": ("metadata.a.encode('utf-16')", "a", None),
    "nested": ("[{metadata.a | b64decode: [metadata.a | b64decode]}]", "/w==", [{"\ufffd": ["\ufffd"]}]),
    "json": ("metadata.a | from_json", '{"a": "\\ud83d", "b": ["\\udc00"]}', {"a": "\ufffd", "b": ["\ufffd"]}),
    "key": ("metadata.a | from_json", '{"\\ud83d": 1}', {"\ufffd": 1}),
}


@pytest.mark.parametrize("case", HALVES)
def test_composed_values_contain_no_halves_of_surrogate_pairs(inventories: Inventories, case: str) -> None:
    expression, encoded, expected = HALVES[case]
    inventories.service.seed(tunnels=[{"id": "tn_odd", "metadata": json.dumps({"name": "odd", "a": encoded})}])
    data = inventories.read(compose={"half": expression}, keyed_groups=[{"key": expression, "prefix": "x"}])
    own = data.hosts["odd"].vars
    json.dumps({**own, "groups": sorted(data.groups)}, ensure_ascii=False).encode()
    # Since 2.19, from_json can fail for such strings, so that the variable is not set.
    value = own.get("half", expected) if "json" in expression else own["half"]
    assert expected is None or value == expected
    assert not any(could_be_a_template(text) for text in strings(own.get("half")))


UNREADABLE = {
    "reserved": ('{"a": [{"__ansible_vault": "x"}]}', "contains a name with __ansible_, which is reserved by Ansible"),
    "deep": ("[" * 33 + "]" * 33, "has more than 32 levels"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_composed_values_that_an_inventory_cannot_contain(inventories: Inventories, case: str) -> None:
    encoded, reason = UNREADABLE[case]
    odd = {"id": "tn_odd", "metadata": json.dumps({"name": "odd", "a": encoded})}
    inventories.service.seed(tunnels=[{**LEGITIMATE, "metadata": '{"name": "gate", "a": "{}"}'}, odd])
    compose = {"odd": "metadata.a | from_yaml"}
    data = inventories.read(compose=compose)
    assert data.hosts["gate"].vars["odd"] == {}
    assert "odd" not in data.hosts["odd"].vars
    [warning] = inventories.warnings
    assert f"compose.odd is not set, because the value {reason} (tunnels: tn_odd)" in warning
    with pytest.raises(AnsibleParserError, match=rf"compose\.odd fails for tunnel tn_odd: the value {reason}"):
        inventories.read(compose=compose, strict=True)


GROUPS: dict[str, dict[str, Any]] = {
    "its_parent": {"keyed_groups": [{"key": "region", "parent_group": "parent"}]},
    "its_default": {"keyed_groups": [{"key": "forwards_to", "default_value": "none", "separator": ""}]},
    "one_of_groups": {"groups": {"mine": "true"}},
    "one_that_is_there": {},
}
NAMES_OF_GROUPS = dict(
    zip(GROUPS, ["parent", "none", "mine", "prod"], strict=True),
)


@pytest.mark.parametrize("case", GROUPS)
@pytest.mark.parametrize("is_first", [True, False])
def test_a_tunnel_with_the_name_of_a_group(inventories: Inventories, case: str, is_first: bool) -> None:
    name = NAMES_OF_GROUPS[case]
    tunnels = [{**LEGITIMATE, "region": "north"}, {"id": "tn_odd", "metadata": name.upper() if is_first else name}]
    inventories.before.add_group("prod")
    inventories.service.seed(tunnels=tunnels if is_first else tunnels[::-1])
    data = inventories.read(**GROUPS[case])
    assert sorted(data.hosts) == ["gate", "tn_odd"]
    assert data.groups[name].vars == {}
    assert all(not group.child_groups or group.name in ("all", "parent") for group in data.groups.values())
    [warning] = inventories.warnings
    assert "is the name of a group, so the host of this tunnel is named after the tunnel ID: tn_odd" in warning


def roles(*of_tunnels: tuple[str, Any]) -> list[dict[str, Any]]:
    """Return tunnels tn_0, tn_1, and so on, with these names and roles."""
    return [
        {"id": f"tn_{number}", "metadata": json.dumps({"name": name, "role": role})}
        for number, (name, role) in enumerate(of_tunnels)
    ]


STATIC: list[tuple[dict[str, Any], str]] = [
    ({"prefix": "device"}, "device_"),
    ({"prefix": "DEVICE"}, "DEVICE_"),
    ({"prefix": "device", "separator": "-"}, "device_"),
    ({"separator": "device_"}, "device_"),
    ({"prefix": "device_", "separator": ""}, "device_"),
]


@pytest.mark.parametrize(("keyed", "start"), STATIC, ids=str)
@pytest.mark.parametrize("role", ["camera", ["north", "south"], {"north": ""}])
def test_no_host_has_a_name_that_starts_like_a_group(
    inventories: Inventories, keyed: dict[str, Any], start: str, role: Any
) -> None:
    # Whether or not such a group exists.
    tunnels = roles(("device_north", "gate"), ("Device_South", "gate"), ("north", "gate"), ("h", role))
    inventories.service.seed(tunnels=tunnels)
    data = inventories.read(keyed_groups=[{"key": "metadata.role", **keyed}])
    assert sorted(data.hosts) == ["h", "north", "tn_0", "tn_1"]
    assert members(data, f"{start}gate") == ["north", "tn_0", "tn_1"]
    [warning] = inventories.warnings
    assert (
        f"names that start with {start} are reserved for the groups of keyed_groups[0], so the hosts of these"
        in warning
    )


@pytest.mark.parametrize("prefix", ["device_", "Device_of_"])
def test_groups_that_would_start_like_all_hosts(inventories: Inventories, prefix: str) -> None:
    said = inventories.failure(
        name_prefix=prefix, keyed_groups=[{"key": "region"}, {"key": "metadata.role", "prefix": "device"}], timeout=0
    )
    assert "timeout: 0" in said
    assert (
        "keyed_groups[1].prefix: `name_prefix` also starts with 'device_', so a group could get the name of a host; "
        "choose another prefix" in said
    )
    assert inventories.service.journal() == []
    said = inventories.failure(name_prefix="device_", keyed_groups=[{"key": "region", "separator": "device_"}])
    assert "keyed_groups[0].separator: `name_prefix` also starts with 'device_'" in said


ANY_NAME: list[dict[str, Any]] = [
    {"key": "metadata.role", "prefix": "", "separator": ""},
    {"key": "metadata.role"},
    {"key": "id", "prefix": "by_id", "parent_group": "{{ metadata.role }}"},
    {"key": "[metadata.role, none]", "separator": "", "default_value": "gate"},
]


@pytest.mark.parametrize("keyed", ANY_NAME, ids=str)
@pytest.mark.parametrize("role", ["north", "North"])
@pytest.mark.parametrize("names", [["north"], ["north", "north"], ["NORTH"]])
def test_neither_host_nor_group_gets_a_contested_name(
    inventories: Inventories, keyed: dict[str, Any], role: str, names: list[str]
) -> None:
    inventories.service.seed(tunnels=roles(*((name, "gates") for name in names), ("h", role)))
    data = inventories.read(keyed_groups=[keyed], leading_separator=False)
    assert sorted(data.hosts) == sorted(["h", *(f"tn_{number}" for number in range(len(names)))])
    assert role not in data.groups
    assert members(data, "gates" if "gates" in data.groups else "by_id_tn_0")
    assert any(
        f"the group {role} is not created, because this is the name of a tunnel (tunnels: tn_{len(names)})" in warning
        for warning in inventories.warnings
    )
    assert any("named after" in warning and "tn_0" in warning for warning in inventories.warnings)


def test_a_host_with_the_name_of_a_group_does_not_replace_it(inventories: Inventories) -> None:
    inventories.service.seed(tunnels=roles(("a", "gate"), ("b", "gate"), ("role_gate", "x"), ("gates", "x")))
    keyed = {"key": "metadata.role", "prefix": "role", "parent_group": "gates"}
    data = inventories.read(keyed_groups=[keyed])
    assert sorted(data.hosts) == ["a", "b", "tn_2", "tn_3"]
    assert members(data, "role_gate") == ["a", "b"]


def test_ids_can_start_like_groups(inventories: Inventories) -> None:
    inventories.service.seed(tunnels=roles(("a", "1"), ("b", "x"), ("tn_x", "x")))
    data = inventories.read(keyed_groups=[{"key": "metadata.role", "prefix": "tn"}], hostname="{{ id }}")
    assert sorted(data.hosts) == ["tn_0", "tn_1", "tn_2"]
    assert "tn_1" not in data.groups
    assert ["the group tn_1 is not created" in warning for warning in inventories.warnings] == [True]
    assert members(data, "tn_x") == ["tn_1", "tn_2"]


RESERVED = ["tn_gate", "localhost", "web3", "LOCALHOST", "all", "ungrouped"]


@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("as_parent", [True, False])
def test_reserved_names_of_groups(inventories: Inventories, name: str, as_parent: bool) -> None:
    inventories.before.add_host("web3")
    metadata = json.dumps({"name": "odd", "role": name})
    inventories.service.seed(tunnels=[LEGITIMATE, {"id": "tn_odd", "metadata": metadata}])
    key = {"key": "id", "parent_group": "{{ metadata.role | default('x') }}"} if as_parent else {"key": "metadata.role"}
    data = inventories.read(keyed_groups=[{**key, "separator": "_" if as_parent else ""}])
    data.reconcile_inventory()
    assert sorted(data.hosts) == ["gate", "odd", "web3"]
    assert name in ("all", "ungrouped") or name not in data.groups
    assert data.groups["ungrouped"].child_groups == []
    assert all(group.name != "all" for group in data.groups["all"].get_descendants())
    if name not in ("all", "ungrouped"):
        [warning] = inventories.warnings
        assert f"the group {name} is not created" in warning


def test_a_group_of_another_source_is_not_moved(inventories: Inventories) -> None:
    inventories.before.add_host(inventories.before.add_host("web3"), inventories.before.add_group("prod"))
    odd = {"id": "tn_odd", "metadata": '{"name": "odd", "role": "prod"}'}
    inventories.service.seed(tunnels=[{**LEGITIMATE, "metadata": '{"name": "gate", "role": "gates"}'}, odd])
    data = inventories.read(keyed_groups=[{"key": "metadata.role", "separator": "", "parent_group": "devices"}])
    data.reconcile_inventory()
    assert members(data, "devices") == ["gate"]
    assert members(data, "prod") == ["odd", "web3"]
    [warning] = inventories.warnings
    assert "the group prod is not added to the group devices: it has hosts of other sources" in warning


CIRCLES = [
    {"name": "odd", "role": "roles"},
    {"name": "odd", "role": "a", "above": "b"},
    {"name": "odd", "role": ["", None, "gates"]},
    {"name": "odd", "role": 5},
    {"name": "odd", "role": True},
    {"name": "odd", "role": {"a": {"b": []}}},
]


@pytest.mark.parametrize("metadata", CIRCLES, ids=str)
def test_invalid_groups_hide_no_hosts(inventories: Inventories, metadata: dict[str, Any]) -> None:
    others = [
        {**LEGITIMATE, "metadata": '{"name": "gate", "role": "gates"}'},
        {"id": "tn_b", "metadata": '{"name": "b", "role": "b", "above": "a"}'},
    ]
    inventories.service.seed(tunnels=[*others, {"id": "tn_odd", "metadata": json.dumps(metadata)}])
    data = inventories.read(
        keyed_groups=[
            {"key": "metadata.role", "separator": "", "parent_group": "{{ metadata.above | default('roles') }}"}
        ],
        leading_separator=False,
    )
    data.reconcile_inventory()
    assert {"gate", "odd"} < set(data.hosts)
    assert members(data, "gates")[0] == "gate"


@pytest.mark.parametrize("suffix", [".yml", ".YML", ".yaml", ".json", ".yml.bak", ".yml~", ".vars", ".orig"])
@pytest.mark.parametrize("way", ["metadata", "name", "hostname", "id"])
def test_no_host_has_the_name_of_a_variables_file(
    inventories: Inventories, monkeypatch: pytest.MonkeyPatch, suffix: str, way: str
) -> None:
    monkeypatch.setattr(C, "YAML_FILENAME_EXTENSIONS", [".yml", ".yaml", ".json", ".vars"])
    name = f"north-gate{suffix}"
    tunnels = {
        "metadata": {"id": "tn_odd", "metadata": name},
        "name": {"id": "tn_odd", "metadata": json.dumps({"name": name})},
        "hostname": {"id": "tn_odd", "metadata": json.dumps({"a": name})},
        "id": {"id": f"tn_{name.rstrip('~')}"},
    }
    inventories.service.seed(tunnels=[tunnels[way]])
    [host] = inventories.hosts(hostname="{{ metadata.a }}") if way == "hostname" else inventories.hosts()
    assert host == ("tn_" if way == "id" else "") + name.rstrip("~").replace(".", "_")


@pytest.mark.parametrize("name", ["web3", "WEB3", "web 3", "\N{FULLWIDTH LATIN SMALL LETTER W}eb3"])
def test_the_host_of_another_source_keeps_its_connection(inventories: Inventories, name: str) -> None:
    inventories.before.add_host("web3", inventories.before.add_group("prod"))
    inventories.before.add_host("web_3")
    inventories.before.set_variable("web3", "ansible_host", "192.0.2.3")
    inventories.service.seed(tunnels=[{**LEGITIMATE, "metadata": name}])
    data = inventories.read()
    assert sorted(data.hosts) == ["tn_gate", "web3", "web_3"]
    assert data.hosts["web3"].vars["ansible_host"] == "192.0.2.3"
    assert "ansible_port" not in data.hosts["web3"].vars
    assert members(data, "prod") == ["web3"]
    [warning] = inventories.warnings
    assert (
        "is the name of a host of another inventory source, so the host of this tunnel is named after the tunnel ID"
        in warning
    )


def test_a_prefix_keeps_tunnels_apart(inventories: Inventories) -> None:
    inventories.before.add_host("web3")
    inventories.service.seed(tunnels=[{**LEGITIMATE, "metadata": "web3"}, {"id": "tn_nameless"}])
    assert inventories.hosts(name_prefix="tunnel-") == ["tunnel-tn_nameless", "tunnel-web3", "web3"]
    assert inventories.warnings == []


def test_a_tunnel_without_an_available_name_is_not_a_host(inventories: Inventories) -> None:
    inventories.before.add_host("tn_gate")
    inventories.service.seed(tunnels=[LEGITIMATE | {"metadata": "tn_gate"}, {"id": "tn_other", "metadata": "other"}])
    assert inventories.hosts() == ["other", "tn_gate"]
    assert inventories.before.hosts["tn_gate"].vars.get("ansible_host") is None
    [warning] = inventories.warnings
    assert "without a host: tn_gate" in warning


def test_the_number_of_warnings_is_limited(inventories: Inventories) -> None:
    inventories.service.seed(tunnels=[{"id": f"tn_{one}", "labels": {"__ansible_unsafe": "a"}} for one in range(30)])
    assert len(inventories.hosts()) == 30
    assert len(inventories.warnings) == 21
    assert inventories.warnings[-1].endswith("10 more warnings of these kinds")
