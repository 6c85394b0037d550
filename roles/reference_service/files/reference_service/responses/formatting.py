# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses: stored objects in the format that the switches select."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from pydantic import BaseModel

from ..models import modules
from ..models.collections_table import PlainCollection
from ..models.objects import NewRoute, modules_of
from ..store import Document, Stored
from ..switches import Switches
from ..values.fields import References, Shape, model_in
from ..values.formats import ascii_form
from .altered_responses import listed, text
from .chosen_values import chosen_by_service, service_side

_MISSING = object()
_STARS = "********"
_SECONDS = ("tripped_duration", "rolling_window", "inactivity_timeout", "maximum_duration", "auth_check_interval")
_EXTRA = {"internal_revision": 7}
_FORMS: dict[str, Callable[[str], str]] = {
    "kept": str,
    "lower": str.lower,
    "upper": str.upper,
    "punycode": ascii_form,
    "canonical": lambda name: "-".join(part.capitalize() for part in name.split("-")),
}
"""What switches do with letter case."""


@dataclass(frozen=True)
class _Field:
    name: str
    shape: Shape | References
    default: Any
    nested: type[BaseModel] | None


@functools.cache
def _fields(model: type[BaseModel]) -> tuple[_Field, ...]:
    fields = []
    for name, info in model.model_fields.items():
        if name in modules_of(model):
            continue
        shape = next(each for each in info.metadata if isinstance(each, (Shape, References)))
        fields.append(_Field(name, shape, info.get_default(call_default_factory=True), model_in(info.annotation)))
    return tuple(fields)


class Responses:
    """The format of the responses to one request. `origin` is the scheme and host in the URL of the request."""

    def __init__(self, switches: Switches, origin: str, base_path: str) -> None:
        self._switches = switches
        self._origin = origin
        self.base_path = base_path
        header_name = _FORMS[switches.header_names]
        self._by_shape: dict[Shape, Callable[[Any], Any]] = {
            Shape.VALUE: self._value,
            Shape.NESTED: self._value,
            Shape.TEXT: self._text,
            Shape.SECRET: self._secret,
            Shape.SET: self._set,
            Shape.HOSTPORTS: lambda items: self._set([*map(_FORMS[switches.hostports], items or ())]),
            Shape.HEADER_NAMES: lambda items: self._set([*map(header_name, items or ())]),
            Shape.HEADERS: lambda items: self._empty({header_name(each): items[each] for each in items or ()}),
            Shape.HIDDEN: lambda _value: _MISSING,
        }

    def uri(self, path: str) -> str:
        return f"{self._origin}{self.base_path}{path}"

    # Objects

    def tunnel(self, stored: Stored) -> Document:
        """Return a tunnel without fields that are empty or do not apply (API reference, section 2.1)."""
        found = {"id": stored.id, **stored.document}
        for name, collection in (("tunnel_session", "tunnel_sessions"), ("endpoint", "endpoints")):
            if found.get(name):
                found[name] = self._ref(collection, found[name]["id"], found[name].get("uri"))
        refs = [self._ref("backends", each["id"], each.get("uri")) for each in found.get("backends", [])]
        found["backends"] = self._refs(refs)
        return self._object({name: value for name, value in found.items() if value not in (None, "", [], {}, _MISSING)})

    def https_edge(self, of: PlainCollection, stored: Stored, routes: Sequence[Stored]) -> Document:
        return self._object({**self.plain(of, stored), "routes": self._set([self.route(each) for each in routes])})

    def route(self, stored: Stored) -> Document:
        found = self._fields_and_modules(NewRoute, stored, f"edges/https/{stored.parent}/routes", edge_id=stored.parent)
        if self._switches.policy_name == "both":
            found["traffic_policy"] = found["policy"]
        if self._switches.policy_name == "value":
            found["traffic_policy"] = self._written(found.pop("policy"))
        return self._object(found)

    def _written(self, policy: Document | None) -> Document | None:
        """Return a traffic policy whose rules are JSON in a string."""
        if not policy:
            return policy
        rules = {name: value for name, value in policy.items() if name in ("inbound", "outbound")}
        others = {name: value for name, value in policy.items() if name not in rules}
        return {**others, "value": orjson.dumps(rules).decode()}

    def event_subscription(self, of: PlainCollection, stored: Stored) -> Document:
        sources = self._set([self.event_source(stored.id, each) for each in stored.document["sources"]])
        return self._object({**self.plain(of, stored), "sources": sources})

    def plain(self, of: PlainCollection, stored: Stored, token: str | None = None) -> Document:
        """Return an object whose response has the fields of its request, and what the service itself chooses."""
        return self._object({**self._fields_and_modules(of.new, stored, of.path), **chosen_by_service(stored, token)})

    def _fields_and_modules(self, model: type[BaseModel], stored: Stored, path: str, **more: Any) -> Document:
        held = stored.document
        found = {"id": stored.id, "uri": self.uri(f"/{path}/{stored.id}"), "created_at": stored.created_at, **more}
        found |= self._fields_of(model, held)
        unset: Document | None = {} if self._switches.unset_module == "empty_object" else None
        for name, module in modules_of(model).items():
            found[name] = self.module(module, held[name], stored.id) if name in held else unset
        return found

    def event_source(self, subscription_id: str, event_type: str) -> Document:
        uri = self.uri(f"/event_subscriptions/{subscription_id}/sources/{event_type}")
        return self._object({"type": event_type, "uri": uri})

    def listing(self, name: str, items: list[Document], **uris: str | None) -> Document:
        """Return a page of a list. The API reference shows the tunnels and event sources in lists as a whole."""
        if name not in ("tunnels", "sources"):
            items = [listed(self._switches, each) for each in items]
        members = items or {"empty": [], "null": None, "missing": _MISSING}[self._switches.empty_pages]
        return self._object({name: members, **uris})

    # Modules

    def module(self, model: type[modules.Module], document: Document, owner_id: str) -> Document:
        if model is modules.TLSTerminationAtEdge:
            model = modules.TLSTermination
        response = self._fields_of(model, document)
        if model is modules.TLSTermination and document.get("terminate_at") == "upstream":
            response["min_version"] = _MISSING if self._switches.empty_text == "missing" else None
        if model is modules.SAML:
            response |= service_side(self.uri(f"/saml/{owner_id}"))
        return self._object(response)

    def _fields_of(self, model: type[BaseModel], document: Document) -> Document:
        response: Document = {}
        for field in _fields(model):
            value = text(self._switches, field.name, self._kept(model, field.name, document.get(field.name)))
            if value is None and self._is_filled(model, field.name):
                value = field.default
            value = self._spelled(model, field.name, value)
            name = field.shape.response_name if isinstance(field.shape, References) else field.name
            response[name] = self._shaped(field, value)
            if value is None and model is modules.OAuthProvider and self._switches.unused_providers != "null":
                response[name] = self._object({}) if self._switches.unused_providers == "empty_object" else _MISSING
        if issubclass(model, modules.OAuthApp) and self._switches.provider_content == "left_out":
            return {name: value for name, value in response.items() if value not in (None, "", [], {})}
        return response

    def _kept(self, model: type[BaseModel], name: str, value: Any) -> Any:
        """Return a stored value, or None if the service treats it as omitted."""
        can_be_default = name in ("cookie_prefix", "nameid_format") or model is modules.CircuitBreaker
        is_default = self._switches.empty_is_default and can_be_default and name != "enabled" and not value
        return None if is_default else value

    def _spelled(self, model: type[BaseModel], name: str, value: Any) -> Any:
        if name in _SECONDS and self._switches.durations == "text" and value is not None:
            minutes, seconds = divmod(value, 60)
            return f"{minutes}m{seconds}s" if minutes else f"{seconds}s"
        change = _FORMS[self._switches.letter_case]
        if model is modules.WebhookVerification and name == "provider":
            return change(value)
        return [change(each) for each in value or []] if name in ("email_addresses", "email_domains") else value

    def _is_filled(self, model: type[BaseModel], name: str) -> bool:
        """Return whether the service fills in a field that was not set.

        `enabled` is true by convention. Only the user agent filter documents no default for it.
        """
        is_prefix = name == "cookie_prefix" and model is not modules.OAuth
        if is_prefix and self._switches.cookie_prefix == "filled_for_oauth":
            return False
        return self._switches.defaults == "filled" or (name == "enabled" and model is not modules.UserAgentFilter)

    def _shaped(self, field: _Field, value: Any) -> Any:
        if field.shape is Shape.AS_SENT:
            return self._empty(value or field.default)
        if isinstance(field.shape, References):
            return self._references(field.shape, value)
        if field.shape is Shape.ONE_OR_MANY:
            return self._one_or_many(field, value)
        if field.shape is Shape.NESTED and value is not None:
            return self._nested(field, value)
        return self._by_shape[field.shape](value)

    def _nested(self, field: _Field, value: Document) -> Document:
        assert field.nested is not None
        return self._object(self._fields_of(field.nested, value))

    def _one_or_many(self, field: _Field, value: Any) -> Any:
        if isinstance(value, list):
            return self._empty([self._nested(field, each) for each in value])
        if self._switches.policy_rules == "lists":
            return self._empty([] if value is None else [self._nested(field, value)])
        return self._value(None) if value is None else self._nested(field, value)

    # Values

    def _object(self, fields: Document) -> Document:
        kept = {name: value for name, value in fields.items() if value is not _MISSING}
        return kept | _EXTRA if self._switches.extra_keys else kept

    def _text(self, value: str | None) -> Any:
        return value or {"empty": "", "null": None, "missing": _MISSING}[self._switches.empty_text]

    def _secret(self, value: str | None) -> Any:
        if not value:
            return self._text(value)
        return {"echoed": value, "redacted": _STARS, "emptied": "", "left_out": _MISSING}[self._switches.secrets]

    def _value(self, value: Any) -> Any:
        if value is not None:
            return value
        return _MISSING if self._switches.defaults == "omitted" and self._switches.unset_values == "missing" else None

    def _empty(self, value: Any) -> Any:
        return value or {"empty": value, "null": None, "missing": _MISSING}[self._switches.empty_lists]

    def _set(self, items: Sequence[Any] | None) -> Any:
        items = list(items or [])
        return self._empty(items[::-1] if self._switches.lists == "reordered" else items)

    def _references(self, kind: References, value: Any) -> Any:
        if kind.many:
            return self._refs([self._ref(kind.collection, each) for each in value or []])
        return self._ref(kind.collection, value) if value else self._value(None)

    def _refs(self, refs: list[Any]) -> Any:
        if self._switches.references == "single":
            return refs[0] if refs else self._empty(None)
        return self._set(refs)

    def _ref(self, collection: str, identifier: str, uri: str | None = None) -> Any:
        if self._switches.references == "ids":
            return identifier
        return self._object({"id": identifier, "uri": uri or self.uri(f"/{collection}/{identifier}")})
