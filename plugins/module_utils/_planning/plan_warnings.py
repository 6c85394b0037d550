# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan warns about: what the service may accept, and hardly anybody wants. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from .._model.identity_providers import IdentityProviders, unrestricted
from .._model.kinds import Mark, Text
from .._model.objects import Object
from .._model.option_wording import did_you_mean, quoted
from .._model.protection import is_enabled, protecting_modules, protections
from .._model.secret import Secret
from .plan import Plan, State


def doubtful_match(plan: Plan) -> Iterator[str]:
    """Yield a warning for a route that gets a match that no path begins with."""
    match = (plan.after or {}).get("match")
    is_new = plan.before is None or "match" in plan.changes
    if is_new and isinstance(match, str) and match and not match.startswith("/"):
        yield f"{plan.subject}: `match` has no leading slash, but every path begins with one. Did you mean /{match}?"


def several_logins(plan: Plan) -> Iterator[str]:
    """Yield a warning for an object that gets several exclusive modules."""
    before, after = ([*protections(plan.kind, state)] for state in (plan.before, plan.after))
    enabled = [name for name in plan.kind.exclusive if name in after]
    if len(enabled) > 1 and not set(enabled) <= set(before):
        names = " and ".join(enabled)
        yield f"{plan.subject}: {names} are enabled. Some services allow only one of them on a {plan.kind.noun}."


def login_for_everyone(plan: Plan) -> Iterator[str]:
    """Yield a warning for a new login that admits everyone who has an account at a public identity provider."""
    before, after = protections(plan.kind, plan.before), protections(plan.kind, plan.after)
    for name, module in protecting_modules(plan.kind).items():
        # A login that replaces another one is part of what may let more requests through.
        if name not in after or "login" in before.values() or not {"network", "certificate"}.isdisjoint(after.values()):
            continue
        state = (plan.after or {})[name]
        kinds = {f.name: f.kind for f in module.fields if isinstance(f.kind, IdentityProviders) and state[f.name]}
        for field, kind in kinds.items():
            for provider in unrestricted(kind, state[field]):
                option = f"{name}.{field}.{provider}"
                yield (
                    f"{plan.subject}: `{option}` lists nobody, so everyone with an account at {provider} can log in. "
                    f"List those who may, for example in `{option}.email_domains`."
                )


def closed_warnings(plan: Plan) -> Iterator[str]:
    """Yield a warning for an object that gets an exclusive module and stays closed, maybe by an interrupted task."""
    module, noun = plan.kind.closed_by, plan.kind.noun
    if plan.before is None or plan.after is None or plan.desired is None or plan.desired.get(module) is not Mark.KEEP:
        return
    is_closed = plan.before[module] is not None and not is_enabled(plan.before[module])
    if is_closed and _has_exclusive(plan.kind, plan.after) and not _has_exclusive(plan.kind, plan.before):
        yield (
            f"{plan.subject}: `{module}` is disabled and not declared, so the {noun} stays closed. If an interrupted "
            f"task closed it, declare `{module}` with `enabled: true` to reopen it."
        )


def _has_exclusive(kind: Object, state: State) -> bool:
    return not protections(kind, state).keys().isdisjoint(kind.exclusive)


def login_without_secret(plan: Plan) -> Iterator[str]:
    """Yield a warning for each new login without its secret, as in a saved configuration, which contains no secrets."""
    before, after = protections(plan.kind, plan.before), protections(plan.kind, plan.after)
    for name, module in protecting_modules(plan.kind).items():
        state = (plan.after or {}).get(name) or {}
        for secret in (f.name for f in module.fields if isinstance(f.kind, Secret)):
            if after.get(name) == "login" and name not in before and not state.get(secret):
                yield (
                    f"{plan.subject}: `{name}.{secret}` is omitted, so the new login has no secret, and works "
                    "only with a provider that needs none."
                )


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
