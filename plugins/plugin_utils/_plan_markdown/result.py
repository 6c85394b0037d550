# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of tasks that have a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...module_utils._planning.plan_document import RESULTS
from ...module_utils._values.option_error import OptionError, OptionErrors, dictionary_of, list_of
from ...module_utils._values.option_wording import kind_of
from .._plan_facts import summary_line
from .._visible_text import as_text, visible

Members = Sequence[Mapping[str, Any]]

_EXPECTED = (
    "expected the result of edgeops.ingress.estate, https_edge_routes, or event_sources, "
    "or a dictionary with such results as its values"
)
WITHOUT_DIGEST = "There is no digest, because an object could not be planned."

_COUNTED = (*RESULTS.values(), "unchanged", "failed")


class Result:
    """What the document needs of a task's result. `message` is empty if the task has not failed.

    `unlisted` is the number of undeclared objects that the result only counts, and `secrets` that of secrets that were
    not compared.
    """

    def __init__(self, value: Mapping[str, Any], prefix: str) -> None:
        """Raises ValueError, with this prefix, if the result has no plan, or something else that nobody expects."""
        if not isinstance(value.get("plan"), list):
            raise ValueError(f"{prefix}{_without_plan(value)}")
        self.plan, self.undeclared, self.not_examined, self.failures = (
            _members(value, key, prefix) for key in ("plan", "undeclared", "not_examined", "failures")
        )
        for number, entry in enumerate(self.plan):
            _check_entry(entry, f"{prefix}plan[{number}]")
        self.unlisted = unlisted(value)
        self.digest, self.expected_digest = (as_text(value.get(key)) for key in ("plan_digest", "expected_plan_digest"))
        hidden: Any = value.get("secrets_not_compared")
        self.secrets = int(hidden) if _is_count(hidden) else 0
        self.has_failed = bool(value.get("failed") or value.get("failures"))
        self.message = as_text(value.get("msg")) if self.has_failed else ""
        self._summary = dictionary_of(value.get("summary"))

    @property
    def undeclared_count(self) -> int:
        return len(self.undeclared) + self.unlisted

    @property
    def counts(self) -> Mapping[str, int]:
        """How many objects have each result, as in the summary, or else as the plan says."""
        found = {state: self._summary[state] for state in _COUNTED if _is_count(self._summary.get(state))}
        counts = found or Counter(RESULTS[str(entry["action"])] for entry in self.plan)
        return {state: counts[state] for state in _COUNTED if counts.get(state)}

    @property
    def line(self) -> str:
        return summary_line(self.counts, self.plan, self.undeclared_count, self.secrets, is_planned=True)


def results_of(value: Any) -> Iterator[tuple[str | None, Result]]:
    """Yield the result, or each result of a dictionary with its name. Raises ValueError if one has no plan."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{_EXPECTED}, got {kind_of(value)}")
    # An account can have any name, even that of a return value. No result has only dictionaries as values.
    if value and all(isinstance(one, Mapping) for one in value.values()):
        for name, one in value.items():
            yield name, Result(one, f"{visible(name)}: ")
    else:
        yield None, Result(value, "")


def check_integer(given: Any, name: str, least: int, where: str = "") -> None:
    """Raise ValueError if an option is not an integer, or too small."""
    if not _is_count(given) or given < least:
        got = given if _is_count(given) else kind_of(given)
        raise ValueError(f"{name}: expected an integer, at least {least}{where}, got {got}")


def _without_plan(value: Mapping[str, Any]) -> str:
    if "results" in value:
        return f"{_EXPECTED}, got the result of a loop; use the members of its `results`"
    if value.get("failed"):
        return f"{_EXPECTED}, got the result of a task that failed before it had a plan; fix the failure first"
    if value.get("skipped"):
        return f"{_EXPECTED}, got the result of a task that was skipped"
    return f"{_EXPECTED}, got a dictionary without a list `plan`"


def list_errors(value: Any, path: str) -> OptionErrors:
    """Yield what keeps a value from being a list of dictionaries."""
    if not isinstance(value, list):
        yield OptionError(path, f"expected a list of dictionaries, got {kind_of(value)}")
    for number, member in enumerate(list_of(value)):
        if not isinstance(member, Mapping):
            yield OptionError(f"{path}[{number}]", f"expected a dictionary, got {kind_of(member)}")


def _members(value: Mapping[str, Any], key: str, prefix: str) -> Members:
    members: Any = value.get(key)
    for error in () if members is None else list_errors(members, f"{prefix}{key}"):
        raise ValueError(str(error))
    return members or []


def _check_entry(entry: Mapping[str, Any], path: str) -> None:
    if entry.get("action") not in list(RESULTS):
        raise ValueError(f"{path}.action: expected one of {', '.join(RESULTS)}")
    changes = entry.get("changes") or []
    if not isinstance(changes, list):
        raise ValueError(f"{path}.changes: expected a list, got {kind_of(changes)}")
    for number, change in enumerate(changes):
        if not isinstance(change, str):
            raise ValueError(f"{path}.changes[{number}]: expected a string, got {kind_of(change)}")
    _members(entry, "operations", f"{path}.")
    given_up = entry.get("gives_up") or {}
    if not isinstance(given_up, Mapping) or not all(isinstance(names, list) for names in given_up.values()):
        raise ValueError(f"{path}.gives_up: expected a dictionary of lists, got {kind_of(given_up)}")


def unlisted(value: Mapping[str, Any]) -> int:
    """Return how many undeclared objects a result counts and does not list."""
    total: int = sum(filter(_is_count, dictionary_of(value.get("undeclared_counts")).values()))
    return max(0, total - len(list_of(value.get("undeclared"))))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
