# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts that the owners of tunnels choose: which strings are allowed, and which host gets which name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_names import (
    LONGEST_NAME,
    name_in,
    name_prefix_errors,
    names_of,
)

pytestmark = pytest.mark.every_python

NAMES: list[tuple[Any, str]] = [
    ("gate.north-1", "gate.north-1"),
    ("gate.example.com", "gate.example.com"),
    ("gate.yml", "gate_yml"),
    ("gate.YAML", "gate_YAML"),
    ("gate.Json.", "gate_Json"),
    ("gate.yml.yml", "gate_yml_yml"),
    ("gate.yml~", "gate_yml"),
    ("gate.yml.bak", "gate_yml_bak"),
    ("gate.yml-2026", "gate_yml-2026"),
    ("gate.yml2", "gate_yml2"),
    ("gate.orig", "gate_orig"),
    ("gate.rpmsave", "gate_rpmsave"),
    ("gate.old.example.com", "gate_old.example.com"),
    ("gate.older.example.com", "gate.older.example.com"),
    ("host_vars/gate.yml", "host_vars_gate_yml"),
    ("..", ""),
    (".gate", "gate"),
    ("gate/../other", "gate_.._other"),
    ("", ""),
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
def test_values_as_names(value: Any, name: str) -> None:
    assert name_in(value) == name


@pytest.mark.parametrize(
    ("value", "name"), [("gate.vars", "gate_vars"), ("gate.a+b", "gate.a_b"), ("gate.varsity", "gate.varsity")]
)
def test_the_dot_of_a_configured_extension_is_replaced(value: str, name: str) -> None:
    assert name_in(value, (".vars", "", ".yml")) == name


@pytest.mark.parametrize(("prefix", "number"), [("", 0), ("tunnel-", 0), ("t.", 0), ("-t", 1), ("t/", 1), ("a.yml", 1)])
def test_invalid_prefixes_are_option_errors(prefix: str, number: int) -> None:
    assert len(list(name_prefix_errors(prefix))) == number


Named = tuple[dict[str, str], dict[str, str], list[str]]
NAMED: list[Named] = [
    ({}, {}, []),
    ({"tn_1": "a", "tn_2": "b", "tn_3": "tn_3"}, {"tn_1": "a", "tn_2": "b", "tn_3": "tn_3"}, []),
    (
        {"tn_2": "a", "tn_1": "A", "tn_3": "b"},
        {"tn_2": "tn_2", "tn_1": "tn_1", "tn_3": "b"},
        ["2 tunnels have the name A, so the hosts of these tunnels are named after the tunnel IDs: tn_1, tn_2"],
    ),
    (
        {"tn_1": "ALL"},
        {"tn_1": "tn_1"},
        ["the name ALL is the name of a group, so the host of this tunnel is named after the tunnel ID: tn_1"],
    ),
    ({"tn_1": "tn_2", "tn_2": "b"}, {"tn_1": "tn_1", "tn_2": "b"}, ["the name tn_2 is the ID of another tunnel"]),
    (
        {"tn_1": "tn_2", "tn_2": "tn_2"},
        {"tn_1": "tn_1", "tn_2": "tn_2"},
        ["2 tunnels have the name tn_2, so the hosts of these tunnels are named after the tunnel IDs: tn_1, tn_2"],
    ),
    (
        {"tn_1": "all", "tn_2": "all"},
        {"tn_1": "tn_1", "tn_2": "tn_2"},
        ["2 tunnels have the name all, so the hosts of these tunnels are named after the tunnel IDs: tn_1, tn_2"],
    ),
    ({"tn_1": "\N{FULLWIDTH LATIN SMALL LETTER A}ll"}, {"tn_1": "tn_1"}, ["the name \uff41ll is the name of a group"]),
    (
        {"tn_1": "tn_1", "tn_9": "tn_9"},
        {"tn_1": "tn_1"},
        ["the name tn_9 is the name of a host, and the tunnel ID cannot be used as a name either; without a host: "],
    ),
]
TAKEN = {"all": "the name of a group", "ungrouped": "the name of a group", "TN_9": "the name of a host"}


@pytest.mark.parametrize(("wanted", "names", "warnings"), NAMED)
def test_conflicts_of_names(wanted: dict[str, str], names: dict[str, str], warnings: list[str]) -> None:
    found, said = names_of(wanted, {identifier: identifier for identifier in wanted}, TAKEN)
    assert found == names
    assert len(said) == len(warnings)
    assert all(one.startswith(start) for one, start in zip(said, warnings, strict=True))


def test_ids_with_the_same_name() -> None:
    own = {"tn.yml": "tn_yml", "tn_yml": "tn_yml", "tn_3": "tn_3"}
    names, warnings = names_of({**own, "tn_yml": "b"}, own, {})
    assert names == {"tn_3": "tn_3", "tn_yml": "b"}
    assert len(warnings) == 1


few_names = st.sampled_from(["a", "b", "all", "tn_1", "tn_2", "tn_3", "tn_4"])


@given(st.dictionaries(st.sampled_from(["tn_1", "tn_2", "tn_3", "tn_4"]), few_names), st.randoms())
def test_names_are_unique_and_independent_of_the_order(wanted: dict[str, str], random: Any) -> None:
    own = {identifier: identifier for identifier in wanted}
    names, _warnings = names_of(wanted, own, {"all": "the name of a group"})
    assert set(names) == set(wanted)
    assert len(set(names.values())) == len(wanted)
    assert "all" not in names.values()
    shuffled = list(wanted.items())
    random.shuffle(shuffled)
    assert names_of(dict(shuffled), own, {"all": "the name of a group"})[0] == names
