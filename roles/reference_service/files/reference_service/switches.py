# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches, which imitate differences between services. The first value of each is the default."""

import functools
from collections.abc import Mapping
from textwrap import fill
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

_INDENT = " " * 4


class Switches(BaseModel):
    """All switches. They change which requests are accepted and how responses look, but not what is stored."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)

    operations: Literal["all", "documented"] = "all"
    """Whether the extension operations are supported."""

    missing_operation: Literal[404, 405, 501] = 404
    """The response to an unsupported operation."""

    unset_module: Literal["null", "empty_object", "no_content", "not_found"] = "null"
    """The response to GET for a traffic module that is not set. Inside an edge or a route, `empty_object` is `{}`, and
    the others are null.
    """

    delete_unset_module: Literal[204, 404] = 204
    """The response to DELETE for a traffic module that is not set."""

    secrets: Literal["echoed", "redacted", "emptied", "left_out"] = "echoed"
    """`secret` and `client_secret` in responses. If redacted, they consist of asterisks."""

    lists: Literal["kept", "reordered"] = "kept"
    """Whether lists whose order is ignored, including `routes`, are returned in reverse order."""

    empty_lists: Literal["empty", "null", "missing"] = "empty"
    """Empty lists and maps in objects."""

    empty_pages: Literal["empty", "null", "missing"] = "empty"
    """The list in the response for a collection without objects. If it is missing, the response only contains its
    links.
    """

    list_members: Literal["whole", "without_routes", "short_routes", "without_parts", "without_texts", "id_and_uri"] = (
        "whole"
    )
    """What lists contain of edges and of other objects, except for tunnels and event sources. With `short_routes`, the
    routes consist of `id` and `uri`. `without_parts` omits all lists and objects, `without_texts` the description and
    the metadata.
    """

    empty_text: Literal["empty", "null", "missing"] = "empty"
    """Empty and unset strings."""

    metadata: Literal["kept", "trimmed", "rewritten"] = "kept"
    """Metadata in responses: as sent, without blanks and line breaks at its ends, or with JSON objects written in
    another way.
    """

    changed_identity: Literal["none", "metadata", "addresses"] = "none"
    """Whether responses contain another value than the one that was sent, which finds the object: metadata in upper
    case, or addresses without `:443`.
    """

    header_names: Literal["kept", "lower", "canonical"] = "kept"
    """The names in `add` and `remove`."""

    hostports: Literal["kept", "lower", "punycode"] = "kept"
    """Upper case in hostports. `punycode` also converts names with characters outside ASCII: `Bücher.example:443` is
    returned as `xn--bcher-kva.example:443`.
    """

    defaults: Literal["filled", "omitted"] = "filled"
    """Whether responses contain the defaults of the service."""

    unset_values: Literal["null", "missing"] = "null"
    """Unset numbers, booleans, and objects if defaults are omitted."""

    unused_providers: Literal["null", "empty_object", "missing"] = "null"
    """The identity providers that `oauth` does not use. Null follows `unset_values`."""

    provider_content: Literal["filled", "left_out"] = "filled"
    """Whether a configured provider contains its empty members. With `left_out`, a provider without restrictions is
    `{}`.
    """

    cookie_prefix: Literal["filled", "filled_for_oauth"] = "filled"
    """The default of `cookie_prefix` in `saml` and `oidc`: that of `oauth`, or empty."""

    extra_keys: bool = False
    """Whether every object contains a key that is not in the API reference."""

    references: Literal["list", "single", "ids"] = "list"
    """References to several objects, such as `ip_policies`: all, or only the first one. With `ids`, each reference is
    the ID alone.
    """

    unknown_references: Literal["in_edges", "refused", "accepted"] = "in_edges"
    """Where requests may refer to objects that do not exist: in edges and routes only, nowhere, or everywhere. Does not
    apply to seeds.
    """

    deletion_in_use: Literal[409, 400] = 409
    """The response to DELETE for an object to which another one refers."""

    one_auth_module: bool = False
    """Whether a route can have only one of `oauth`, `oidc`, and `saml`."""

    one_login_per_edge: Literal[False, True, "enabled"] = False
    """Whether only one route of an edge can have one of `oauth`, `oidc`, and `saml`, or only one of them enabled."""

    patch_forgets_text: bool = False
    """Whether a PATCH of a route without the description or metadata clears them."""

    patch_empties: Literal["backends", "nothing", "everything"] = "backends"
    """What a PATCH of a plain object empties if it is not sent: the `backends` of failover and weighted backends,
    nothing, or all fields that can change and are not required.
    """

    constant_fields: Literal["refused", "ignored"] = "refused"
    """Fields of plain objects that never change, in a PATCH."""

    unknown_fields: Literal["refused", "ignored"] = "refused"
    """Fields that the service does not know, in all requests."""

    unreserved_hostports: Literal["accepted", "refused"] = "accepted"
    """Hostports of edges whose domain or address is not reserved. Does not apply to seeds."""

    empty_match: Literal["refused", "ignored"] = "refused"
    """`match` and `match_type` as empty strings in a PATCH of a route. If ignored, they count as omitted."""

    cleared_text: Literal["accepted", "ignored"] = "accepted"
    """`description` and `metadata` as empty strings. If ignored, they count as omitted, so nothing clears them."""

    null_members: Literal["refused", "providers", "accepted"] = "refused"
    """Null for optional members of a request. If accepted, it counts as omitted. With `providers`, this applies only to
    the identity providers of `oauth`, so that a response can be sent back unchanged.
    """

    source_patch_without_body: bool = False
    """Whether the PATCH of an event source is accepted without its empty object."""

    match_unique: Literal["with_type", "alone"] = "with_type"
    """What must be unique on an edge: `match_type` and `match` together, or `match` alone."""

    next_page: Literal["absolute", "relative"] = "absolute"
    """The form of links to the next page."""

    sources_uri: Literal["own", "null", "next_page"] = "own"
    """`uri` of the list of event sources. With `next_page`, the list has pages."""

    page_size: Annotated[int, Field(ge=1, le=100)] = 100
    """The size of a page if `limit` is omitted."""

    overlapping_pages: bool = False
    """Whether each page except the first one begins with the last element of the previous page, as if the list had
    changed in the meantime. Not for pages with one element.
    """

    rejection_status: Literal[401, 403] = 401
    """The response to a missing or wrong API key."""

    rejection_quotes_key: bool = False
    """Whether the message of this response quotes the key."""

    error_quotes_request: Literal["none", "json", "escaped", "urlencoded"] = "none"
    """Whether the message of every error quotes the body of the request: unchanged; in ASCII, as a JSON string; URL-
    encoded.
    """

    policy_rules: Literal["as_sent", "lists"] = "as_sent"
    """Whether a single rule or action is returned as sent, or in a list."""

    policy_name: Literal["policy", "traffic_policy", "both", "value"] = "policy"
    """The name of this traffic module in the paths of extension operations. With `both`, responses contain both names.
    With `value`, the name is `traffic_policy`, and responses contain its rules as JSON in the string `value`.
    """

    letter_case: Literal["kept", "lower", "upper"] = "kept"
    """Email addresses, email domains, and providers of webhooks in responses."""

    empty_is_default: bool = False
    """Whether 0 in a circuit breaker, and an empty `cookie_prefix` or `nameid_format`, count as omitted."""

    durations: Literal["numbers", "text"] = "numbers"
    """Seconds in responses: 90, or `1m30s`."""

    account: Literal["normal", "read_only", "edges_off"] = "normal"
    """Whether writes to edges, or all requests for edges, are rejected with 403."""

    rejected_creations: Literal["none", "edges", "routes", "sources", "objects", "all"] = "none"
    """Which creations (POST) are rejected as over a limit, after the key, the body, and the parent have been checked.
    Does not apply to seeds.
    """

    creation_rejection: Annotated[int, Field(ge=400, le=499)] = 400
    """The status of this rejection."""

    unknown_event_types: Literal["refused", "accepted"] = "refused"
    """Event sources with a type that is not in the event catalog."""

    rate_limit: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """The number of requests per minute before the service returns 429."""

    retry_after: Literal["seconds", "none", "date"] = "seconds"
    """The waiting time in a 429 response."""

    response_delay_ms: Annotated[int, Field(ge=0, le=600_000)] = 0
    """The delay before each response, after the request has been processed."""

    slow_creations_ms: Annotated[int, Field(ge=0, le=600_000)] = 0
    """The delay before each POST is processed. Until then, its object does not exist."""

    slow_releases: Annotated[int, Field(ge=0, le=1000)] = 0
    """How often a hostport that an edge has given up is rejected as taken before another edge gets it."""


def from_values(given: Mapping[str, Any], base: Switches | None = None) -> Switches:
    """Return switches from values. Strings from a command line, such as "true" and "404", are converted.

    Raises ValueError with the names of invalid switches and what they accept.
    """
    values = {} if base is None else base.model_dump(exclude_unset=True)
    values.update({name: _meant(value) for name, value in given.items()})
    try:
        return Switches(**values)
    except ValidationError as error:
        lines = [f"{each['loc'][0]}: {_words(each)}" for each in error.errors()]
        raise ValueError("; ".join(lines)) from None


def _words(error: Mapping[str, Any]) -> str:
    if error["type"] == "extra_forbidden":
        return f"unknown switch; the switches are {', '.join(Switches.model_fields)}"
    return f"{error['msg']} (got {error['input']!r})"


def _meant(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.isascii() and value.isdigit() else value


def switch_list() -> str:
    """Return the name, the values, and the meaning of each switch."""
    filled = functools.partial(fill, width=100, initial_indent=_INDENT, subsequent_indent=_INDENT)
    fields = Switches.model_fields.items()
    return "".join(f"{name}: {_values(field)}\n{filled(field.description or '')}\n" for name, field in fields)


def _values(field: FieldInfo) -> str:
    """Return the accepted values, the default first, as `--switch` accepts them."""
    if field.annotation is int:
        limits = {
            name: getattr(limit, name) for limit in field.metadata for name in ("ge", "le") if hasattr(limit, name)
        }
        return f"{field.default} (from {limits['ge']} to {limits['le']})"
    values = (False, True) if field.annotation is bool else get_args(field.annotation)
    return ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values)
