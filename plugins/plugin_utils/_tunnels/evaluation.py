# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluation of expressions for hosts, without Ansible's slow templating if the result is the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from ansible.module_utils.parsing.convert_bool import boolean
from ansible.utils.vars import combine_vars

from .._plain import plain
from .._trust import untrusted
from .expressions import MISSING, Evaluator, Unsure, as_result, is_condition, plain_expression, plain_template

Variables = Mapping[str, Any]


class Undefined(Exception):
    """An expression uses an undefined variable, and no message needs its name."""


class Evaluation:
    """Evaluates expressions. An expression that fails raises the exception that Ansible raises, or Undefined.

    `compose` is Ansible's own evaluation for inventories, `extra` the extra variables if they are to be used, and
    `known` the names of variables that some hosts have and others do not.
    """

    def __init__(
        self, templar: Any, compose: Callable[[Any, Variables], Any], extra: Variables | None, known: Collection[str]
    ) -> None:
        self._templar, self._compose, self._extra, self._known = templar, compose, extra, known
        self._expressions: dict[Any, Evaluator | None] = {}
        self._templates: dict[Any, Evaluator | None] = {}

    def value(self, expression: Any, variables: Variables, *, names_missing: bool) -> Any:
        """Return the value of an expression, which is never evaluated as a template.

        `names_missing` is whether the exception for an undefined variable must contain its name.
        """
        try:
            found = as_result(self._plainly(expression, variables))
        except Unsure:
            found = MISSING
        else:
            if found is MISSING and not names_missing:
                raise Undefined
        return untrusted(self._compose(expression, variables) if found is MISSING else found)

    def holds(self, expression: Any, variables: Variables, *, uses_extra: bool = True) -> bool:
        """Return whether a condition is true."""
        if isinstance(expression, bool):
            return expression
        try:
            found = self._plainly(expression, variables)
        except Unsure:
            found = None
        return bool(found) if is_condition(found) else self._condition(expression, variables, uses_extra)

    def name(self, template: Any, variables: Variables) -> Any:
        """Return the value of a template."""
        evaluate = self._evaluator(template, self._templates, plain_template)
        try:
            if evaluate is not None:
                return as_result(evaluate(variables))
        except Unsure:
            pass
        self._make_available(variables, True)
        return plain(self._templar.template(template))

    def _plainly(self, expression: Any, variables: Variables) -> Any:
        evaluate = self._evaluator(expression, self._expressions, plain_expression)
        if evaluate is None:
            raise Unsure
        return evaluate(variables)

    def _evaluator(
        self,
        text: Any,
        made: dict[Any, Evaluator | None],
        make: Callable[[Any, Collection[str]], Evaluator | None],
    ) -> Evaluator | None:
        if self._extra is not None or not isinstance(text, str):
            return None
        if text not in made:
            made[text] = make(text, self._known)
        return made[text]

    def _make_available(self, variables: Variables, uses_extra: bool) -> None:
        is_more = uses_extra and self._extra is not None
        self._templar.available_variables = combine_vars(variables, self._extra) if is_more else variables

    def _condition(self, expression: Any, variables: Variables, uses_extra: bool) -> bool:
        self._make_available(variables, uses_extra)
        if hasattr(self._templar, "evaluate_conditional"):
            return bool(self._templar.evaluate_conditional(expression))
        return bool(boolean(self._templar.template(f"{{% if {expression} %}}True{{% else %}}False{{% endif %}}")))
