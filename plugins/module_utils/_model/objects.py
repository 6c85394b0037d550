# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields in their objects: a resource, a module on it, an identity provider in that. The same rules hold at any depth.

The normal form of an object is a dictionary of its fields' normal forms, or None if it is not set. The desired state
has the same form, with Mark.KEEP for everything that is not declared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from .._errors import UNSET_VARIABLE, Contradiction, UnexpectedType
from .._values.kinds import Body, Given, Kind, Mark, Normal, Wire
from .._values.option_error import OptionError, OptionErrors, join
from .._values.option_wording import kind_of
from .field import Field
from .named_strings import Secret


@dataclass(frozen=True)
class Object(Kind):
    """A set of fields that belong together.

    A `resource` keeps the fields that are not declared. Everything else is declared as a whole, because the service
    replaces it as a whole. A `module` can be unset: the service returns null or an empty object. As the option's value,
    an empty dictionary declares it with its defaults. `protects` is the kind of protection of a module that has one.

    Some services accept only one of the `exclusive` modules at a time, on one object or among the objects of the same
    parent. The object is `closed_by` the module without which it serves nothing: disabling that module closes it. Each
    PATCH contains the fields that are `always_sent`, and those of `cleared_by_some` that are declared: some services
    clear these if a PATCH omits them. `noun` is what messages call the object, `name` is that of the
    Ansible module that manages one.
    """

    fields: tuple[Field, ...] = ()
    noun: str = "object"
    name: str = ""
    resource: bool = False
    module: bool = False
    protects: str = ""
    exclusive: tuple[str, ...] = ()
    closed_by: str = ""
    always_sent: tuple[str, ...] = ()
    cleared_by_some: tuple[str, ...] = ()
    named: Mapping[str, Field] = field(init=False, compare=False, repr=False, default_factory=dict)
    declarable: tuple[Field, ...] = field(init=False, compare=False, repr=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "named", {f.name: f for f in self.fields})
        object.__setattr__(self, "declarable", tuple(f for f in self.fields if not f.read_only))

    def with_values(self, _replaced: Callable[[Any], Any]) -> Object:
        """Return the same kind with other values, if it depends on any that are declared."""
        return self

    def argument(self) -> dict[str, Any]:
        return {"type": "dict", "options": self.options()}

    def options(self) -> dict[str, Any]:
        return {f.name: f.kind.argument() for f in self.declarable}

    def option_errors(self, given: Given, path: str) -> OptionErrors:
        if not isinstance(given, dict):
            return
        yield from self.value_errors(given, path)
        if self.module and given.get("enabled") is not False:
            yield from self._omission_errors(given, path)

    def value_errors(self, given: Mapping[str, Any], path: str) -> OptionErrors:
        secret = {f.name for f in self.declarable if isinstance(f.kind, Secret)}  # if empty, an error of its own
        for f in self.declarable:
            value = given.get(f.name)
            if value is None:
                continue
            where = join(path, f.name)
            yield from f.kind.option_errors(value, where)
            unset = [n for n in f.needs if value and (given.get(n) is None or (n not in secret and not given[n]))]
            if unset:
                advice = UNSET_VARIABLE if secret.issuperset(unset) else f"remove {f.name}"
                them = "it" if len(unset) == 1 else "them"
                text = f"requires {' and '.join(unset)}; set {them} as well, or {advice}"
                yield OptionError(where, text, tuple(join(path, name) for name in unset))
            if value and f.forbidden_when and f.is_forbidden({}, given):
                name, forbidding = f.forbidden_when
                yield OptionError(where, f"not allowed if `{name}` is `{forbidding}`; remove one of the two")

    def _omission_errors(self, given: Mapping[str, Any], path: str) -> OptionErrors:
        """Yield what is missing in an enabled traffic module, regardless of its current settings.

        Ansible drops an option whose value is omitted, so a variable that is not set leaves a module without content.
        """
        content = [f for f in self.declarable if f.default is None]
        required = [f for f in content if f.required]
        cleared = [join(path, f.name) for f in content if f.clears_when_omitted]
        for f in required:
            if given.get(f.name) is not None and _is_empty(given[f.name]):
                yield OptionError(join(path, f.name), f"must not be empty; {UNSET_VARIABLE}", (join(path, "enabled"),))
        if any(value is not None for name, value in given.items() if name != "enabled"):
            return
        all_paths = tuple(join(path, f.name) for f in self.declarable)
        if required and (cleared or _is_empty(given)):
            for f in required:
                yield OptionError(join(path, f.name), f"required; set it, or {UNSET_VARIABLE}", all_paths)
        elif cleared:
            empty = {kind_of(f.kind.empty).removeprefix("a ") for f in content if f.clears_when_omitted}
            allowed = " or ".join(sorted(empty, reverse=True))
            them = "it" if len(cleared) == 1 else "one of them"
            text = f"required (an empty {allowed} is allowed); set {them}, or {UNSET_VARIABLE}"
            yield OptionError(cleared[0], text, all_paths, or_paths=tuple(cleared[1:]))

    def read(self, wire: Wire, path: str) -> Normal:
        if wire is None:
            return None
        if not isinstance(wire, dict):
            raise UnexpectedType(path, "an object", wire)
        try:
            return self._state_in(wire)
        except UnexpectedType as error:
            raise error.within(path) from None

    def _state_in(self, wire: Mapping[str, Any]) -> Normal:
        state = {f.name: _read(f, wire) for f in self.fields}
        if self.module and all(state[f.name] in (f.kind.empty, Mark.UNKNOWN) for f in self.fields):
            return None
        for f in self.fields:
            if isinstance(f.kind, Secret) and not all(state[name] for name in f.needs):
                state[f.name] = ""
            if f.default is not None and state[f.name] == f.kind.empty:
                state[f.name] = f.default
        return state

    def normal(self, given: Given) -> Normal:
        return {f.name: self._desired(f, given) for f in self.declarable}

    def _desired(self, f: Field, given: Mapping[str, Any]) -> Normal:
        value = given.get(f.name)
        if value is not None:
            return f.kind.normal(value)
        if f.default is not None:
            return f.default
        if f.forbidden_when and f.is_forbidden({}, given):
            return f.kind.empty
        is_cleared = f.clears_when_omitted and not self.resource and not self._is_only_disabled(given)
        return f.kind.empty if is_cleared else Mark.KEEP

    def _is_only_disabled(self, given: Mapping[str, Any]) -> bool:
        """Return whether a module is only declared as disabled, which keeps its other settings."""
        declared = [f.name for f in self.declarable if given.get(f.name) is not None]
        return self.module and declared == ["enabled"] and given["enabled"] is False

    def body(self, given: Given, current: Normal, path: str) -> Body:
        """Return the declared values, the stated defaults, and the current values that the service has chosen."""
        self._check_required(given, current, path)
        body: dict[str, Any] = {}
        known = current or {}
        for f in self.declarable:
            value, present = given.get(f.name), known.get(f.name, f.kind.empty)
            is_exempt = f.required_unless and value is None and f.is_exempt(known, given)
            if is_exempt or (f.forbidden_when and f.is_forbidden(known, given)):
                continue
            if value is not None:
                body[f.name] = f.kind.body(value, present, join(path, f.name))
            elif f.default is not None:
                body[f.name] = f.default
            elif self._desired(f, given) is Mark.KEEP:
                body[f.name] = f.kind.resend(present, join(path, f.name))
        return _without_none(body)

    def _check_required(self, given: Mapping[str, Any], current: Normal, path: str) -> None:
        enables = self.module and given.get("enabled") is not False and not (current and current["enabled"])
        missing = [
            join(path, f.name)
            for f in self.declarable
            if given.get(f.name) is None
            and (current is None or (f.required and _is_empty(current[f.name])))
            and (enables if f.required else f.required_unless and not f.is_exempt({}, given))
        ]
        if missing:
            they_have, them = ("it has", "it") if len(missing) == 1 else ("they have", "them")
            raise Contradiction(
                f"{' and '.join(missing)}: required, because {they_have} no current value; set {them}, or "
                f"{UNSET_VARIABLE}."
            )

    def resend(self, current: Normal, path: str) -> Body:
        if current is None:
            return None
        return _without_none({f.name: f.kind.resend(current[f.name], join(path, f.name)) for f in self.declarable})

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        if desired is None or current is None:
            return [] if current is desired else [path]
        return [
            join(path, where)
            for f in self.declarable
            if desired[f.name] is not Mark.KEEP
            for where in f.kind.differs(current[f.name], desired[f.name], f.name, resend_secrets)
        ]

    def same(self, current: Normal, desired: Normal) -> bool:
        return not self.differs(current, desired, "", resend_secrets=False)

    def predict(self, current: Normal, desired: Normal) -> Normal:
        if desired is None:
            return None
        return {f.name: _predict(f, current, desired) for f in self.fields}

    def completed(self, predicted: Normal, desired: Normal) -> Normal:
        if predicted is None or desired is None or desired is Mark.KEEP:
            return predicted
        complete = {f.name: f.kind.completed(predicted[f.name], desired[f.name]) for f in self.declarable}
        return {**predicted, **complete}

    def replaced(self, current: Normal, names: Collection[str]) -> Normal:
        """Return the current state with all that is lost if these fields are replaced."""
        return current

    def sent(self, state: Normal, names: Collection[str]) -> Normal:
        """Return the state after a request with these fields, with what it drops inside of them."""
        return state

    def judged(self, value: Normal) -> Given:
        """Return what is shown of a state, without what a request has dropped: that decides who gets in."""
        return self.shown(value)

    def reconcile(self, response: Normal, predicted: Normal) -> Normal:
        if response is None or predicted is None or response == predicted:
            return response
        return {
            f.name: response[f.name] or predicted[f.name]
            if f.read_only
            else f.kind.reconcile(response[f.name], predicted[f.name])
            for f in self.fields
        }

    def chosen(self, state: Mapping[str, Any], name: str) -> Any:
        """Return a value that the service has chosen for a new object, such as its ID."""
        return state.get(name)

    def at_risk(self, current: Normal, body: Mapping[str, Any]) -> list[str]:
        """Return the fields that an update with this body may empty, because it lacks them."""
        return [name for name in self.cleared_by_some if name not in body and current[name]]

    def emptied(self, current: Normal, state: Normal, body: Mapping[str, Any]) -> list[str]:
        """Return the fields that an update with this body has emptied, although it lacks them."""
        names = self.at_risk(current, body)
        # If only some of them are empty, somebody else has removed those.
        return [] if any(state[name] for name in names) else names

    def created_secrets(self, state: Normal) -> tuple[list[str], list[str]]:
        """Return the secrets of a new object that its result does not show, and those that it should show and lacks."""
        return [], []

    def shown(self, value: Normal) -> Given:
        if value is None:
            return None
        return {f.name: value[f.name] if f.is_shown_as_it_is else f.kind.shown(value[f.name]) for f in self.fields}

    def check_against(self, current: Normal, given: Given) -> None:
        """Raise Contradiction for declared values that the current values forbid."""
        for f in self.declarable:
            if f.forbidden_when and given.get(f.name) and f.is_forbidden(current or {}, given):
                name, value = f.forbidden_when
                why = f"because `{name}` is currently `{value}`; also set `{name}` to another value"
                raise Contradiction(f"{f.name}: not allowed, {why}")


def _is_empty(value: Any) -> bool:
    # Ansible sets all omitted suboptions to None.
    return value is None or value == "" or (isinstance(value, dict) and all(one is None for one in value.values()))


def _read(f: Field, wire: Mapping[str, Any]) -> Normal:
    """Return the first value among the names of a field: services may return it under several names at a time."""
    state = f.missing
    for name in f.names_in_responses:
        value = wire.get(name)
        if value is not None:
            state = value if f.is_text and isinstance(value, str) else f.kind.read(value, f.name)
            if state != f.kind.empty:
                break
    return state


def _predict(f: Field, current: Mapping[str, Any] | None, whole: Mapping[str, Any]) -> Normal:
    before = f.kind.empty if current is None else current[f.name]
    desired = Mark.KEEP if f.read_only else whole[f.name]
    if desired is Mark.KEEP:
        # A change that makes an undeclared field pointless does not send it.
        lapses = f.required_unless and f.is_exempt({}, whole) and not f.is_exempt({}, current or {})
        return f.kind.empty if lapses else before
    predict = f.kind.predict(before, desired)
    # If there was no value, a declared false or 0 is a change, although it equals no value.
    return desired if current is None and predict == f.kind.empty else predict


def _without_none(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}
