# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection: the defaults of its options, and the limits of their values."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.doc_fragments._connection import ModuleDocFragment
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import connection

pytestmark = pytest.mark.every_core

NEEDED = {"base_url": "https://api.example.com/base/", "api_key": "ak_canary"}
DOCUMENTED = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]


def test_only_the_key_is_secret_and_a_traceback_does_not_show_it() -> None:
    assert [name for name, option in connection.CONNECTION_OPTIONS.items() if option.get("no_log")] == ["api_key"]
    assert "ak_canary" not in repr(connection.Connection.of(NEEDED))


@pytest.mark.parametrize("omitted", [{}, dict.fromkeys(set(DOCUMENTED) - set(NEEDED))], ids=["missing", "none"])
def test_omitted_options_have_the_documented_defaults(omitted: dict[str, Any]) -> None:
    found = connection.Connection.of({**NEEDED, **omitted})
    assert found.base_url == "https://api.example.com/base"
    assert found.api_key == "ak_canary"
    others = {name: said.get("default") for name, said in DOCUMENTED.items() if name not in NEEDED}
    assert {name: getattr(found, name) for name in others} == others


NAN, PLAIN_HTTP = float("nan"), "http://api.example.com"
# Values just inside the limits of each option, and just outside of them.
LIMITS: dict[str, tuple[list[Any], list[Any]]] = {
    "timeout": ([3600, 0.001, 1], [0, -1, 3600.001, NAN, float("inf")]),
    "retries": ([0], [-1]),
    "retry_max_wait": ([0, 1e9], [-0.001, NAN]),
    "requests_per_minute": ([1, 100_000], [0, 100_001]),
    "api_key": (["!", "~key"], ["ak canary", "ak_canary\x7f", "ak_canary\n", "ak_canáry", " "]),
    "version_header": (
        ["X", "x-0!#$%&'*+.^_`|~9Z"],
        ["", "Svc:Version", "Svc\nVersion", "X: canary", "Content-Length", "AUTHORIZATION", "ü"],
    ),
    "api_version": (["2", "2026-11-01;q=~!"], ["", "2 3", "ü"]),
    "base_url": (
        ["https://api.example.com"],
        [
            *(PLAIN_HTTP, "", "api.example.com", "ftp://api.example.com", "https://", "https://api.example.com/#a"),
            *("https://api.example.com:port", "https://api.example.com:99999", "https://api example.com"),
            *("https://api.example.com\n", "https://.example.com", f"https://{'a' * 64}.example.com"),
            *("https://user:canary@api.example.com", "https://api.example.com\\x"),
        ],
    ),
}
NUMBERS = ("timeout", "retries", "retry_max_wait", "requests_per_minute")


def errors_of(**given: Any) -> list[str]:
    return list(map(str, connection.connection_errors({**NEEDED, **given})))


@pytest.mark.parametrize("name", LIMITS)
def test_values_outside_the_limits_are_errors(name: str) -> None:
    inside, outside = LIMITS[name]
    assert [errors_of(**{name: value}) for value in inside] == [[]] * len(inside)
    for value in outside:
        [option_error] = errors_of(**{name: value})
        assert option_error.startswith(f"{name}: ")
        assert "canary" not in option_error
    assert errors_of(base_url=PLAIN_HTTP, allow_http=True) == []


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_ansible_rejects_is_left_to_ansible(name: str) -> None:
    for value in (None, [], {}, "many") if name in NUMBERS else ([],):
        assert errors_of(**{name: value}) == []
    assert list(connection.connection_errors({other: value for other, value in NEEDED.items() if other != name})) == []
