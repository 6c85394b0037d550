# SPDX-License-Identifier: GPL-3.0-or-later
"""The variables that the option `compose` adds to hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...module_utils._model.escapes import encodable, is_encodable
from .._plain import plain
from .._trust import untrusted
from .expression_failures import Variables, failure_for
from .host_names import listed
from .host_rules import HostRules
from .tunnel_host import NO_JSON_NUMBER, TOO_DEEP, obstacle_in, writable

_Omitted = dict[tuple[str, str], list[str]]
"""The tunnels without a composed variable, by the name of the variable and the reason."""


class _Unlistable(Exception):
    """The reason why an inventory cannot contain a value."""


def composed_variables(
    identifiers: Iterable[str], account: Mapping[str, Variables], rules: HostRules
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the composed variables of each tunnel's host, by the IDs of the tunnels, and warnings.

    Raises AnsibleParserError for an expression that fails, if the inventory is strict.
    """
    omitted: _Omitted = {}
    composed = {identifier: _composed(identifier, account[identifier], rules, omitted) for identifier in identifiers}
    return composed, [
        f"compose.{variable} is not set, because {reason} (tunnels: {listed(affected)})"
        for (variable, reason), affected in omitted.items()
    ]


def _composed(identifier: str, variables: Variables, rules: HostRules, omitted: _Omitted) -> dict[str, Any]:
    """Return the variables for one tunnel, and add it to `omitted` for each value that an inventory cannot contain."""
    found = {}
    for variable, expression in rules.compose.items():
        try:
            found[variable] = _listable(rules.evaluation.value(expression, variables))
        except Exception as error:
            if rules.strict:
                raise failure_for(f"compose.{variable}", identifier, error) from None
            if isinstance(error, _Unlistable):
                omitted.setdefault((str(variable), str(error)), []).append(identifier)
    return found


def _listable(value: Any) -> Any:
    """Return the value without halves of surrogate pairs. Raises _Unlistable if an inventory cannot contain it."""
    if isinstance(value, str):
        return value if is_encodable(value) else untrusted(encodable(value))
    try:
        bare = plain(value)
        obstacle = obstacle_in(bare)
    except RecursionError:
        obstacle = TOO_DEEP
    except ValueError:  # a key that is a number with too many digits
        obstacle = NO_JSON_NUMBER
    if obstacle:
        raise _Unlistable(f"the value {obstacle}")
    return value if writable(bare) == bare else untrusted(writable(bare))
