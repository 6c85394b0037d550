# SPDX-License-Identifier: GPL-3.0-or-later
"""The owner of one tunnel can choose its name and values that name groups, but takes no name from anything else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible import context

from cases import cases
from inventory_in_process import Inventories, check_groups, members

pytestmark = pytest.mark.every_core

LONG = "x" * 250
"""Can be the name of a host, but not with a prefix."""


def tunnels(*named: str) -> list[dict[str, Any]]:
    """Return tunnels tn_0, tn_1, and so on, from strings such as name/role, of which the role can be JSON."""
    found = []
    for number, (name, _slash, role) in enumerate(one.partition("/") for one in named):
        value = json.loads(role) if role[:1] in "[{" and role else role
        found.append({"id": f"tn_{number}", "metadata": json.dumps({"name": name, "role": value})})
    return found


def check(
    inventories: Inventories, named: str, expected: str, warnings: list[str], others: Any = None, **options: Any
) -> None:
    """Read an inventory of the tunnels in `named`, which are separated by semicolons, after `others`: hosts by groups.

    `expected` are all hosts, and then groups as in `check_groups`.
    """
    before, hosts_before = inventories.before, [host for hosts in (others or {}).values() for host in hosts]
    for group, hosts in (others or {}).items():
        name = before.add_group(group) if group else None
        for host in hosts:
            before.add_host(host, name)
    inventories.service.seed(tunnels=tunnels(*named.split("; ")))
    data = inventories.read(**options)
    data.reconcile_inventory()
    groups = [one for one in expected.split() if "=" in one or one[0] == "!"]
    assert sorted(data.hosts) == [one for one in expected.split() if one not in groups]
    check_groups(data, " ".join(groups))
    assert len(inventories.warnings) == len(warnings), inventories.warnings
    assert all(part in warning for part, warning in zip(warnings, inventories.warnings, strict=True))
    assert not any(group.vars for group in data.groups.values())
    assert not any("id" in data.hosts[host].vars for host in hosts_before)
    assert data.groups["ungrouped"].child_groups == []
    assert all(group.name != "all" for group in data.groups["all"].get_descendants())


def by_role(**options: Any) -> dict[str, Any]:
    return {"keyed_groups": [{"key": "metadata.role", **options}]}


DEPENDING = [{"key": "inventory_hostname", "prefix": "host"}, {"key": "group_names | length | string", "prefix": "in"}]
# The tunnels, what is expected, parts of the warnings, the options, and the hosts of other sources, by their groups.
CASES = cases(
    """
    a parent group | gate/x; PARENT/x | gate tn_1 | [*is_group] | {keyed_groups: [{<<: *role, parent_group: parent}]}
    a default group | gate/x; NONE/x | gate tn_1 | [*is_group]
    | {keyed_groups: [{<<: *role, default_value: none, separator: ''}]}
    a group with a condition | gate/x; MINE/x | gate tn_1 | [*is_group] | {groups: {mine: 'true'}}
    a group of another source | gate/x; PROD/x | gate tn_1 | [*is_group] | {} | {prod: []}
    final names and other groups | north/gates; h/north
    | h tn_0 gates=tn_0 host_h=h host_tn_0=tn_0 !host_north in_1=h in_2=tn_0 | [named after, the group north is not]
    | *depending
    a prefix of groups | *like_groups | h i j north tn_0 tn_1 device_gate=north,tn_0,tn_1
    | [names that start with device_ are reserved] | {keyed_groups: [{<<: *role, prefix: device}]}
    a prefix in capitals | *like_groups | h i j north tn_0 tn_1 DEVICE_gate=north,tn_0,tn_1
    | [names that start with DEVICE_ are reserved] | {keyed_groups: [{<<: *role, prefix: DEVICE}]}
    a prefix and a separator | *like_groups | h i j north tn_0 tn_1 device_gate=north,tn_0,tn_1
    | ['device_ are reserved for the groups of keyed_groups[0], so the hosts of these']
    | {keyed_groups: [{<<: *role, prefix: device, separator: '-'}]}
    a separator alone | *like_groups | h i j north tn_0 tn_1 device_gate=north,tn_0,tn_1
    | [names that start with device_ are reserved] | {keyed_groups: [{<<: *role, separator: device_}]}
    a prefix alone | *like_groups | h i j north tn_0 tn_1 device_gate=north,tn_0,tn_1
    | [names that start with device_ are reserved] | {keyed_groups: [{<<: *role, prefix: device_, separator: ''}]}
    hosts like groups | a/gate; b/gate; role_gate/x; gates/x | a b tn_2 tn_3 role_gate=a,b
    | [role_ are, the name gates is] | {keyed_groups: [{<<: *role, prefix: role, parent_group: gates}]}
    IDs like groups | a/1; b/x; tn_x/x | tn_0 tn_1 tn_2 !tn_1 tn_x=tn_1,tn_2 | [the group tn_1 is not created]
    | {keyed_groups: [{<<: *role, prefix: tn}], hostname: '{{ id }}'}
    a group is not moved | gate/gates; odd/prod | gate odd web3 devices=gate prod=odd,web3
    | ['the group prod is not added to the group devices: it has hosts of other sources']
    | {keyed_groups: [{<<: *role, separator: '', parent_group: devices}]} | {prod: [web3]}
    a host of another source | web3 | tn_0 web3 prod=web3 | [*is_host] | {} | {prod: [web3]}
    kept apart by a prefix | 'web3; ' | tunnel-tn_1 tunnel-web3 web3 | [] | {name_prefix: tunnel-} | {'': [web3]}
    too long with a prefix | LONG; gate | tunnel-gate tunnel-tn_0 | [] | {name_prefix: tunnel-}
    too long as a role | odd/LONG; gate/gates | tunnel-gates tunnel-odd | [] | *with_role
    too long as both | LONG/LONG; gate/gates | tunnel-gates tunnel-tn_0 | [] | *with_role
    an excluded ID | tn_2; gate/tn_2; other | gate tn_0 !tn_2
    | [the name tn_2 is the ID of another tunnel, the group tn_2 is not created] | *excluded
    an excluded ID with a prefix | tn_2; gate/tunnel-tn_2; other | tunnel-gate tunnel-tn_0 !tunnel_tn_2
    | [the name tunnel-tn_2 is the ID of another tunnel, the group tunnel_tn_2 is not created]
    | {<<: *excluded, name_prefix: tunnel-}
    a name of the control node | localhost; gate | gate tn_0 | [localhost is the name of the control node] | {}
    an address of it | 127.0.0.1; gate | gate tn_0 | [127.0.0.1 is the name of the control node] | {}
    the group of all hosts | all; gate | gate tn_0 | [*is_group] | {}
    no name is left | tn_0; other | other tn_0 | ['without a host: tn_0'] | {} | {'': [tn_0]}
    """.replace("LONG", LONG),
    role={"key": "metadata.role"},
    like_groups='device_north/gate; Device_South/gate; north/gate; h/camera; i/["north", "south"]; j/{"north": ""}',
    depending={"leading_separator": False, "keyed_groups": [{"key": "metadata.role"}, *DEPENDING]},
    excluded={**by_role(separator=""), "leading_separator": False, "filters": [{"exclude": "id == 'tn_2'"}]},
    with_role={"name_prefix": "tunnel-", "hostname": "{{ metadata.role }}"},
    is_group="is the name of a group, so the host of this tunnel is named after the tunnel ID",
    is_host="is the name of a host of another inventory source, so the host of this tunnel is named after the tunnel",
)


@pytest.mark.parametrize("case", CASES)
def test_names_that_are_taken_or_reserved(inventories: Inventories, case: str) -> None:
    named, expected, warnings, options, *others = CASES[case]
    check(inventories, named, expected, warnings, *others, **options)


ANY_NAME: list[dict[str, Any]] = [
    {"prefix": "", "separator": ""},
    {},
    {"key": "id", "prefix": "by_id", "parent_group": "{{ metadata.role }}"},
    {"key": "[metadata.role, none]", "separator": "", "default_value": "gate"},
]


@pytest.mark.parametrize("keyed", ANY_NAME, ids=str)
@pytest.mark.parametrize("role", ["north", "North"])
@pytest.mark.parametrize("named", ["north/gates", "north/gates; north/gates", "NORTH/gates"])
def test_no_host_or_group_gets_a_contested_name(inventories: Inventories, keyed: Any, role: str, named: str) -> None:
    number = named.count("gates")
    hosts = " ".join(["h", "tn_0", "tn_1"][: number + 1])
    rejected = f"the group {role} is not created, because this is the name of a tunnel (tunnels: tn_{number})"
    own = "by_id_tn_0=tn_0" if "key" in keyed and keyed["key"] == "id" else f"gates={hosts[2:].replace(' ', ',')}"
    options = {**by_role(**keyed), "leading_separator": False}
    check(inventories, f"{named}; h/{role}", f"{hosts} !{role} {own}", ["named after", rejected], **options)


@pytest.mark.parametrize("name", ["tn_0", "localhost", "web3", "LOCALHOST", "all", "ungrouped"])
@pytest.mark.parametrize("as_parent", [True, False])
def test_reserved_names_of_groups(inventories: Inventories, name: str, as_parent: bool) -> None:
    keyed = {"key": "id", "parent_group": "{{ metadata.role }}"} if as_parent else {"separator": ""}
    is_built_in = name in ("all", "ungrouped")
    expected = "gate odd web3" + ("" if is_built_in else f" !{name}")
    warnings = [] if is_built_in else [f"the group {name} is not created"]
    check(inventories, f"gate/x; odd/{name}", expected, warnings, {"": ["web3"]}, **by_role(**keyed))


@pytest.mark.parametrize("role", ["roles", "a", '["", null, "gates"]', "5", '{"a": {"b": []}}'])
def test_invalid_groups_hide_no_hosts(inventories: Inventories, role: str) -> None:
    inventories.service.seed(tunnels=tunnels("gate/gates", "b/b", f"odd/{role}"))
    above = "{{ {'a': 'b', 'b': 'a'}[metadata.role | string] | default('roles') }}"
    data = inventories.read(**by_role(separator="", parent_group=above), leading_separator=False)
    data.reconcile_inventory()
    assert {"gate", "odd"} < set(data.hosts)
    assert members(data, "gates")[0] == "gate"


@pytest.mark.parametrize("way", ["metadata", "name", "hostname", "id"])
def test_no_host_is_named_like_a_vars_file(inventories: Inventories, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setattr(C, "YAML_FILENAME_EXTENSIONS", [".yml", ".vars"])
    name = "tn_north.vars"
    metadata = {"metadata": name, "name": json.dumps({"name": name}), "hostname": json.dumps({"a": name}), "id": ""}
    inventories.service.seed(tunnels=[{"id": name if way == "id" else "tn_odd", "metadata": metadata[way]}])
    assert inventories.hosts(**{"hostname": "{{ metadata.a }}"} if way == "hostname" else {}) == ["tn_north_vars"]


@pytest.mark.parametrize("folder", ["", "sources", "working"])
@pytest.mark.parametrize("prefix", ["", "tunnel-"])
def test_no_host_gets_the_variables_of_a_file_of_exactly_its_name(
    inventories: Inventories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, prefix: str
) -> None:
    """In each folder where Ansible looks for it. A directory, or a name without a dot, belongs to the host."""
    for each in ("sources", "working"):
        (tmp_path / each).mkdir()
    monkeypatch.chdir(tmp_path / "working")
    monkeypatch.setattr(context, "CLIARGS", {"inventory": ("tunnels.yml", str(tmp_path / "sources"), "a,b")})
    files = tmp_path / folder / "host_vars"
    (files / f"{prefix}house.d").mkdir(parents=True)
    for name in ("gate.secrets", "gate", "tn_.9"):
        (files / f"{prefix}{name}").write_text("door_password: secret", encoding="utf-8")
    named = {"tn_0": "gate.secrets", "tn_1": "house.d", "tn_2": "gate", "tn_3": "gate.example", "tn_.9": "tn_.9"}
    inventories.service.seed(tunnels=[{"id": identifier, "metadata": name} for identifier, name in named.items()])
    expected = ["gate", "gate.example", "house.d", "tn_.9", "tn_0"]
    assert inventories.hosts(name_prefix=prefix) == [f"{prefix}{name}" for name in expected]
    [warning] = inventories.warnings
    assert f"the name {prefix}gate.secrets is the name of a file in host_vars, so the host of this tunnel" in warning


def test_a_tunnel_whose_id_is_too_long_with_the_prefix_is_not_a_host(inventories: Inventories) -> None:
    inventories.service.seed(tunnels=[{"id": f"tn_{LONG[3:]}"}, {"id": "tn_gate", "metadata": "gate"}])
    assert inventories.hosts(name_prefix="tunnel-") == ["tunnel-gate"]
    [warning] = inventories.warnings
    assert "with `name_prefix`, the name would be longer than 253 bytes, and the tunnel ID cannot be used" in warning
