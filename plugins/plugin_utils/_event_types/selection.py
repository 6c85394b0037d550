# SPDX-License-Identifier: GPL-3.0-or-later
"""The event types that the lookup `event_types` selects, and the errors in its terms and options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...module_utils._errors import UNSET_VARIABLE
from ...module_utils._values.event_catalog import EVENT_CATALOG, EVENT_TYPES, EventType, suggestion, unknown_name
from ...module_utils._values.option_error import InvalidOptions, OptionError
from ...module_utils._values.option_wording import kind_of
from ...module_utils._values.patterns import covers

OPTIONS: dict[str, dict[str, Any]] = {
    "family": {"type": "str", "choices": ["audit", "traffic"]},
    "resource": {"type": "str"},
    "fields": {"type": "bool", "default": False},
}
RESOURCES = tuple(dict.fromkeys(event.resource for event in EVENT_CATALOG))


def terms_of(given: Sequence[Any]) -> list[str]:
    """Return the names and patterns among the terms of a lookup, with lists replaced by their members.

    Raises InvalidOptions for an empty list, which differs from having no terms, and for terms that are not strings.
    """
    terms: list[tuple[str, Any]] = []
    option_errors: list[OptionError] = []
    for number, term in enumerate(given):
        where, is_list = f"_terms[{number}]", isinstance(term, (list, tuple))
        if is_list and not term:
            advice = "add names or patterns, or omit the term to get all event types"
            option_errors.append(OptionError(where, f"the list is empty; {advice}"))
        terms += [(f"{where}[{inner}]", one) for inner, one in enumerate(term)] if is_list else [(where, term)]
    option_errors += [
        OptionError(where, f"expected the name of an event type or a pattern, got {kind_of(term)}")
        for where, term in terms
        if not isinstance(term, str)
    ]
    if option_errors:
        raise InvalidOptions(option_errors)
    return [term for _where, term in terms]


def matching_event_types(
    patterns: Sequence[str], family: str | None = None, resource: str | None = None
) -> list[EventType]:
    """Return the event types of the family and the resource that match one of the patterns, or all without patterns.

    Raises InvalidOptions for a name or a pattern that no event type matches. Otherwise, a task that declares the result
    and purges would delete everything because of a typing error.
    """
    among = [event for event in EVENT_CATALOG if family in (None, event.family) and resource in (None, event.resource)]
    selected = ", ".join(f"{name} {value}" for name, value in (("family", family), ("resource", resource)) if value)
    option_errors: list[OptionError] = []
    for pattern in patterns:
        if not _matching(EVENT_CATALOG, [pattern]):
            option_errors.append(OptionError("_terms", _unmatched(pattern)))
        elif among and not _matching(among, [pattern]):
            option_errors.append(OptionError("_terms", f"{pattern!r} matches no event type of {selected}"))
    if not among:
        error = f"{resource} has no event types of the family {family}; omit one of the two options"
        if resource not in RESOURCES:
            unknown = unknown_name(str(resource), "resource", RESOURCES)
            error = _with_advice(unknown, f"the resources are {', '.join(RESOURCES)}")
        option_errors.append(OptionError("resource", error))
    if option_errors:
        raise InvalidOptions(option_errors)
    return _matching(among, patterns) if patterns else among


def _matching(events: Iterable[EventType], patterns: Sequence[str]) -> list[EventType]:
    return [event for event in events if any(covers(pattern, event.name) for pattern in patterns)]


def _unmatched(pattern: str) -> str:
    if not pattern:
        return f"the name of an event type is empty; {UNSET_VARIABLE}"
    if "*" in pattern:  # the only special character
        error = f"{pattern!r} matches no event type{suggestion(pattern.replace('*', ''), EVENT_TYPES)}"
    else:
        error = unknown_name(pattern, "event type", EVENT_TYPES)
    return _with_advice(error, "omit the term to get all event types")


def _with_advice(error: str, advice: str) -> str:
    """Return the error with what to do about it, unless it suggests similar names."""
    return error if error.endswith("?") else f"{error}; {advice}"
