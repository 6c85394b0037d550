# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile strings in the objects of an account, and in events about them."""

from __future__ import annotations

import ast
import json
import warnings
from pathlib import Path

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._values.identifiers import strings_in
from scripted_account import Account, Polled, watched
from scripted_service import as_json, scripted_service

HOSTILE = [
    "[" * 1000 + "]" * 1000,
    "\x1b[31mred\x1b[0m",
    "{{ lookup('ansible.builtin.pipe', 'id') }}",
    "{% raw %}",
    "{# comment #}",
    "{{{{{ x",
    "'{' '{ x }}'",
    '"\\x7b\\x7b x }}"',
    "'\\N{LEFT CURLY BRACKET}\\u007b x'",
    "'\"\\x5cx7b{ x\"'",
    "ends with \\",
    "#jinja2: variable_start_string: '[['",
    "$ANSIBLE_VAULT;1.1;AES256",
    "\ud800 half",
    "\u202egnp.exe",
    "null\x00byte",
    "ends with {",
    json.dumps({"{{ key }}": ["{{ value }}"], "a.b": {"": "\ud83d"}}),
    json.dumps({"number": 10**400}),
    '{"a": 1e999, "b": NaN}',
    "[" * 5000,
    "[" * 50 + "]" * 50,
]
LARGE = ["x" * 3_000_000, json.dumps({f"key{number}": "y" * 1000 for number in range(2000)})]


@pytest.mark.parametrize("texts", [HOSTILE, *([text] for text in LARGE)], ids=["short", "long", "many members"])
def test_hostile_strings_are_harmless(texts: list[str], tmp_path: Path) -> None:
    polled = Polled(Account(1, 1))
    account = polled.account
    account.page = 1
    with scripted_service(account) as service:
        assert polled.poll(service) == []
        for number, text in enumerate(texts):
            tunnel, edge = f"tn_new{number}", f"edghts_new{number}"
            account.tunnels[tunnel] = account.tunnel(tunnel, metadata=text, public_url=text, labels={text[:1000]: text})
            account.edges[edge] = account.edge(edge, description=text, metadata=text, routes=[])
        events = polled.poll(service)
        polled.restart(tmp_path / "state")
        assert polled.poll(service) == []
    assert [event["type"] for event in events] == ["tunnel_online"] * len(texts) + ["edge_changed"] * len(texts)
    for event in events:
        shown = json.dumps(event, allow_nan=False)
        assert len(shown) < 120_000
        for mark in ("{{", "{%", "{#", "\\u001b", "\\u0000", "\\ud8", "\\u202e", "$ANSIBLE_VAULT", "#jinja2:"):
            assert mark not in shown.replace("\\\\u", "")
        assert all(_is_inert(text) for text in strings_in(event))


def test_errors_of_a_service_are_logged_in_one_visible_line(caplog: pytest.LogCaptureFixture) -> None:
    account = Account()
    hostile = {"error_code": "E\x1b[31m\u202e", "msg": f"\x07one\r\ntwo{'x' * 5000}"}
    account.spoil = lambda request: as_json(hostile, 500)
    with caplog.at_level("WARNING"), watched(account) as (listener, _service):
        listener.after_polls(1)
    found = [record.getMessage() for record in caplog.records if record.name == "edgeops.ingress.changes"]
    assert len(found) == 2
    assert all(line.isprintable() and len(line) < 500 for line in found)


def _is_inert(text: str) -> bool:
    """Whether the string is not a template, even after it was evaluated as a Python literal, in quotes or without."""
    warnings.simplefilter("ignore", SyntaxWarning)
    for literal in (text, f"'{text}'", f'"{text}"'):
        try:
            found = ast.literal_eval(literal)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if any(mark in one for one in strings_in(found) for mark in ("{{", "{%", "{#")):
            return False
    return not text.endswith("{")
