# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan as a document: what people read before they decide, and the digest by which they approve it. Pure."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

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


OPTIONS: dict[str, Any] = {
    "undeclared": {"type": "str", "choices": ["counts", "names", "declarations", "none"], "default": "counts"},
    "unchanged": {"type": "str", "choices": ["names", "states"], "default": "names"},
}
"""How much the result contains of what does not change."""


def plan_document(plans: Sequence[Plan], remainders: Sequence[Remainder], masks: Masks, how: str) -> dict[str, Any]:
    """Return what a task would do, and what it leaves, as the result contains it: in check mode as in a real run.

    The digest is empty if an object could not be planned: nobody can approve what is not known. `masks` are those of
    the secrets of the task, `how` is the value of the option `undeclared`.
    """
    active = [plan for plan in plans if plan.operations and not plan.error]
    entries = [_entry(plan) for plan in active]
    return {
        "plan": entries,
        "plan_digest": "" if any(plan.error for plan in plans) else _digest(active, entries, masks),
        **undeclared_objects(remainders, how),
        "not_examined": [one.shown() for one in remainders if isinstance(one, NotExamined)],
    }


def undeclared_objects(remainders: Sequence[Remainder], how: str) -> dict[str, Any]:
    """Return what the document says about undeclared objects. More of them may be known after the execution."""
    if how == "none":
        return {}
    found = [one for one in remainders if isinstance(one, Undeclared)]
    listed = found[:_FIRST_UNDECLARED] if how == "counts" else found
    return {
        "undeclared": [one.shown(with_declaration=how == "declarations") for one in listed],
        "undeclared_counts": dict(Counter(one.kind for one in found)),
    }


def _entry(plan: Plan) -> dict[str, Any]:
    before, after = plan.shown
    # What nothing took before must not be all that is listed.
    opens = sorted(plan.opens, key=lambda one: OPENING_KINDS.index(one.kind))[:_MOST_OPENINGS]
    given_up: dict[str, list[str]] = {}
    for field, name in sorted({one for operation in plan.operations for one in operation.gives_up}):
        given_up.setdefault(field, []).append(name)
    return {
        "object": plan.subject,
        "kind": plan.kind.name,
        "action": plan.action,
        "opens": [one.shown() for one in opens],
        "opens_count": len(plan.opens),
        "gives_up": given_up,
        "changes": [path for path in plan.changes if path],  # an empty path stands for the whole object
        "operations": [operation.shown() for operation in plan.operations],
        "before": before,
        "after": after,
    }


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
        expected = f"the `plan_digest` of an earlier run, which consists of {_DIGITS} characters from 0 to 9 and a to f"
        yield OptionError(path, f"not a digest; expected {expected}; {UNSET_VARIABLE}")
