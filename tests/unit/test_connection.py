# SPDX-License-Identifier: GPL-3.0-or-later
"""The connection: the defaults of its options, and the limits of their values."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.doc_fragments.connection import ModuleDocFragment
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import (
    CONNECTION_OPTIONS,
    Connection,
    connection_errors,
    environment_variable,
)

pytestmark = pytest.mark.every_python

NEEDED = {"base_url": "https://api.example.com/base/", "api_key": "ak_canary"}
DOCUMENTED = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]


@pytest.mark.parametrize("name", CONNECTION_OPTIONS)
def test_an_option_is_what_its_documentation_says(name: str) -> None:
    option = CONNECTION_OPTIONS[name]
    said = DOCUMENTED[name]
    assert {key: option.get(key) for key in ("type", "default", "required")} == {
        key: said.get(key) for key in ("type", "default", "required")
    }


def test_only_the_key_is_secret() -> None:
    assert [name for name, option in CONNECTION_OPTIONS.items() if option.get("no_log")] == ["api_key"]


@pytest.mark.parametrize("omitted", [{}, dict.fromkeys(set(DOCUMENTED) - set(NEEDED))], ids=["missing", "none"])
def test_omitted_options_have_the_documented_defaults(omitted: dict[str, Any]) -> None:
    connection = Connection.of({**NEEDED, **omitted})
    assert connection.base_url == "https://api.example.com/base"
    assert connection.api_key == "ak_canary"
    others = {name: said.get("default") for name, said in DOCUMENTED.items() if name not in NEEDED}
    assert {name: getattr(connection, name) for name in others} == others


def test_what_is_given_counts_even_if_it_is_false() -> None:
    given = {"retries": 0, "retry_max_wait": 0.0, "validate_certs": False, "allow_http": True, "ca_path": "/ca.pem"}
    connection = Connection.of({**NEEDED, **given, "of_another": 1})
    assert {name: getattr(connection, name) for name in given} == given


def test_the_key_is_not_in_what_a_traceback_would_show() -> None:
    assert "ak_canary" not in repr(Connection.of(NEEDED))


def test_the_names_of_environment_variables() -> None:
    assert environment_variable("base_url") == "INGRESS_BASE_URL"


FINE: list[tuple[str, Any]] = [
    ("timeout", 3600),
    ("timeout", 0.001),
    ("timeout", 1),
    ("retries", 0),
    ("retry_max_wait", 0),
    ("retry_max_wait", 1e9),
    ("requests_per_minute", 1),
    ("requests_per_minute", 100_000),
    ("api_key", "!"),
    ("api_key", "~key"),
    ("version_header", "X"),
    ("version_header", "x-0!#$%&'*+.^_`|~9Z"),
    ("api_version", "2"),
    ("api_version", "2026-11-01;q=~!"),
]


@pytest.mark.parametrize(("name", "value"), FINE)
def test_values_just_inside_the_limits(name: str, value: Any) -> None:
    assert list(connection_errors({**NEEDED, name: value})) == []


WRONG: list[tuple[str, Any]] = [
    ("timeout", 0),
    ("timeout", 3600.001),
    ("timeout", float("nan")),
    ("retries", -1),
    ("retry_max_wait", -0.001),
    ("retry_max_wait", float("nan")),
    ("requests_per_minute", 0),
    ("requests_per_minute", 100_001),
    ("api_key", "ak canary"),
    ("api_key", "ak_canary\x7f"),
    ("version_header", "Svc:Version"),
    ("version_header", "Content-Length"),
    ("version_header", "AUTHORIZATION"),
    ("version_header", "ü"),
    ("api_version", "2 3"),
    ("api_version", "ü"),
    ("base_url", "http://api.example.com"),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_values_just_outside_the_limits_are_errors(name: str, value: Any) -> None:
    [option_error] = map(str, connection_errors({**NEEDED, name: value}))
    assert option_error.startswith(f"{name}: ")
    assert "canary" not in option_error


def test_plain_http_may_be_allowed() -> None:
    assert list(connection_errors({**NEEDED, "base_url": "http://api.example.com", "allow_http": True})) == []


@pytest.mark.parametrize("value", [None, [], {}, "many"], ids=repr)
@pytest.mark.parametrize("name", ["timeout", "retries", "retry_max_wait", "requests_per_minute"])
def test_a_type_that_ansible_rejects_is_left_to_ansible(name: str, value: Any) -> None:
    assert list(connection_errors({**NEEDED, name: value})) == []


@pytest.mark.parametrize("name", DOCUMENTED)
def test_values_that_are_not_strings_are_left_to_ansible(name: str) -> None:
    assert list(connection_errors({**NEEDED, name: []})) == []
    assert list(connection_errors({other: value for other, value in NEEDED.items() if other != name})) == []
