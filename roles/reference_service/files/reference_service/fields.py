# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of field that the description's objects are made of.

Each kind says two things at once: what a request may hold (a pydantic constraint) and how an answer treats the value
(a `Shape`, read by answers.py). A field's default on a model is the value that the service fills in by itself.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
)
from pydantic_core import CoreSchema, PydanticCustomError

from .hostnames import ascii_form

MAX_UINT32 = 2**32 - 1


class Shape(enum.Enum):
    """How a stored value goes into an answer."""

    VALUE = enum.auto()
    TEXT = enum.auto()
    SECRET = enum.auto()
    SET = enum.auto()
    HOSTPORTS = enum.auto()
    HEADER_NAMES = enum.auto()
    HEADERS = enum.auto()
    IN_ORDER = enum.auto()
    MAP = enum.auto()
    NESTED = enum.auto()
    ONE_OR_MANY = enum.auto()


@dataclass(frozen=True)
class References:
    """The ids of this field are answered as Ref objects, under another name."""

    answer_name: str
    collection: str
    many: bool = True


class Strict(BaseModel):
    """An object in a request: unknown fields are refused, and no value is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The kind of object that a field holds, alone or in a list; None where it holds none."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := model_in(each))), None)


def refuse(code: str, message: str) -> PydanticCustomError:
    """A fault of a value, with the words that the caller will read."""
    return PydanticCustomError(code, "{message}", {"message": message})


def _at_most_bytes(limit: int) -> AfterValidator:

    def check(value: str) -> str:
        size = len(value.encode())
        if size > limit:
            raise refuse("too_long", f"must have at most {limit} bytes in UTF-8, and has {size}")
        return value

    return AfterValidator(check)


def _unique(fold: Callable[[str], str]) -> AfterValidator:
    def check(value: Any) -> Any:
        seen: set[str] = set()
        for item in value:
            if fold(item) in seen:
                raise refuse("not_unique", f"must hold unique values, and holds {item!r} more than once")
            seen.add(fold(item))
        return value

    return AfterValidator(check)


_UNIQUE: Any = Field(json_schema_extra={"uniqueItems": True}, default_factory=list)

Filled = Annotated[str, Field(min_length=1)]
Text = Annotated[str, Shape.TEXT]
Secret = Annotated[str, Shape.SECRET]
Flag = Annotated[bool, Shape.VALUE]
Uint32 = Annotated[int, Field(ge=0, le=MAX_UINT32), Shape.VALUE]
Names = Annotated[list[str], _unique(str), _UNIQUE, Shape.SET]
Hostports = Annotated[list[Filled], _unique(ascii_form), _UNIQUE, Shape.HOSTPORTS]
HeaderNames = Annotated[list[Filled], _unique(str.lower), _UNIQUE, Shape.HEADER_NAMES]
Headers = Annotated[dict[Filled, str], _unique(str.lower), Field(default_factory=dict), Shape.HEADERS]
Expressions = Annotated[list[str], Field(default_factory=list), Shape.IN_ORDER]
FreeMap = Annotated[dict[str, Any], Field(default_factory=dict), Shape.MAP]
# The limits are in bytes of UTF-8. JSON Schema counts characters, so its maxLength is only the nearest it can say.
Description = Annotated[str, _at_most_bytes(255), Field(json_schema_extra={"maxLength": 255}), Shape.TEXT]
Metadata = Annotated[str, _at_most_bytes(4096), Field(json_schema_extra={"maxLength": 4096}), Shape.TEXT]
AuthorityIds = Annotated[
    list[Filled], _unique(str), _UNIQUE, References("certificate_authorities", "certificate_authorities")
]
IPPolicyIds = Annotated[
    list[Annotated[str, Field(pattern="^ipp_.")]], _unique(str), _UNIQUE, References("ip_policies", "ip_policies")
]


class _NullInAnswersOnly:
    """JSON Schema of a request leaves out the null that an answer gives for what is unset."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = handler(schema)
        kept = [each for each in found.get("anyOf", []) if each != {"type": "null"}]
        if handler.mode != "validation" or not kept:
            return found
        return kept[0] if len(kept) == 1 else {**found, "anyOf": kept}


def _no_null(value: Any) -> Any:
    if value is None:
        raise refuse("null_given", "must not be null; leave it out instead")
    return value


T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


def _one_or_many(value: Any) -> str:
    return "many" if isinstance(value, list) else "one"


OneOrMany = Annotated[Annotated[M, Tag("one")] | Annotated[list[M], Tag("many")], Discriminator(_one_or_many)]
MayBeLeftOut = Annotated[T | None, BeforeValidator(_no_null), _NullInAnswersOnly()]
