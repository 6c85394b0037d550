# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that are almost known ones, where nobody knows all that the service accepts. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .._model.kinds import Text
from .._model.objects import Object
from .._model.option_wording import did_you_mean, quoted
from .plan import Plan, State


def near_misses(plan: Plan) -> Iterator[str]:
    """Yield a warning for each new value that differs by one letter from known ones, and is not one of them."""
    if plan.after is not None:
        for path, problem in _of_object(plan.kind, plan.before, plan.after, ""):
            yield f"{plan.subject}: {path}: {problem} The service decides whether it accepts the value."


def _of_object(kind: Object, before: State | None, after: State, path: str) -> Iterator[tuple[str, str]]:
    prefix = f"{path}." if path else ""
    for f in kind.fields:
        where, value, old = prefix + f.name, after.get(f.name), (before or {}).get(f.name)
        if isinstance(f.kind, Object) and value is not None:
            yield from _of_object(f.kind, old, value, where)
        elif isinstance(f.kind, Text) and f.kind.known and value and value != old:
            text = str(value).lower()
            near = [one for one in f.kind.known if _differ_by_one_letter(text, one)]
            if near and text not in f.kind.known:
                yield where, f"{quoted(value)} is not a known value{did_you_mean(near)}"


def _differ_by_one_letter(one: str, other: str) -> bool:
    """Return whether one letter is missing, added, or another one, or two neighbors have changed places."""
    same = next((place for place, pair in enumerate(zip(one, other)) if len(set(pair)) > 1), min(len(one), len(other)))
    rest, wanted = one[same:], other[same:]
    return (
        rest[1:] == wanted
        or rest == wanted[1:]
        or rest[1:] == wanted[1:]
        or (rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:])
    )
