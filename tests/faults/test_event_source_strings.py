# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile strings in the objects of an account, and in events about them."""

from __future__ import annotations

import ast
import itertools
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._values.identifiers import strings_in
from ansible_collections.edgeops.ingress.plugins.plugin_utils._changes.harmless import harmless, harmless_text
from scripted_account import KEY, Account, Polled, watched
from scripted_service import as_json, scripted_service

HOSTILE = [
    *("[" * 1000 + "]" * 1000, "[" * 5000, "[" * 50 + "]" * 50, "\x1b[31mred\x1b[0m", "\u202egnp.exe", "null\x00byte"),
    *("{{ lookup('ansible.builtin.pipe', 'id') }}", "{% raw %}", "{# comment #}", "{{{{{ x", "ends with {"),
    *("'{' '{ x }}'", '"\\x7b\\x7b x }}"', "'\\N{LEFT CURLY BRACKET}\\u007b x'", "'\"\\x5cx7b{ x\"'", r"'\173{ x }}'"),
    *(r"'{\x25 if x \x25}{\x25 endif \x25}'", r"'{\45 set x = 1 \45}'", r"'{\u0025 set x = 1 \u0025}'"),
    *(r"'{\N{NUMBER SIGN} x \x23}'", r"['{\x25 set x = 1 %}']", "'{' '''\\x25 set x = 1 %}'''", "ends with \\"),
    *("'{\\\n% set x = 1 %}'", r"'\'{\\x25 set x = 1 %}\''", r"'\u007b{ x }}'", r"'\U0000007b{ x }}'"),
    *(r'\""x7b{ 7 }}', "\\\"\"x7b{ 7 }}''''']\" #", "('{' # until here\n '{ x }}')"),
    r"'\x23jinja2: variable_start_string: \'[[\'\n[[ x ]]'",
    r"'#' 'jinja2: variable_start_string: \'[[\'\n[[ x ]]'",
    "jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ 7 ]]",
    *("#jinja2: variable_start_string: '[['", "'\\\n#' 'jinja2: x'", r"""'"\\\n#" "jinja2: x"'""", "jinja", "[''"),
    *("$ANSIBLE_VAULT;1.1;AES256", "ANSIBLE_VAULT;1.1;AES256", "'$' 'ANSIBLE_VAULT;1.1;AES256'"),
    *("a$ANSI' 'BLE_VAULT;1.1;AES256", "\ud800 half", '{"a": 1e999, "b": NaN}', json.dumps({"number": 10**400})),
    json.dumps({"{{ key }}": ["{{ value }}"], "a.b": {"": "\ud83d"}}),
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
        for text in strings_in(event):
            assert all(_is_inert(around.format(text, text)) for around in AROUND), text


def test_the_api_key_is_masked_even_as_a_name(tmp_path: Path) -> None:
    polled = Polled(Account())
    members = {KEY: "x", "list": [{KEY: {f"a {KEY}": KEY}}]}
    with scripted_service(polled.account) as service:
        polled.poll(service)
        polled.account.tunnels["tn_new"] = polled.account.tunnel("tn_new", labels=members, metadata=json.dumps(members))
        polled.account.edges["edghts_new"] = polled.account.edge("edghts_new", metadata=json.dumps(members))
        events = polled.poll(service)
    polled.restart(tmp_path / "state")
    assert [event["after"]["metadata"]["list"] for event in events if event["kind"] != "https_edge_route"]
    assert KEY not in json.dumps(events) + (tmp_path / "state").read_text()


MEMBERS = {
    "many": {f"key{number}": number for number in range(600)},
    "long": {f"key{number}": "x" * 400 for number in range(130)},
    "inside of a list": [{f"key{number}": "x" * 400 for number in range(90)}] * 5,
    "inside of many levels": {"a": [[[[[[[[[[[[{f"key{number}": number for number in range(9)}]]]]]]]]]]]]},
}


def in_reverse(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: in_reverse(value[name]) for name in reversed(value)}
    return [in_reverse(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("members", MEMBERS.values(), ids=MEMBERS)
def test_the_order_of_members_is_no_change_even_if_they_are_cut(members: Any) -> None:
    polled = Polled(Account())
    edge = polled.account.edges["edghts_000"]
    with scripted_service(polled.account) as service:
        for metadata, types in ((members, []), (in_reverse(members), []), ({"a": members}, ["edge_changed"])):
            edge["metadata"] = json.dumps(metadata)
            assert [event["type"] for event in polled.poll(service)] == types


def test_errors_of_a_service_are_logged_in_one_visible_line(caplog: pytest.LogCaptureFixture) -> None:
    account = Account()
    hostile = {"error_code": "E\x1b[31m\u202e", "msg": f"\x07one\r\ntwo{'x' * 5000}"}
    account.spoil = lambda request: as_json(hostile, 500)
    with caplog.at_level("WARNING"), watched(account) as (listener, _service):
        listener.after_polls(1)
    found = [record.getMessage() for record in caplog.records if record.name == "edgeops.ingress.changes"]
    assert len(found) == 2
    assert all(line.isprintable() and len(line) < 500 for line in found)


OPENINGS = ["{{", "{%", "{#", "#jinja2:", "$ANSIBLE_VAULT"]
SPELT = {
    "as it is": str,
    "without what is special": lambda text: repr(text)[1:-1].replace('"', "\\x22"),
    "hex": lambda text: "".join(f"\\x{ord(char):02x}" for char in text),
    "octal": lambda text: "".join(f"\\{ord(char):o}" for char in text),
    "units": lambda text: "".join(f"\\u{ord(char):04X}" for char in text),
    "long": lambda text: "".join(f"\\U{ord(char):08x}" for char in text),
    "the last one": lambda text: text[:-1] + "".join(f"\\x{ord(char):02X}" for char in text[-1:]),
    "continued": "\\\n".join,
}
PIECES = [
    *OPENINGS,
    *("{", "%", "#", "$", "#jin", "ja2:", "jinja2:", "$ANSIBLE", "ANSIBLE_VAULT", "x7b", "{ ", "%}", "}}", "C#", "a"),
    *("'", '"', "'''", '"""', "\\", "\\\\", "\\'", "\\n", "\\r", "\\\n", "\n", "\r", " ", "\t", "\ufeff", "\\u000a"),
    *("\\N{LEFT CURLY BRACKET}", "\\N{PERCENT SIGN}", "\\N{APOSTROPHE}", "\\x5c", "\\134", "\\47", "r", "b", "f", "u"),
    *("(", ")", "[", "]", ",", ":", "}", "# x\n"),
]
QUOTES, PREFIXES = ["'", '"', "'''", '"""'], ["", "", "", "r", "b", "f", "u", "Rb"]


def literals(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    forms = st.tuples(st.sampled_from(PREFIXES), st.sampled_from(QUOTES), st.sampled_from(list(SPELT)), texts)
    return forms.map(lambda form: f"{form[0]}{form[1]}{SPELT[form[2]](form[3])}{form[1]}")


def expressions(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Literals, of which several can be adjacent, and what contains them."""
    cut = st.tuples(texts, st.integers(1, 8)).map(lambda drawn: (drawn[0][: drawn[1]], drawn[0][drawn[1] :]))
    several = st.tuples(literals(texts), literals(texts)) | cut.flatmap(_each_as_literal)
    forms = ["{} {}", "{}{}", "({} # x\n{})", "[{}, {}]", "({}, {})", "{{{}: {}}}", "[{{{}: [{}]}}]", " {}\t{} "]
    joined = st.tuples(st.sampled_from(forms), several).map(lambda drawn: drawn[0].format(*drawn[1]))
    return joined | literals(texts)


def _each_as_literal(pieces: tuple[str, str]) -> st.SearchStrategy[tuple[str, str]]:
    return st.tuples(*(literals(st.just(piece)) for piece in pieces))


TEXTS = st.recursive(st.lists(st.sampled_from(PIECES), max_size=5).map("".join), expressions, max_leaves=4)
AROUND = [
    *("{}", "{}{}", "{{{}}}", "{}{}:", "#{}", "#{}{}", "cost: ${}", "{}-{}", "['#{}', '{}']", "['{}', \"{}\"]"),
    *("'{}'", '"{}"', "{} '{}'", "'{}{}'", "'{} {}'", "('''{}''' '{}')", "r'{}{}'"),
]


@settings(max_examples=so_many(600, 30_000), deadline=None, suppress_health_check=list(HealthCheck))
@given(TEXTS, TEXTS)
@example("'", ', "{ x }}" #')
@example("'\\", "x7b{ x }}'")
@example("'{'", "% x %}")
@example("\\'{\\' \\'", "% x %}\\'")
@example("#' 'jinja2: x", "$' 'ANSIBLE_VAULT;x")
def test_no_string_becomes_a_template_however_it_is_evaluated(one: str, other: str) -> None:
    texts = [harmless_text(text, 10**9) for text in (one, other)]
    assert [harmless_text(text, 10**9) for text in texts] == texts
    for first, second in itertools.product(texts, repeat=2):
        for around in AROUND:
            assert _is_inert(around.format(first, second))
        for container in ({second: first}, [first, {"a": {second: 1}}]):
            assert all(_is_inert(f"{before}{container}") for before in ("", first, f"{first}, ", f"{first}-"))
            assert all(_is_inert(around.format(container)) for around in ("'{}'", '["{}"]', "['{}']", "{{'k': '{}'}}"))
            assert _is_inert(f"{first} {json.dumps(container, ensure_ascii=False)}")


def test_no_two_strings_complete_a_mark_that_a_rulebook_begins() -> None:
    """As in `#{{ event.after.labels.team }}{{ event.after.labels.name }}`: all ways to split the marks."""
    marks = ("#jinja2:", "$ANSIBLE_VAULT", "#JINJA2:", "$ansible_vault")
    pieces = {mark[start:end] for mark in marks for start in range(len(mark)) for end in range(start, len(mark) + 1)}
    for before, first, second in itertools.product(["", "#", "$"], pieces, pieces):
        shown = [before, harmless_text(first), harmless_text(second)]
        for joined in ("".join(shown), "".join([*shown, ":"]), "".join([*shown[:2], harmless_text(f"{second};1.1")])):
            assert joined.lower()[:8] != "#jinja2:", (before, first, second)
            assert "$ansible_vault" not in joined.lower(), (before, first, second)


HONEST = {
    "C:\\Program Files\\shop": None,
    "C:\\Users\\name": "C:\\ Users\\name",
    "\\\\server\\share": "\\ \\server\\share",
    "^/api/v\\d+/[^/]*\\.json$": None,
    '{"team": "shop", "ports": {}}': ' { "team": "shop", "ports": {}}',
    "„Läden“ »Büros«": None,
    "team: 'shop'\ncolor: \"#fff\"": "team: 'shop'\ncolor: \" #fff\"",
    "${HOME} $HOME #java C#": None,
    "100% of {tunnels}": None,
    "\u202e\\u202e": "\\u202e\\u202e",
    "jinja2 and Ansible": None,
    'say \\"yes\\"': 'say \\ "yes\\ "',
}


@pytest.mark.parametrize(("text", "shown"), HONEST.items())
def test_honest_strings_stay_readable(text: str, shown: str | None) -> None:
    assert harmless({text: text}) == {shown or text: shown or text}


def _is_inert(text: str, rounds: int = 4) -> bool:
    """Whether the string is not a template, even if it is evaluated as a Python literal, and its strings again."""
    # ansible-rulebook decrypts a string with the mark of a vault at any place.
    if any(one in text for one in (*OPENINGS[:3], OPENINGS[4])) or text.lstrip(" ").startswith(OPENINGS[3]):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ast.literal_eval(ast.parse(text, mode="eval"))
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return True
    inner = {*_strings_in(found), str(found)}
    return rounds == 0 or all(_is_inert(one, rounds - 1) for one in inner)


def _strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, (str, bytes)):
        yield value if isinstance(value, str) else value.decode("latin-1")
    elif isinstance(value, (list, tuple, set, dict)):
        for member in (*value, *(value.values() if isinstance(value, dict) else ())):
            yield from _strings_in(member)
