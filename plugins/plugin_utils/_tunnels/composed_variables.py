# SPDX-License-Identifier: GPL-3.0-or-later
"""The variables that the option `compose` adds to hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .._plain import plain
from .expression_failures import Variables, failure_for
from .host_names import listed
from .host_rules import HostRules
from .tunnel_host import fits_json

_UNLISTABLE = "is or contains an infinite number, or one with too many digits, which JSON cannot represent"


def composed_variables(
    identifiers: Iterable[str], account: Mapping[str, Variables], rules: HostRules
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the composed variables of each tunnel's host, by the IDs of the tunnels, and warnings.

    Raises AnsibleParserError for an expression that fails, if the inventory is strict.
    """
    unlisted: dict[str, list[str]] = {}
    composed = {identifier: _composed(identifier, account[identifier], rules, unlisted) for identifier in identifiers}
    return composed, [
        f"compose.{variable} is not set, because the value {_UNLISTABLE} (tunnels: {listed(affected)})"
        for variable, affected in unlisted.items()
    ]


def _composed(
    identifier: str, variables: Variables, rules: HostRules, unlisted: dict[str, list[str]]
) -> dict[str, Any]:
    """Return the variables for one tunnel, and add it to `unlisted` for each value that cannot be listed."""
    found = {}
    for variable, expression in rules.compose.items():
        try:
            value = rules.evaluation.value(expression, variables, names_missing=rules.strict)
            if not _can_be_listed(value):
                unlisted.setdefault(str(variable), []).append(identifier)
                raise ValueError(f"the value {_UNLISTABLE}")
            found[variable] = value
        except Exception as error:
            if rules.strict:
                raise failure_for(f"compose.{variable}", identifier, error) from None
    return found


def _can_be_listed(value: Any) -> bool:
    """Return whether `ansible-inventory` can list the value. It lists no host at all if it fails for one value."""
    if isinstance(value, (str, bool)):
        return True
    try:
        return fits_json(plain(value))
    except (ValueError, RecursionError):  # a key that is a number with too many digits
        return False
