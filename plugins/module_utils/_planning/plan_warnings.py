# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan warns about: what the service may accept, and hardly anybody wants. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .._model.identity_providers import IdentityProviders, unrestricted
from .._model.named_strings import Secret
from .._model.objects import Object
from .._model.protection import is_enabled, protecting_modules, protections
from .._values.kinds import Mark, Text
from .._values.option_wording import did_you_mean, quoted, similar_names
from .plan import NEW, Plan, State

_MOST_OPENINGS = 3
"""In a warning. The plan lists more of them."""

Protections = Mapping[str, str]

_IN_NO_PATH = re.compile(r"[\x00-\x20\x7f?#]").search
_BEGINS_WITH_HOST = re.compile(r"\*|\[|[^/]+:\d|\d+(?:\.\d+){3}(?:/|$)|[^./][^/]*\.[^\W\d][\w-]*\.?(?:/|$)").match
"""Returns whether a match is probably a host, or begins with one, as the API reference allows in section 2.3."""


def warnings_of(plan: Plan, *, is_predicted: bool) -> list[str]:
    """Return the warnings about a plan with operations. If it was executed, the service has shown what it accepts."""
    before, after = protections(plan.kind, plan.before), protections(plan.kind, plan.after)
    found = [*_opened(plan), *_doubtful_match(plan), *_near_misses(plan.kind, plan.before, plan.after)]
    if before != after:
        found += _closed(plan, before, after)
        found += _login_without_secret(plan, before, after)
        found += _login_for_everyone(plan, before, after)
        found += _several_logins(plan, before, after) if is_predicted else ()
    return [f"{plan.subject}: {text}" for text in found]


def _opened(plan: Plan) -> Iterator[str]:
    if found := [f"{one.request}: {one.text}" for one in plan.opens if one.kind != NEW]:
        more = [f"and {len(found) - _MOST_OPENINGS} more"] if len(found) > _MOST_OPENINGS else []
        yield f"this change may let more requests through: {'; '.join([*found[:_MOST_OPENINGS], *more])}."


def _closed(plan: Plan, before: Protections, after: Protections) -> Iterator[str]:
    """Yield a warning for an object that gets an exclusive module and stays closed, maybe by an interrupted task."""
    module, exclusive = plan.kind.closed_by, plan.kind.exclusive
    if plan.before is None or plan.after is None or plan.desired is None or plan.desired.get(module) is not Mark.KEEP:
        return
    is_closed = plan.before[module] is not None and not is_enabled(plan.before[module])
    if is_closed and not set(exclusive).isdisjoint(after.keys() - before.keys()):
        yield (
            f"`{module}` is disabled and not declared, so the {plan.kind.noun} stays closed. If an interrupted task "
            f"closed it, declare `{module}` with `enabled: true` to reopen it."
        )


def _doubtful_match(plan: Plan) -> Iterator[str]:
    match = (plan.after or {}).get("match")
    is_new = plan.before is None or "match" in plan.changes
    if is_new and match and (found := _IN_NO_PATH(match)):
        yield f"`match` contains {found[0]!a}, which no path contains, so it may match no request."
    elif is_new and match and not match.startswith("/") and not _BEGINS_WITH_HOST(match):
        yield f"`match` has no leading slash, but every path begins with one. Did you mean /{match}?"


def _login_without_secret(plan: Plan, before: Protections, after: Protections) -> Iterator[str]:
    """Yield a warning for each new login without its secret, as in a saved configuration, which contains no secrets."""
    new = [name for name, protection in after.items() if protection == "login" and name not in before]
    for name, module in protecting_modules(plan.kind).items() if new else ():
        for secret in (f.name for f in module.fields if isinstance(f.kind, Secret)):
            if name in new and not ((plan.after or {})[name] or {}).get(secret):
                yield (
                    f"`{name}.{secret}` is omitted, so the new login has no secret, and works only with a provider "
                    "that needs none."
                )


def _login_for_everyone(plan: Plan, before: Protections, after: Protections) -> Iterator[str]:
    """Yield a warning for a new login that admits everyone who has an account at a public identity provider."""
    # A login that replaces another one is part of what may let more requests through.
    if not after or "login" in before.values() or not {"network", "certificate"}.isdisjoint(after.values()):
        return
    for name, module in protecting_modules(plan.kind).items():
        state = (plan.after or {})[name] if name in after else {}
        for f in module.fields if state else ():
            if isinstance(f.kind, IdentityProviders) and state[f.name]:
                for provider in unrestricted(f.kind, state[f.name]):
                    option = f"{name}.{f.name}.{provider}"
                    yield (
                        f"`{option}` lists nobody, so everyone with an account at {provider} can log in. List those "
                        f"who may, for example in `{option}.email_domains`."
                    )


def _several_logins(plan: Plan, before: Protections, after: Protections) -> Iterator[str]:
    enabled = [name for name in plan.kind.exclusive if name in after]
    if len(enabled) > 1 and not set(enabled) <= set(before):
        yield f"{' and '.join(enabled)} are enabled. Some services allow only one of them on a {plan.kind.noun}."


def _near_misses(kind: Object, before: State | None, after: State | None, path: str = "") -> Iterator[str]:
    """Yield a warning for each new value that is similar to a known one, and is none of them."""
    prefix = f"{path}." if path else ""
    for f in kind.fields if after is not None else ():
        where, value, old = prefix + f.name, (after or {}).get(f.name), (before or {}).get(f.name)
        if isinstance(f.kind, Object):
            yield from _near_misses(f.kind, old, value, where)
        elif isinstance(f.kind, Text) and f.kind.known and value and value != old:
            near = similar_names(value, f.kind.known)
            if near and value.lower() not in f.kind.known:
                problem = f"{quoted(value)} is not a known value{did_you_mean(near)}"
                yield f"{where}: {problem} The service decides whether it accepts the value."
