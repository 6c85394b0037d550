# SPDX-License-Identifier: GPL-3.0-or-later
"""The tunnels that become hosts, and the names that these hosts should have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ansible.errors import AnsibleUndefinedVariable

from .expression_failures import ExpressionFailed, Variables, evaluate_each
from .host_filters import is_included
from .host_names import name_in
from .host_rules import HostRules
from .tunnel_host import Tunnel, default_name


def included_tunnels(account: Mapping[str, Variables], rules: HostRules) -> tuple[list[str], list[str]]:
    """Return the IDs of the tunnels that the filters include, and warnings.

    `account` has the variables of all tunnels of the account, by their IDs. Raises AnsibleParserError if a filter
    fails for all of them, or for any of them in a strict inventory.
    """
    if not rules.filters:
        return list(account), []

    def evaluate(identifier: str) -> bool:
        def holds(expression: Any, path: str) -> bool:
            def holds_for(variables: Variables) -> bool:
                return rules.evaluation.holds(expression, variables)

            try:
                return holds_for(account[identifier])
            except Exception as error:
                raise ExpressionFailed(f"{path}: {expression!r}", holds_for, error) from None

        return is_included(rules.filters, holds)

    found = evaluate_each(account, evaluate, account, strict=rules.strict, consequence="which are not in the inventory")
    return [identifier for identifier, included in found.values.items() if included], found.warnings


def wanted_names(
    tunnels: Mapping[str, Tunnel], identifiers: Iterable[str], account: Mapping[str, Variables], rules: HostRules
) -> tuple[dict[str, str], list[str]]:
    """Return the name that the host of each tunnel should have, by the IDs of the tunnels, and warnings.

    Raises AnsibleParserError if `hostname` fails for all tunnels, or for any of them in a strict inventory.
    """

    def evaluate(identifier: str) -> str:
        name = _templated_name(account[identifier], rules) or default_name(tunnels[identifier], rules.extensions)
        return rules.prefixed(name)

    order = list(identifiers)
    consequence = "whose hosts are named after the tunnel IDs"
    found = evaluate_each(order, evaluate, account, strict=rules.strict, consequence=consequence)
    names = {**found.values, **{identifier: rules.prefixed(identifier) for identifier in found.failed}}
    return {identifier: names[identifier] for identifier in order}, found.warnings


def _templated_name(variables: Variables, rules: HostRules) -> str:
    template = rules.hostname
    if not template:
        return ""
    try:
        return name_in(rules.evaluation.name(template, variables), rules.extensions)
    except Exception as error:
        if not rules.strict and isinstance(error, AnsibleUndefinedVariable):
            return ""
        evaluate: Callable[[Variables], Any] = lambda others: rules.evaluation.name(template, others)  # noqa: E731
        raise ExpressionFailed("hostname", evaluate, error) from None
