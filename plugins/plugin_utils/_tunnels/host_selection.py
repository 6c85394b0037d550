# SPDX-License-Identifier: GPL-3.0-or-later
"""The tunnels that become hosts, and the names that these hosts should have.

An expression that fails for one tunnel must not hide the others, unless the inventory is strict.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from ansible.errors import AnsibleUndefinedVariable

from .host_names import listed, name_in
from .host_rules import HostRules, Variables
from .tunnel_host import Tunnel, default_name

Account = Mapping[str, Variables]
"""The variables of all tunnels of the account, by their IDs."""


def included_tunnels(account: Account, rules: HostRules) -> tuple[list[str], list[str]]:
    """Return the IDs of the tunnels that the filters include, and warnings. The first filter that matches decides."""
    undecided, included, warnings = list(account), set[str](), list[str]()
    for number, one in enumerate(rules.get_option("filters")):
        [(kind, expression)] = [(kind, expression) for kind, expression in one.items() if expression is not None]
        path, holds = f"filters[{number}].{kind}: {expression!r}", partial(rules.holds, expression)
        found, more = _evaluated(path, holds, undecided, account, rules, "which are not in the inventory")
        undecided = [identifier for identifier in found if not found[identifier]]
        if kind == "include":
            included |= found.keys() - set(undecided)
        warnings += more
    return [identifier for identifier in account if identifier in included.union(undecided)], warnings


def wanted_names(
    tunnels: Mapping[str, Tunnel], identifiers: Collection[str], account: Account, rules: HostRules
) -> tuple[dict[str, str], list[str]]:
    """Return the name that the host of each tunnel should have, by the IDs of the tunnels, and warnings.

    With the prefix, even the ID can be too long. The name is empty then.
    """
    template = rules.get_option("hostname")
    found, warnings = dict.fromkeys(identifiers, ""), list[str]()
    if template:
        consequence = "whose hosts are named after the tunnel IDs"
        name = partial(rules.text, template)
        undefined = () if rules.strict else (AnsibleUndefinedVariable,)
        found, warnings = _evaluated("hostname", name, identifiers, account, rules, consequence, undefined)

    def prefixed_name(identifier: str) -> str:
        candidates = found.get(identifier, identifier), default_name(tunnels[identifier], rules.extensions), identifier
        names = (rules.prefixed(name) for one in candidates if (name := name_in(one, rules.extensions)))
        return next(filter(None, names), "")

    return {identifier: prefixed_name(identifier) for identifier in identifiers}, warnings


def _evaluated(
    expression: str,
    evaluate: Callable[[Variables], Any],
    identifiers: Collection[str],
    account: Account,
    rules: HostRules,
    consequence: str,
    ignored: tuple[type[Exception], ...] = (),
) -> tuple[dict[str, Any], list[str]]:
    """Return what `evaluate` returns for the variables of these tunnels, and warnings about those for which it fails.

    Tunnels with `ignored` exceptions have the value None. An expression that fails for all tunnels of the account is
    wrong itself. Raises AnsibleParserError for such an expression, and, if the inventory is strict, for any failure.
    Otherwise, a warning says what failed, and what the `consequence` for these tunnels is.
    """
    values: dict[str, Any] = {}
    errors: dict[str, Exception] = {}
    for identifier in identifiers:
        try:
            values[identifier] = evaluate(account[identifier])
        except ignored:
            values[identifier] = None
        except Exception as error:
            errors[identifier] = error
    if not errors:
        return values, []
    identifier, first = next(iter(errors.items()))
    if rules.strict or not any(_works(evaluate, account[other]) for other in account.keys() - errors.keys()):
        raise rules.failure(expression, identifier, first) from None
    warning = f"{expression} fails for {len(errors)} of {len(account)} tunnels, {consequence}: {listed(list(errors))}"
    return values, [f"{warning}. First error: {first}"]


def _works(evaluate: Callable[[Variables], Any], variables: Variables) -> bool:
    try:
        evaluate(variables)
    except Exception:
        return False
    return True
