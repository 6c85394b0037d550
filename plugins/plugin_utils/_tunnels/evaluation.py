# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of expressions and templates for hosts, by Ansible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean
from ansible.utils.vars import combine_vars

from .._plain import plain
from .._trust import untrusted
from .expression_failures import Variables


class Evaluation:
    """Evaluates what the options contain. Whatever fails raises the exception that Ansible raises.

    `compose` is Ansible's evaluation of expressions for inventories, and `extra` are the extra variables if they are to
    be used.
    """

    def __init__(self, templar: Any, compose: Callable[[Any, Variables], Any], extra: Variables | None) -> None:
        self.templar, self._compose, self._extra = templar, compose, extra

    def value(self, expression: Any, variables: Variables) -> Any:
        """Return the value of an expression, which is never evaluated as a template."""
        return untrusted(self._compose(expression, variables))

    def holds(self, expression: Any, variables: Variables) -> bool:
        """Return whether a condition is true."""
        self._make_available(variables)
        if hasattr(self.templar, "evaluate_conditional"):
            return bool(self.templar.evaluate_conditional(expression))
        return bool(boolean(self.templar.template(f"{{% if {expression} %}}True{{% else %}}False{{% endif %}}")))

    def name(self, template: Any, variables: Variables) -> Any:
        """Return the value of a template."""
        self._make_available(variables)
        return plain(self.templar.template(template))

    def _make_available(self, variables: Variables) -> None:
        self.templar.available_variables = combine_vars(variables, self._extra) if self._extra else variables
