# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that several modules have in common, and their checks."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .._applying.permission import Limits
from .._errors import UNSET_VARIABLE
from .._model.named_secrets import is_secret_name
from .._model.objects import Object
from .._model.protection import CHECKS, CLOSED
from .._planning.plan import NEW, OPENING_KINDS
from .._planning.plan_document import OPTIONS as DETAIL_OPTIONS
from .._planning.plan_document import digest_errors
from .._transport.addresses import segment_problems
from .._values import identifiers
from .._values.identifiers import KINDS, placeholder_errors
from .._values.option_error import OptionError, OptionErrors, join, list_of, with_paths
from .._values.option_types import choice_errors
from .._values.option_wording import DocumentedElsewhere, NeverNull, enumerated, kind_of, quoted

STATE: dict[str, Any] = {"type": "str", "choices": ["present", "absent"], "default": "present"}
REVEAL: dict[str, Any] = {"type": "list", "elements": "str", "default": [], "no_log": False}
UPDATE_SECRETS: dict[str, Any] = {"type": "str", "choices": ["on_create", "always"], "default": "on_create"}
ALLOW_EMPTY: dict[str, Any] = {"type": "bool", "default": False}
PURGE_HOSTPORTS: dict[str, Any] = {"type": "bool", "default": False}
REJECT_OPENINGS: dict[str, Any] = {"reject_openings": {"type": "raw", "default": False}}
SINGLE_OPTIONS: dict[str, Any] = {"allow_empty": ALLOW_EMPTY, **REJECT_OPENINGS}
"""Options of modules that change who gets through a single object."""

SET_OPTIONS: dict[str, Any] = {
    "allow_empty": ALLOW_EMPTY,
    "max_deletions": {"type": "int", "default": 10},
    "expect_plan": NeverNull(type="str"),
    "concurrency": {"type": "int", "default": 4},
    **DETAIL_OPTIONS,
}
"""Options of modules that manage many objects, and can purge."""

_PATH = re.compile(r"/|(?:/(?!\.{1,2}(?:/|$))[^\s*?#%/\\]+)+/?")
_HOST = re.compile(r"\*|(?:\*\.)?[^\s*/:?#]+")

REQUIREMENTS: dict[str, Any] = NeverNull(
    type="list",
    elements="dict",
    default=[],
    options={
        "hosts": NeverNull(type="list", elements="str", default=["*"]),
        "paths": NeverNull(type="list", elements="str", default=["/"]),
        "needs": {"type": "list", "elements": "str", "required": True, "choices": [*CHECKS, CLOSED]},
        "reason": {"type": "str", "required": True},
    },
)
REQUIREMENTS_OPTION: dict[str, Any] = {"requirements": DocumentedElsewhere(REQUIREMENTS)}
"""The option of modules that execute a plan. Its suboptions are documented with that of `exposure_info`."""

_MOST_CONCURRENCY = 32
_TRUE, _FALSE = ("true", "yes", "on"), ("false", "no", "off")


def reveal_errors(options: Mapping[str, Any]) -> OptionErrors:
    """Yield the errors in the names of secrets to return: for a misspelled one, a secret could be lost."""
    for where, name in with_paths(options.get("reveal"), "reveal"):
        if name != "value" and not is_secret_name(str(name)):
            text = f"{quoted(name)} is not the name of a secret; set that of a masked field"
            yield OptionError(where, text)


def module_options(modules: Collection[str]) -> dict[str, Any]:
    return {
        "absent_modules": {"type": "list", "elements": "str", "choices": list(modules), "default": []},
        "purge_modules": {"type": "bool", "default": False},
    }


def module_errors(options: Mapping[str, Any], modules: Collection[str], path: str = "") -> OptionErrors:
    absent = list_of(options.get("absent_modules"))
    for name in (name for name in modules if name in absent and isinstance(options.get(name), dict)):
        text = f"{name} is also declared in this task; keep only one of the two"
        yield OptionError(join(path, "absent_modules"), text)


def identifier_errors(
    options: Mapping[str, Any], name: str, prefix: str, check_mode: bool, path: str = ""
) -> OptionErrors:
    return id_errors(options.get(name), KINDS[prefix], join(path, name), check_mode)


def id_errors(identifier: Any, kind: str, path: str, check_mode: bool) -> OptionErrors:
    """Yield the errors in the ID of an object; `kind` is what it should be the ID of."""
    if isinstance(identifier, str):
        wrong = list(identifiers.id_errors(identifier, kind, path, is_addressed=True))
        yield from wrong or path_errors(identifier, path)
        yield from placeholder_errors(identifier, path, check_mode)


def path_errors(identifier: str, path: str) -> OptionErrors:
    for problem in segment_problems(identifier):
        yield OptionError(path, problem)


def emptied_set(options: Mapping[str, Any], name: str, kind: Object) -> dict[str, str]:
    """Return the kind of the objects that a task declares in one list, with the reason why it may not purge them all.

    The cause of an empty list may be a variable that was never set.
    """
    if options[name] or options["allow_empty"]:
        return {}
    return {kind.name: f"{name}: the list is empty, so purging would delete everything"}


def how_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the task says about the plans of all objects that can have secrets and restrictions."""
    return {"resend_secrets": options["update_secrets"] == "always", "allow_empty": options["allow_empty"]}


def limits_of(options: Mapping[str, Any], emptied: Mapping[str, str]) -> Limits:
    """Return what the task allows a plan to do; `emptied` are kinds of which it declares only empty lists."""
    is_judged = options.get("reject_findings") is not None
    rejected, demanded = rejected_kinds(options), requirements_of(options)
    most, expected = options["max_deletions"], options["expect_plan"]
    return Limits(most, expected, is_judged, emptied, rejected_openings=rejected, demanded=demanded)


def openings_errors(options: Mapping[str, Any]) -> OptionErrors:
    given = options.get("reject_openings", False)
    found = _openings(given)
    if given == []:
        yield OptionError("reject_openings", f"is empty; {UNSET_VARIABLE}")
    elif found is None:
        expected = f"expected true, false, or a list of {enumerated(list(OPENING_KINDS), 'and')}"
        yield OptionError("reject_openings", f"{expected}, got {kind_of(given)}; {UNSET_VARIABLE}")
    for number, one in enumerate(found or ()):
        yield from choice_errors(one, OPENING_KINDS, f"reject_openings[{number}]")


def rejected_kinds(options: Mapping[str, Any]) -> frozenset[str]:
    """Return the kinds of openings that a task rejects. The option has no errors."""
    return frozenset(map(str, _openings(options.get("reject_openings", False)) or ()))


def _openings(given: Any) -> list[Any] | None:
    """Return the kinds that the option names, None if it is neither a boolean nor a list."""
    word = str(given).strip().lower()
    if word in (*_TRUE, *_FALSE):
        return [one for one in OPENING_KINDS if one != NEW] if word in _TRUE else []
    if isinstance(given, str):
        return [one.strip() for one in given.split(",")] if word else None
    return given if isinstance(given, list) else None


def limit_errors(options: Mapping[str, Any]) -> OptionErrors:
    yield from range_errors(options, "max_deletions", 0)
    yield from openings_errors(options)
    yield from digest_errors(options.get("expect_plan"), "expect_plan")
    yield from range_errors(options, "concurrency", 1, _MOST_CONCURRENCY)


def range_errors(options: Mapping[str, Any], name: str, least: int, most: int | None = None) -> OptionErrors:
    value = options.get(name)
    if isinstance(value, int) and (value < least or (most is not None and value > most)):
        allowed = f"a number from {least} to {most}" if most else f"{least} or more"
        yield OptionError(name, f"{value} is out of range; expected {allowed}")


def duplicate_errors(keys: Sequence[tuple[str, ...]], path: str) -> OptionErrors:
    """Yield an error for each member of a list with the same key as an earlier one."""
    first: dict[tuple[str, ...], int] = {}
    for number, key in enumerate(keys):
        if any(key) and first.setdefault(key, number) != number:
            text = f"{' '.join(key)} is already declared in {path}[{first[key]}]; remove one of them"
            yield OptionError(f"{path}[{number}]", text)


def requirement_errors(options: Mapping[str, Any]) -> OptionErrors:
    """Yield the errors in requirements that nothing could meet, or that are about nothing."""
    for where, one in with_paths(options.get("requirements"), "requirements"):
        for name in ("hosts", "paths", "needs"):
            if isinstance(one.get(name), list) and not one[name]:
                yield OptionError(f"{where}.{name}", f"is empty; {UNSET_VARIABLE}")
        for place, host in with_paths(one.get("hosts"), f"{where}.hosts"):
            if isinstance(host, str) and not _HOST.fullmatch(host):
                expected = "expected a host name without a port, `*.` and a host name, or `*`"
                yield OptionError(place, f"{quoted(host)} is not a host; {expected}")
        for place, prefix in with_paths(one.get("paths"), f"{where}.paths"):
            if isinstance(prefix, str) and not _PATH.fullmatch(prefix):
                expected = "expected the beginning of a path, such as '/admin', without wildcards, queries, and dots"
                yield OptionError(place, f"{quoted(prefix)} is not a path; {expected}")
        if CLOSED in list_of(one.get("needs")) and len(one["needs"]) > 1:
            text = f"{CLOSED} means that nobody may get through, so no other class can be enough; remove one of them"
            yield OptionError(f"{where}.needs", text)
        if isinstance(one.get("reason"), str) and not one["reason"].strip():
            yield OptionError(f"{where}.reason", f"is empty; {UNSET_VARIABLE}")


def requirements_of(options: Mapping[str, Any]) -> list[Any]:
    """Return the requirements of a task, whose options have no errors."""
    if not options.get("requirements"):
        return []
    # Few tasks have any, and Ansible compiles whatever is imported, for each playbook.
    from .._access.requirements import Requirement  # noqa: PLC0415

    return [Requirement.of(one) for one in options.get("requirements") or ()]


def without_effect(options: Sequence[str]) -> list[str]:
    return [f"{one} is not the host of anything that was read; check its spelling." for one in options]
