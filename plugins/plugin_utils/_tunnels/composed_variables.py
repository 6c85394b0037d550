# SPDX-License-Identifier: GPL-3.0-or-later
"""The variables that the option `compose` adds to hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ansible.utils.vars import combine_vars

from ...module_utils._model.escapes import encodable, is_encodable
from .._plain import plain
from .._trust import untrusted
from .host_names import listed
from .host_rules import HostRules, Variables
from .tunnel_host import NO_JSON_NUMBER, TOO_DEEP, obstacle_in, writable


class _Unlistable(Exception):
    """The reason why an inventory cannot contain a value."""


def with_composed_variables(
    identifiers: Iterable[str], account: Mapping[str, Variables], rules: HostRules
) -> tuple[dict[str, Variables], list[str]]:
    """Return all variables of each tunnel's host, by the IDs of the tunnels, and warnings.

    Raises AnsibleParserError for an expression that fails, if the inventory is strict.
    """
    hosts = {identifier: account[identifier] for identifier in identifiers}
    omitted: dict[tuple[str, str], list[str]] = {}
    for variable, expression in rules.get_option("compose").items():
        for identifier, known in hosts.items():
            try:
                value = _listable(rules.value(expression, account[identifier]))
                hosts[identifier] = combine_vars(known, {variable: value})
            except Exception as error:
                if rules.strict:
                    raise rules.failure(f"compose.{variable}", identifier, error) from None
                if isinstance(error, _Unlistable):
                    omitted.setdefault((variable, str(error)), []).append(identifier)
    return hosts, [
        f"compose.{variable} is not set, because {reason} (tunnels: {listed(affected)})"
        for (variable, reason), affected in omitted.items()
    ]


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
