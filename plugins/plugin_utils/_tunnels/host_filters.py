# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of an inventory, which decide about its hosts. Pure: the caller evaluates the expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...module_utils._model.option_error import OptionError, OptionErrors
from ...module_utils._model.option_wording import kind_of, unknown_option_error

_KINDS = ("include", "exclude")
_OPTIONS: dict[str, dict[str, str]] = {kind: {} for kind in _KINDS}


def filter_errors(filters: Any, path: str = "filters") -> OptionErrors:
    """Return the option errors of a list of filters."""
    for number, one in enumerate(filters if isinstance(filters, list) else ()):
        if not isinstance(one, Mapping):
            yield OptionError(
                f"{path}[{number}]", f"expected a dictionary with `include` or `exclude`, got {kind_of(one)}"
            )
            continue
        unknown = sorted(str(name) for name in one.keys() - set(_KINDS))
        yield from (unknown_option_error(name, _OPTIONS, f"{path}[{number}]") for name in unknown)
        given = [kind for kind in _KINDS if one.get(kind) is not None]
        if len(given) != 1 and not unknown:
            yield OptionError(
                f"{path}[{number}]", f"expected either `include` or `exclude`, got {'both' if given else 'neither'}"
            )
        elif not unknown and (not isinstance(one[given[0]], (str, bool)) or one[given[0]] == ""):
            got = kind_of(one[given[0]])
            yield OptionError(
                f"{path}[{number}].{given[0]}", f"expected an expression such as `proto == 'tcp'`, got {got}"
            )


def is_included(filters: Sequence[Mapping[str, Any]], holds: Callable[[Any, str], bool]) -> bool:
    """Return whether a host is in the inventory. The first filter that matches decides; if none matches, it is.

    `holds` receives an expression and its path.
    """
    for number, one in enumerate(filters):
        for kind in _KINDS:
            if one.get(kind) is not None and holds(one[kind], f"filters[{number}].{kind}"):
                return kind == "include"
    return True
