# SPDX-License-Identifier: GPL-3.0-or-later
"""Variants of requests that some services accept, converted to the strict format before validation."""

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
    empty = ["description", "metadata"] if switches.cleared_text == "ignored" else []
    if switches.empty_match == "ignored" and model is RouteFields:
        empty += ["match_type", "match"]
    kept: dict[str, Any] = _kept(model, body, switches)
    return {name: value for name, value in kept.items() if name not in empty or value != ""}


def _kept(model: type[BaseModel], value: Any, switches: Switches) -> Any:
    """Return a value without some members of its objects. Maps with keys of the user stay as they are."""
    if isinstance(value, list):
        return [_kept(model, each, switches) for each in value]
    if not isinstance(value, dict):
        return value
    kept: dict[str, Any] = {}
    for name, member in value.items():
        field = model.model_fields.get(name)
        nested = model_in(field.annotation) if field else None
        if not _is_omitted(model, name, member, switches):
            kept[name] = _kept(nested, member, switches) if nested else member
    return kept


def _is_omitted(owner: type[BaseModel], name: str, value: Any, switches: Switches) -> bool:
    if name not in owner.model_fields:
        return switches.unknown_fields == "ignored"
    accepting = ("providers", "accepted") if issubclass(owner, OAuthProvider) else ("accepted",)
    return value is None and switches.null_members in accepting
