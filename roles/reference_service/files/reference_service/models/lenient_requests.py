# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants of requests that some services accept, converted to the strict format before validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from ..switches import Switches
from ..values.fields import model_in
from .modules import OAuthProvider
from .objects import RouteFields


def strict_form(model: type[BaseModel], body: Any, switches: Switches) -> Any:
    """Return the body of a request without the values that the switches treat as omitted."""
    if not isinstance(body, dict):
        return body
    if switches.constant_fields == "ignored":
        body = {name: value for name, value in body.items() if name not in getattr(model, "constant", ())}
    if switches.unknown_fields == "ignored":
        body = _without(lambda owner, name, _value: name not in owner.model_fields, model, body)
    if switches.null_members != "refused":
        owners = OAuthProvider if switches.null_members == "providers" else BaseModel
        body = _without(
            lambda owner, name, value: value is None and name in owner.model_fields and issubclass(owner, owners),
            model,
            body,
        )
    empty: tuple[str, ...] = (
        ("match_type", "match") if switches.empty_match == "ignored" and model is RouteFields else ()
    )
    empty += ("description", "metadata") if switches.cleared_text == "ignored" else ()
    return {name: value for name, value in body.items() if name not in empty or value != ""}


def _without(is_omitted: Callable[[type[BaseModel], str, Any], bool], model: type[BaseModel], value: Any) -> Any:
    """Return a value without some members of its objects. Maps with keys of the user stay as they are."""
    if isinstance(value, list):
        return [_without(is_omitted, model, each) for each in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, Any] = {}
    for name, member in value.items():
        if not is_omitted(model, name, member):
            field = model.model_fields.get(name)
            nested = model_in(field.annotation) if field else None
            kept[name] = _without(is_omitted, nested, member) if nested else member
    return kept
