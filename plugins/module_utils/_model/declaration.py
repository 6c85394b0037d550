# SPDX-License-Identifier: GPL-3.0-or-later
"""States as declarations: without options that are empty, and without fields that only the service writes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .._values.json_strings import rewritten
from .._values.kinds import MASK
from .._values.option_error import join
from .named_secrets import masked
from .named_strings import Secret
from .objects import Object
from .references import parts as parts_of
from .traffic_rules import has_other_rules

State = dict[str, Any]

NEW_SECRET = f"{MASK} (a new value)"


def declaration(kind: Object, state: Any, *, with_secrets: bool = True) -> State | None:
    """Return the options that declare `state`, None if it is not set. Secrets are masked.

    Without secrets, the declaration keeps the current ones. If another option requires a secret, the mask stands for it
    in any case, which has the same meaning.
    """
    if state is None:
        return None
    options: dict[str, Any] = {}
    for f in (f for f in kind.declarable if with_secrets or f.needs or not isinstance(f.kind, Secret)):
        if isinstance(f.kind, Object):
            value: Any = declaration(f.kind, state[f.name], with_secrets=with_secrets)
            is_declared = value is not None and (value != {} or f.clears_when_omitted)
        else:
            value = state[f.name] if f.is_shown_as_it_is else f.kind.shown(state[f.name])
            is_declared = value not in (None, "", [], {})
        if is_declared:
            options[f.name] = value
    shown = (f for f in kind.declarable if f.name in options)
    if kind.module and all(f.default is not None or isinstance(f.kind, Secret) for f in shown):
        # A traffic module without content must say so. If omitted, the content could have been forgotten.
        options |= {f.name: f.kind.shown(f.kind.empty) for f in kind.declarable if f.clears_when_omitted}
    return options


def _with_new_secrets(value: Any, changes: Collection[str], path: str = "") -> Any:
    """Return a value for display, in which the masks at the changed paths say that the secrets are new."""
    if isinstance(value, dict):
        prefix = f"{path}." if path else ""
        return {name: _with_new_secrets(member, changes, f"{prefix}{name}") for name, member in value.items()}
    if isinstance(value, list):
        return [_with_new_secrets(member, changes, f"{path}[{number}]") for number, member in enumerate(value)]
    if value == MASK:
        # A list of strings differs as a whole.
        whole = path.rpartition("[")[0] if path.endswith("]") else path
        return NEW_SECRET if path in changes or whole in changes else value
    is_written = isinstance(value, str) and MASK in value
    return rewritten(value, lambda inner: _with_new_secrets(inner, changes, path)) if is_written else value


def shown_states(kind: Object, before: Any, after: Any, changes: Collection[str]) -> tuple[State | None, State | None]:
    """Return two states as options, without secrets; before a deletion, with all that it deletes.

    The masks after say which secrets are new. In a policy, these are all that look like secrets and are not in the
    policy before; if the two policies differ only in the places of their secrets, all of them count as new.
    """
    old, new = declaration(kind, before), _with_new_secrets(declaration(kind, after), changes)
    if old is not None and after is None:
        for name, part, states in parts_of(kind, before):
            members = (declaration(part, one) or {} for one in states)
            old |= {name: [_with_policy(one, masked(one.get("policy"))) for one in members]} if states else {}
    policy, new_policy = ((state or {}).get("policy") for state in (old, new))
    known = _policy_secrets(policy)

    def mask(path: str, value: Any) -> str:
        return MASK if policy is None or (path, value) in known else NEW_SECRET

    are_alike = policy != new_policy and masked(policy) == masked(new_policy, mask=mask)
    shown = masked(new_policy, mask=(lambda _path, _value: NEW_SECRET) if are_alike else mask)
    return _with_policy(old, masked(policy)), _with_policy(new, shown)


def _with_policy(state: State | None, policy: Any) -> State | None:
    return {**state, "policy": policy} if state and "policy" in state else state


def _policy_secrets(rules: Any) -> set[tuple[str, Any]]:
    found: set[tuple[str, Any]] = set()
    masked(rules, mask=lambda path, value: found.add((path, value)))
    return found


def exported(kind: Object, state: Any, path: str = "") -> tuple[State, list[str]]:
    """Return the declaration of a live object and of those that belong to it, with their IDs and without secrets.

    Policies that may contain secrets are omitted, because a mask in one would be written as it is; so are those with
    rules in another format. The second value lists their paths.
    """
    options = declaration(kind, state, with_secrets=False) or {}
    policy = options.get("policy")
    is_omitted = policy is not None and (_policy_secrets(policy) or has_other_rules(state["policy"]))
    omitted = [join(path, "policy")] if is_omitted else []
    options = {name: value for name, value in options.items() if join(path, name) not in omitted}
    if state.get("id"):
        options = {"id": state["id"], **options}
    for name, part, states in parts_of(kind, state):
        members = [exported(part, one, join(path, f"{name}[{number}]")) for number, one in enumerate(states)]
        options[name] = [member for member, _omitted in members]
        omitted += [where for _member, more in members for where in more]
    return options, omitted
