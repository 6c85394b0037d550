# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants of requests that some services accept, converted to the strict format before validation."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from .fields import model_in
from .modules import OAuthProvider
from .objects import RouteFields
from .switches import Switches


def strict_form(model: type[BaseModel], body: Any, switches: Switches) -> Any:
    """Return the body of a request without the values that the switches treat as omitted."""
    if switches.constant_fields == "ignored" and isinstance(body, dict):
        body = {name: value for name, value in body.items() if name not in getattr(model, "constant", ())}
    if switches.unknown_fields == "ignored":
        body = _without_unknown(model, body)
    if switches.null_members != "refused":
        body = _without_nulls(model, body, only_providers=switches.null_members == "providers")
    if switches.empty_match == "ignored" and model is RouteFields:
        body = _without_empty(body, ("match_type", "match"))
    if switches.cleared_text == "ignored":
        body = _without_empty(body, ("description", "metadata"))
    return body


def _without_unknown(model: type[BaseModel], value: Any) -> Any:
    """Remove what the objects of a request do not have. Maps with keys of the user stay as they are."""
    if isinstance(value, list):
        return [_without_unknown(model, each) for each in value]
    if not isinstance(value, dict):
        return value
    types = {name: model_in(field.annotation) for name, field in model.model_fields.items()}
    known = {name: member for name, member in value.items() if name in types}
    return {
        name: _without_unknown(nested, member) if (nested := types[name]) else member for name, member in known.items()
    }


def _without_nulls(model: type[BaseModel], value: Any, *, only_providers: bool) -> Any:
    """Remove nulls from the objects of the API reference. Maps with keys of the user keep their nulls."""
    if isinstance(value, list):
        return [_without_nulls(model, each, only_providers=only_providers) for each in value]
    if not isinstance(value, dict):
        return value
    dropped = model is OAuthProvider or not only_providers
    kept: dict[str, Any] = {}
    for name, member in value.items():
        field = model.model_fields.get(name)
        if field is not None and member is None and dropped:
            continue
        nested = model_in(field.annotation) if field is not None else None
        kept[name] = _without_nulls(nested, member, only_providers=only_providers) if nested else member
    return kept


def _without_empty(body: Any, names: tuple[str, ...]) -> Any:
    if not isinstance(body, dict):
        return body
    return {name: value for name, value in body.items() if name not in names or value != ""}
