# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of which the collection knows no fields. What a task declares of one says what is compared. Pure.

The current state of such an object is the response as it looks through the declaration: of dictionaries only the
declared keys, the ID in place of a Ref, and the members of sets in the declared order. So the state before and the
state after have the same form, and a diff shows the differences alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .._values.kinds import MASK, Body, Given, Kind, Normal, Text, Wire
from . import free_form_values as values
from .field import Field
from .free_form_values import Terms
from .named_secrets import masked
from .named_strings import Metadata
from .objects import Object
from .references import reference_names

RESPONSE = ""
"""The name of the field with the whole response. No field of a service has an empty name."""

SENT = " "
"""The name of what a request has sent of fields of which it drops something that the response contains."""

OF_THE_SERVICE = ("id", "uri", "created_at")
_CHANGING = ("_at", "_status")
"""How the names of fields end that services change on their own."""


@dataclass(frozen=True)
class FreeForm(Kind):
    name: str
    terms: Terms

    def normal(self, given: Given) -> Normal:
        return values.normal_form(given, self.name, self.terms)

    def body(self, given: Given, current: Normal, path: str) -> Body:
        return values.to_send(given, current, path, self.terms)

    def differs(self, current: Normal, desired: Normal, path: str, resend_secrets: bool) -> list[str]:
        return list(values.differences(current, desired, self.name, self.terms, resend_secrets))

    def same(self, current: Normal, desired: Normal) -> bool:
        return not self.differs(current, desired, self.name, resend_secrets=False)

    def predict(self, current: Normal, desired: Normal) -> Normal:
        return current if self.same(current, desired) else values.predicted_value(current, desired)

    def completed(self, predicted: Normal, desired: Normal) -> Normal:
        return values.predicted_value(predicted, desired)

    def shown(self, value: Normal) -> Given:
        return masked(value, self.terms.secret, path=self.name)


@dataclass(frozen=True)
class FreeFormObject(Object):
    """An object with the `given` fields, in their normal form. Its result also has all other fields of the service.

    Those of the fields that are `undeclared` are gone if they have no value. If it `serves` traffic, what is inside of
    its fields decides who gets in.
    """

    given: Mapping[str, Any] = field(default_factory=dict)
    undeclared: frozenset[str] = frozenset()
    serves: bool = False
    terms: Terms = field(default_factory=Terms)

    def with_values(self, replaced: Callable[[Any], Any]) -> FreeFormObject:
        return replace(self, given=replaced(self.given))

    def _state_in(self, wire: Mapping[str, Any]) -> Normal:
        return {"id": self.named["id"].kind.read(wire.get("id"), "id"), **self._seen(wire), RESPONSE: wire}

    def shown(self, value: Normal) -> Given:
        if value is None:
            return None
        response = value[RESPONSE] or {}
        seen = self._seen(response)
        changed = {
            f.name: f.kind.shown(value[f.name])
            for f in self.declarable
            if f.name not in response or f.kind.differs(seen[f.name], value[f.name], f.name, resend_secrets=False)
        }
        gone = {name for name in self.undeclared if value[name] is None}
        kept = {**masked(response, self.terms.secret, self.terms.reveal), **changed}
        return {"id": value["id"], **{name: member for name, member in kept.items() if name not in gone}}

    def replaced(self, current: Normal, names: Collection[str]) -> Normal:
        response = current[RESPONSE] or {}
        whole = {name: values.seen_member(response, name, self.given, "", self.terms, whole=True) for name in names}
        return {**current, **whole}

    def sent(self, state: Normal, names: Collection[str]) -> Normal:
        if not self.serves:
            return state
        current = self.replaced(state, names)
        dropping = [name for name in names if _enabled(current[name]) != _enabled(state[name])]
        shown = {name: self.named[name].kind.shown(state[name]) for name in dropping}
        return {**state, SENT: {**state.get(SENT, {}), **shown}}

    def judged(self, value: Normal) -> Given:
        return value and {**self.shown(value), **value.get(SENT, {})}

    def lost_secret(self, current: Normal, body: Mapping[str, Any], *, is_whole: bool) -> str | None:
        """Return the path of a current secret that a request with this body would remove, because it is not declared.

        The request replaces the fields in the body, or if it `is_whole`, all fields.
        """
        response = current[RESPONSE] or {}
        replaced = response if is_whole else {name: response.get(name) for name in body}
        return values.lost_secret(replaced, body, "", self.terms)

    def created_secrets(self, state: Normal) -> tuple[list[str], list[str]]:
        strings = {name: value for name, value in (state[RESPONSE] or {}).items() if isinstance(value, str) and value}
        secret = (name for name in strings if self.terms.is_secret(name) and strings[name] != MASK)
        unseen = [name for name in secret if name not in self.given and name not in self.terms.reveal]
        return unseen, sorted(self.terms.reveal - strings.keys())

    def chosen(self, state: Mapping[str, Any], name: str) -> Any:
        return values.text_at(state.get(RESPONSE), name)

    def at_risk(self, current: Normal, body: Mapping[str, Any]) -> list[str]:
        return [name for name in self.emptied(current, {RESPONSE: {}}, body) if name not in OF_THE_SERVICE]

    def emptied(self, current: Normal, state: Normal, body: Mapping[str, Any]) -> list[str]:
        before, found = current[RESPONSE], state[RESPONSE]
        return [name for name in self.unsent(current, state, body) if values.is_lost(before[name], found.get(name))]

    def unsent(self, current: Normal, state: Normal, body: Mapping[str, Any]) -> list[str]:
        """Return the fields of the response that differ after an update with this body, although it lacks them."""
        known = {other for name in body for other in (name, *reference_names(name))}
        found = state[RESPONSE]
        return [
            name
            for name, value in current[RESPONSE].items()
            if name not in known and not name.endswith(_CHANGING) and found.get(name) != value
        ]

    def _seen(self, wire: Mapping[str, Any]) -> dict[str, Any]:
        return {name: values.seen_member(wire, name, self.given, "", self.terms) for name in self.given}


def _enabled(value: Normal) -> Normal:
    """Return a value with the default of what services add to each traffic module."""
    return {"enabled": True, **value} if isinstance(value, dict) else value


def free_form(
    given: Mapping[str, Any],
    terms: Terms,
    identifying: Collection[str] = (),
    always_sent: Collection[str] = (),
    also: Wire = None,
    serves: bool = False,
) -> FreeFormObject:
    """Return the kind of an object with these declared fields, of which some are identifying, or `always_sent`.

    If the response `also` is given, the object has everything else that it contains as well, to display all of it.
    """
    always_sent = tuple(dict.fromkeys(name for name in always_sent if name in given))
    others = values.undeclared_members(also, given) if isinstance(also, dict) else {}
    undeclared = {name: value for name, value in others.items() if name and name not in OF_THE_SERVICE}
    given = {**given, **undeclared}
    fields = (
        Field(
            name,
            FreeForm(name=name, terms=terms),
            identifies=name in identifying,
            # A single value is not part of a list that may be too short.
            unique=name == terms.unique and isinstance(value, list),
        )
        for name, value in given.items()
    )
    return FreeFormObject(
        noun="object",
        name="object",
        resource=True,
        fields=(Field("id", Text(), read_only=True), *fields, Field(RESPONSE, Kind(), read_only=True)),
        given={name: values.normal_form(value, name, terms) for name, value in given.items()},
        undeclared=frozenset(undeclared),
        serves=serves,
        terms=terms,
        always_sent=always_sent,
    )


def declared_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a body declares, with strings as names. A null field counts as omitted.

    A dictionary or list as metadata is written as JSON, because it is a string in all objects of the API reference. So
    are the rules of a traffic policy, which is a string in endpoints, and a traffic module with a string in edges.
    """
    fields = {str(name): value for name, value in body.items() if value is not None}
    policy = fields.get("traffic_policy")
    if isinstance(policy, dict) and policy.keys() <= {"enabled", "value"}:
        fields["traffic_policy"] = {name: _as_json(value) for name, value in policy.items()}
    elif policy is not None:
        fields["traffic_policy"] = _as_json(policy)
    if "metadata" in fields:
        fields["metadata"] = _as_json(fields["metadata"])
    return fields


def _as_json(value: Any) -> Any:
    return Metadata().normal(value) if isinstance(value, (dict, list)) else value


_OF_SSH_CERTIFICATES = ("principals", "public_key", "ssh_certificate_authority_id", "valid_after", "valid_until")

CONSTANT_FIELDS = {
    "agent_ingresses": ("domain",),
    "api_keys": ("owner_id",),
    "certificate_authorities": ("ca_pem",),
    "credentials": ("owner_id",),
    "endpoints": ("type",),
    "ip_policy_rules": ("action", "ip_policy_id"),
    "ip_restrictions": ("type",),
    "reserved_addrs": ("region",),
    "reserved_domains": ("domain", "region"),
    "ssh_certificate_authorities": ("elliptic_curve", "key_size", "private_key_type"),
    "ssh_credentials": ("owner_id", "public_key"),
    "ssh_host_certificates": _OF_SSH_CERTIFICATES,
    "ssh_user_certificates": ("critical_options", "extensions", *_OF_SSH_CERTIFICATES),
    "tls_certificates": ("certificate_pem", "private_key_pem"),
    "vault_secrets": ("vault_id", "vault_name"),
}


def constant_fields(collection: Any, create_only: Any = None) -> frozenset[str]:
    """Return the paths of fields that never change.

    `create_only` adds paths. An empty list says that every field can change.
    """
    known = () if create_only == [] else CONSTANT_FIELDS.get(collection, ())
    return frozenset({*known, *(create_only or ())})
