# SPDX-License-Identifier: GPL-3.0-or-later
"""The types of the fields of objects.

Each type combines what a request can contain (a pydantic constraint) with the format of the value in a response (a
`Shape`, which `responses/formatting.py` reads). The default of a field is the value that the service fills in.
"""

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeVar, get_args

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
from pydantic_core import CoreSchema

from .formats import Hostport, ascii_form
from .rejection_codes import Code
from .rejections import invalid_value


class Shape(enum.Enum):
    """The format of a stored value in a response."""

    VALUE = enum.auto()
    TEXT = enum.auto()
    SECRET = enum.auto()
    SET = enum.auto()
    HOSTPORTS = enum.auto()
    HEADER_NAMES = enum.auto()
    HEADERS = enum.auto()
    AS_SENT = enum.auto()
    NESTED = enum.auto()
    ONE_OR_MANY = enum.auto()
    HIDDEN = enum.auto()


@dataclass(frozen=True)
class References:
    """IDs that responses contain as Ref objects, under another name. `collection` is the beginning of their path.

    After `Shape.AS_SENT`, responses contain what was sent.
    """

    response_name: str
    collection: str
    many: bool = True


class Strict(BaseModel):
    """An object in a request. Unknown fields are rejected, and no value is converted.

    What is `constant` is a field of creations, but not of this update.
    """

    constant: ClassVar[frozenset[str]] = frozenset()
    model_config = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True)


def model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the model of the objects in a field, alone or in a list, or None if it contains no objects."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for each in get_args(annotation) if (found := model_in(each))), None)


def _at_most_bytes(limit: int) -> AfterValidator:

    def check(value: str) -> str:
        size = len(value.encode())
        if size > limit:
            raise invalid_value(Code.TOO_LONG, f"must have at most {limit} bytes in UTF-8, but has {size}")
        return value

    return AfterValidator(check)


def unique_by(key: Callable[[Any], str]) -> AfterValidator:
    """Return the constraint that no two members have the same key."""

    def check(value: Any) -> Any:
        seen: set[str] = set()
        for item in value:
            if key(item) in seen:
                name = item if isinstance(item, str) else key(item)
                words = f"must contain unique values, but contains {name!r} more than once"
                raise invalid_value(Code.NOT_UNIQUE, words)
            seen.add(key(item))
        return value

    return AfterValidator(check)


_UNIQUE: Any = Field(json_schema_extra={"uniqueItems": True}, default_factory=list)

NonEmpty = Annotated[str, Field(min_length=1)]
Text = Annotated[str, Shape.TEXT]
Secret = Annotated[str, Shape.SECRET]
Boolean = Annotated[bool, Shape.VALUE]
Uint32 = Annotated[int, Field(ge=0, le=2**32 - 1), Shape.VALUE]
StringSet = Annotated[list[str], unique_by(str), _UNIQUE, Shape.SET]
Hostports = Annotated[list[Hostport], unique_by(ascii_form), _UNIQUE, Shape.HOSTPORTS]
HeaderNames = Annotated[list[NonEmpty], unique_by(str.lower), _UNIQUE, Shape.HEADER_NAMES]
Headers = Annotated[dict[NonEmpty, str], unique_by(str.lower), Field(default_factory=dict), Shape.HEADERS]
Expressions = Annotated[list[str], Field(default_factory=list), Shape.AS_SENT]
Labels = Annotated[dict[NonEmpty, str], Field(default_factory=dict), Shape.AS_SENT]
FreeMap = Annotated[dict[str, Any], Field(default_factory=dict), Shape.AS_SENT]
# The limits are in bytes of UTF-8. JSON Schema counts characters, so its maxLength is only an approximation.
Description = Annotated[str, _at_most_bytes(255), Field(json_schema_extra={"maxLength": 255}), Shape.TEXT]
Metadata = Annotated[str, _at_most_bytes(4096), Field(json_schema_extra={"maxLength": 4096}), Shape.TEXT]
AuthorityIDs = Annotated[
    list[NonEmpty], unique_by(str), _UNIQUE, References("certificate_authorities", "certificate_authorities")
]
IPPolicyIDs = Annotated[
    list[Annotated[str, Field(pattern="^ipp_.")]], unique_by(str), _UNIQUE, References("ip_policies", "ip_policies")
]


class _NullInResponsesOnly:
    """Removes null from the JSON Schema of requests. Responses contain null for unset values."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        found = handler(schema)
        kept = [each for each in found.get("anyOf", []) if each != {"type": "null"}]
        if handler.mode != "validation" or not kept:
            return found
        return kept[0] if len(kept) == 1 else {**found, "anyOf": kept}


def _no_null(value: Any) -> Any:
    if value is None:
        raise invalid_value(Code.NULL, "must not be null; omit it instead")
    return value


T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


def _one_or_many(value: Any) -> str:
    return "many" if isinstance(value, list) else "one"


OneOrMany = Annotated[Annotated[M, Tag("one")] | Annotated[list[M], Tag("many")], Discriminator(_one_or_many)]
Omittable = Annotated[T | None, BeforeValidator(_no_null), _NullInResponsesOnly()]
