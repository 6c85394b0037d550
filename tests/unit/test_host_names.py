# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts that the owners of tunnels choose: which strings are allowed, and which host gets which name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels import host_names

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
    "gate.yml-2026": "gate_yml-2026",
    "gate.yml2": "gate_yml2",
    "gate.orig": "gate_orig",
    "gate.rpmsave": "gate_rpmsave",
    "gate.old.example.com": "gate_old.example.com",
    "gate.older.example.com": "gate.older.example.com",
    "host_vars/gate.yml": "host_vars_gate_yml",
    ".gate": "gate",
    "gate/../other": "gate_.._other",
    "  the gate, north:1 ": "the_gate_north_1",
    "Tür": "Tür",
    "../../etc/passwd": "etc_passwd",
    "-oProxyCommand=id": "oProxyCommand_id",
    "a[1:3]": "a_1_3",
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
    ("tn_1=tn_1 tn_9=tn_9", "tn_1=tn_1", f"the name tn_9 is the name of a host, {NO_HOST}"),
]
TAKEN = {"all": "the name of a group", "ungrouped": "the name of a group", "TN_9": "the name of a host"}


@pytest.mark.parametrize(("wanted", "expected", "warning"), NAMED)
def test_conflicts_of_names(wanted: str, expected: str, warning: str) -> None:
    names, hosts = (dict(one.split("=") for one in text.split()) for text in (wanted, expected))
    found, said = host_names.names_of(names, {identifier: identifier for identifier in names}, TAKEN)
    assert found == hosts
    assert len(said) == bool(warning)
    assert all(one.startswith(warning) for one in said)


def test_ids_with_the_same_name() -> None:
    own = {"tn.yml": "tn_yml", "tn_yml": "tn_yml", "tn_3": "tn_3"}
    names, warnings = host_names.names_of({**own, "tn_yml": "b"}, own, {})
    assert names == {"tn_3": "tn_3", "tn_yml": "b"}
    assert len(warnings) == 1


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
