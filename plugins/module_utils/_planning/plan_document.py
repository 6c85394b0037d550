# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan as a document: what people read before they decide, and the digest by which they approve it. Pure.

Two options say how much the result contains of what does not change.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .._errors import UNSET_VARIABLE
from .._model.masking import Masks
from .._values.option_error import OptionError, OptionErrors
from .plan import OPENING_KINDS, Plan
from .undeclared import NotExamined, Remainder, Undeclared

_DIGITS = 32
"""Of the hexadecimal digest: 128 bits, so that nobody can prepare two plans with the same one."""

_DIGEST = re.compile(rf"[0-9a-f]{{{_DIGITS}}}")
RESULTS = {"create": "created", "update": "updated", "delete": "deleted"}
"""What a task has done with an object, by the action of its plan."""

_FIRST_UNDECLARED = 20
"""So many undeclared objects are listed if the task does not request more. What is left is only counted."""

_MOST_OPENINGS = 20
"""Of one entry, which says how many there are. The digest is about all of them."""


@dataclass(frozen=True)
class PlanDocument:
    """What a task would do, and what it leaves. The same in check mode and in a real run.

    `digest` is empty if an object could not be planned: nobody can approve what is not known.
    """

    entries: Sequence[Mapping[str, Any]]
    undeclared: Sequence[Undeclared]
    not_examined: Sequence[NotExamined]
    digest: str
    detail: Detail

    def after(self, spared: Sequence[Undeclared]) -> PlanDocument:
        """Return the document of an executed plan, which spared some of the objects that it purges."""
        return replace(self, undeclared=[*self.undeclared, *spared])

    def result(self) -> dict[str, Any]:
        how = self.detail.undeclared
        listed = self.undeclared[:_FIRST_UNDECLARED] if how == "counts" else self.undeclared
        undeclared = {
            "undeclared": [one.shown(with_declaration=how == "declarations") for one in listed],
            "undeclared_counts": dict(Counter(one.kind for one in self.undeclared)),
        }
        return {
            "plan": list(self.entries),
            "plan_digest": self.digest,
            **({} if how == "none" else undeclared),
            "not_examined": [one.shown() for one in self.not_examined],
        }


def plan_document(plans: Sequence[Plan], remainders: Sequence[Remainder], masks: Masks, detail: Detail) -> PlanDocument:
    """Return the document of the plans. `masks` are those of the secrets of the task."""
    active = [plan for plan in plans if plan.operations and not plan.error]
    entries = [_entry(plan) for plan in active]
    is_known = not any(plan.error for plan in plans)
    return PlanDocument(
        entries,
        [one for one in remainders if isinstance(one, Undeclared)],
        [one for one in remainders if isinstance(one, NotExamined)],
        _digest(active, entries, masks) if is_known else "",
        detail,
    )


def _entry(plan: Plan) -> dict[str, Any]:
    before, after = plan.shown
    # What nothing took before must not be all that is listed.
    opens = sorted(plan.opens, key=lambda one: OPENING_KINDS.index(one.kind))[:_MOST_OPENINGS]
    return {
        "object": plan.subject,
        "kind": plan.kind.name,
        "action": plan.action,
        "opens": [one.shown() for one in opens],
        "opens_count": len(plan.opens),
        "gives_up": _given_up(plan),
        "changes": [path for path in plan.changes if path],  # an empty path stands for the whole object
        "operations": [operation.shown() for operation in plan.operations],
        "before": before,
        "after": after,
    }


def _given_up(plan: Plan) -> dict[str, list[str]]:
    """Return the names that nobody else takes, by the field that contains them."""
    names = sorted({name for operation in plan.operations for name in operation.gives_up})
    return {field: [value for each, value in names if each == field] for field in dict.fromkeys(n[0] for n in names)}


def _digest(plans: Sequence[Plan], entries: Sequence[Mapping[str, Any]], masks: Masks) -> str:
    """Return the digest of a plan: the same for the same changes, in whatever order their objects are declared.

    The reasons of operations take no part in it: they only say in words what the rest says. What belongs to a new
    object is part of that object: it has no ID yet, and another one may look the same.
    """
    new = {plan.key for plan in plans if plan.before is None}
    groups: dict[Hashable, list[str]] = defaultdict(list)
    for plan, entry in zip(plans, entries):
        whole = plan.target.parent if plan.target.parent in new else plan.key
        requests = [(operation.method, operation.path) for operation in plan.operations]
        facts = {**entry, "changes": sorted(entry["changes"]), "operations": requests, "opens": sorted(plan.opens)}
        # Who knows the rest of a plan could otherwise try out what a secret is.
        groups[whole].append(json.dumps(masks.value(facts), sort_keys=True, ensure_ascii=False))
    canonical = sorted("\t".join(sorted(group)) for group in groups.values())
    return hashlib.sha256("\n".join(canonical).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def digest_errors(given: Any, path: str) -> OptionErrors:
    """Yield the error in an expected digest: with an empty one, any plan would be executed."""
    if isinstance(given, str) and not _DIGEST.fullmatch(given):
        # The value is not displayed: it may be a misplaced secret, of which only a part would not be masked.
        yield OptionError(
            path,
            f"not a digest; expected the `plan_digest` of an earlier run, which consists of {_DIGITS} "
            f"characters from 0 to 9 and a to f; {UNSET_VARIABLE}",
        )


OPTIONS: dict[str, Any] = {
    "undeclared": {"type": "str", "choices": ["counts", "names", "declarations", "none"], "default": "counts"},
    "unchanged": {"type": "str", "choices": ["names", "states"], "default": "names"},
}


class Detail(NamedTuple):
    """The values of these options."""

    undeclared: str
    unchanged: str


ALL = Detail(undeclared="declarations", unchanged="states")
