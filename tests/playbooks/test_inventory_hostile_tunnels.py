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
from ansible import template
from ansible.parsing.dataloader import DataLoader
from ansible.template import Templar

from inventory_in_process import Inventories, members

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


def test_no_string_of_the_service_becomes_a_template(
    inventories: Inventories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inventories.service.seed(tunnels=[ODD])
    data = inventories.read(
        compose=DECODING,
        keyed_groups=[{"key": DECODING["decoded"]}, {"key": DECODING["listed"]}, {"key": "labels", "prefix": "a"}],
        groups={"decoded": "(region | b64decode) is search('touch')", "composed": "'touch' in decoded"},
        hostname="{{ metadata.name }} {{ region | b64decode }}",
        filters=[{"exclude": "(region | b64decode) == 'x'"}],
    )
    [host] = data.hosts.values()
    assert set(DECODING) < set(host.vars)
    assert COMMAND in (host.vars["decoded"], host.vars["listed"][0], host.vars["ansible_user"])
    own = [value for name, value in host.vars.items() if name not in ("inventory_file", "inventory_dir")]
    assert [text for text in strings(own) if could_be_a_template(text)] == []
    assert members(data, "decoded") == members(data, "composed") == [host.name]
    # Use the variables as a task would use them, and as it would use values that it computes from them.
    templar = Templar(DataLoader(), variables=host.get_vars())
    trusted = getattr(template, "trust_as_template", lambda text: text)
    for name in DECODING:
        templar.template(trusted(f"{{{{ {name} }}}}"))
    templar.template(trusted("{{ group_names }} {{ inventory_hostname }}"))
    assert not Path("TRACE").exists()
    templar.template(trusted(COMMAND))
    assert Path("TRACE").exists(), "this is where it would have been"


INFINITE = "is or contains an infinite number, or one with"
NOT_SET = {
    **dict.fromkeys(["metadata.n * 1000", "[metadata.n * 1000]", "{'a': [{'b': metadata.n * 1000}]}"], INFINITE),
    **dict.fromkeys(["metadata.f * 1000", "{'a': metadata.f * 1000}", "{metadata.n * 1000: 1}"], INFINITE),
    **dict.fromkeys(["metadata.f * 1000 - metadata.f * 1000", "-1 * metadata.n * 1000"], INFINITE),
    "metadata.vault | from_yaml": "contains a name with __ansible_, which is reserved by Ansible",
    "metadata.deep | from_yaml": "has more than 32 levels",
}
"""Expressions whose value an inventory cannot contain, and why."""


@pytest.mark.parametrize("expression", NOT_SET)
def test_composed_values_that_an_inventory_cannot_contain(inventories: Inventories, expression: str) -> None:
    texts = {"vault": '{"a": [{"__ansible_vault": "x"}]}', "deep": "[" * 33 + "]" * 33}
    odd = f'{{"name": "odd", "n": 1{"0" * 4298}, "f": 1e308, {json.dumps(texts)[1:]}'
    gate = {"name": "gate", "n": 1, "f": 1.0, "vault": "{}", "deep": "{}"}
    inventories.service.seed(
        tunnels=[{"id": "tn_gate", "metadata": json.dumps(gate)}, {"id": "tn_odd", "metadata": odd}]
    )
    compose = {"big": expression, "small": "metadata.name"}
    data = inventories.read(compose=compose, groups={"bigs": "big is defined"}, keyed_groups=[{"key": expression}])
    assert "big" in data.hosts["gate"].vars
    assert all(data.hosts[name].vars["small"] == name for name in ("gate", "odd"))
    assert json.loads(json.dumps(data.hosts["odd"].vars, allow_nan=False))["metadata"]["f"] == 1e308
    # Before 2.19, the value of arithmetic is a string, or it fails.
    if hasattr(template, "trust_as_template") or NOT_SET[expression] != INFINITE:
        assert members(data, "bigs") == ["gate"]
        [warning] = inventories.warnings
        assert f"compose.big is not set, because the value {NOT_SET[expression]}" in warning
        assert "(tunnels: tn_odd)" in warning
        assert inventories.failure(compose=compose, strict=True).startswith("compose.big fails for tunnel tn_odd")


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


FORGED = "\x1b[2J\r\n[WARNING]: all is well \u202e" + "x" * 3000
QUOTING: dict[str, dict[str, Any]] = {
    "filter": {"filters": [{"exclude": "metadata.role is version('1.0', strict=true)"}]},
    "key": {"filters": [{"exclude": "{'1.0': 'gate'}[metadata.role] == 'x'"}]},
}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("case", QUOTING)
def test_messages_quote_no_control_characters_of_a_tunnel(inventories: Inventories, case: str, strict: bool) -> None:
    fields = [{"id": "tn_odd", "metadata": {"role": FORGED}}, {"id": "tn_gate", "metadata": {"role": "1.0"}}]
    inventories.service.seed(tunnels=[{**each, "metadata": json.dumps(each["metadata"])} for each in fields])
    read = inventories.failure if strict else inventories.read
    said = [str(read(**QUOTING[case], strict=strict)), *inventories.warnings][-1]
    assert (said.isprintable(), len(said) < 1500, "fails for" in said) == (True, True, True), said
