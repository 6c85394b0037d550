# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions that fail for some tunnels: these tunnels must not hide the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ansible.errors import AnsibleParserError

from .host_names import listed

Variables = Mapping[str, Any]


class ExpressionFailed(Exception):
    """An expression that cannot be evaluated for a tunnel. `evaluate` evaluates it for the variables of another."""

    def __init__(self, expression: str, evaluate: Callable[[Variables], Any], error: Exception) -> None:
        self.expression, self.evaluate = expression, evaluate
        super().__init__(str(error))


@dataclass(frozen=True)
class Evaluated:
    """What was evaluated for each tunnel, the IDs of the tunnels for which it failed, and warnings about these."""

    values: dict[str, Any]
    failed: list[str]
    warnings: list[str]


def failure_for(expression: str, identifier: str, error: Exception) -> AnsibleParserError:
    """Return the error of an inventory in which an expression fails for a tunnel."""
    return AnsibleParserError(f"{expression} fails for tunnel {identifier}: {error}")


def evaluate_each(
    identifiers: Iterable[str],
    evaluate: Callable[[str], Any],
    account: Mapping[str, Variables],
    *,
    strict: bool,
    consequence: str,
) -> Evaluated:
    """Call `evaluate` for the ID of each tunnel, and collect its failures.

    `account` has the variables of all tunnels of the account, by their IDs. An expression that fails for all of them
    is wrong itself. Raises AnsibleParserError for such an expression, and, if the inventory is strict, for any
    failure. Otherwise, a warning says what failed, and what the `consequence` for these tunnels is.
    """
    values: dict[str, Any] = {}
    failures: dict[str, dict[str, ExpressionFailed]] = {}
    for identifier in identifiers:
        try:
            values[identifier] = evaluate(identifier)
        except ExpressionFailed as error:
            failures.setdefault(error.expression, {})[identifier] = error
    warnings = []
    for expression, errors in failures.items():
        identifier, first = next(iter(errors.items()))
        if strict or not any(_works(first, account[other]) for other in account.keys() - errors.keys()):
            raise failure_for(expression, identifier, first) from None
        warnings.append(
            f"{expression} fails for {len(errors)} of {len(account)} tunnels, {consequence}: {listed(list(errors))}. "
            f"First error: {first}"
        )
    return Evaluated(values, [identifier for errors in failures.values() for identifier in errors], warnings)


def _works(error: ExpressionFailed, variables: Variables) -> bool:
    try:
        error.evaluate(variables)
    except Exception:
        return False
    return True
