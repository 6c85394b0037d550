# SPDX-License-Identifier: GPL-3.0-or-later
"""Switches, which imitate differences between services. The first value of each is the default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class Switches(BaseModel):
    """All switches. They change which requests are accepted and how responses look, but not what is stored."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    operations: Literal["all", "documented"] = "all"
    missing_operation: Literal[404, 405, 501] = 404
    unset_module: Literal["null", "empty_object", "no_content", "not_found"] = "null"
    delete_unset_module: Literal[204, 404] = 204
    secrets: Literal["echoed", "redacted", "emptied", "left_out"] = "echoed"
    lists: Literal["kept", "reordered"] = "kept"
    empty_lists: Literal["empty", "null", "missing"] = "empty"
    empty_pages: Literal["empty", "null", "missing"] = "empty"
    list_members: Literal["whole", "without_routes", "short_routes", "without_parts", "without_texts", "id_and_uri"] = (
        "whole"
    )
    empty_text: Literal["empty", "null", "missing"] = "empty"
    metadata: Literal["kept", "trimmed", "rewritten"] = "kept"
    changed_identity: Literal["none", "metadata", "addresses"] = "none"
    header_names: Literal["kept", "lower", "canonical"] = "kept"
    hostports: Literal["kept", "lower", "punycode"] = "kept"
    defaults: Literal["filled", "omitted"] = "filled"
    unset_values: Literal["null", "missing"] = "null"
    unused_providers: Literal["null", "empty_object", "missing"] = "null"
    provider_content: Literal["filled", "left_out"] = "filled"
    cookie_prefix: Literal["filled", "filled_for_oauth"] = "filled"
    extra_keys: bool = False
    references: Literal["list", "single", "ids"] = "list"
    unknown_references: Literal["in_edges", "refused", "accepted"] = "in_edges"
    deletion_in_use: Literal[409, 400] = 409
    one_auth_module: bool = False
    one_login_per_edge: Literal[False, True, "enabled"] = False
    patch_forgets_text: bool = False
    patch_empties: Literal["backends", "nothing", "everything"] = "backends"
    constant_fields: Literal["refused", "ignored"] = "refused"
    unknown_fields: Literal["refused", "ignored"] = "refused"
    unreserved_hostports: Literal["accepted", "refused"] = "accepted"
    empty_match: Literal["refused", "ignored"] = "refused"
    cleared_text: Literal["accepted", "ignored"] = "accepted"
    null_members: Literal["refused", "providers", "accepted"] = "refused"
    source_patch_without_body: bool = False
    match_unique: Literal["with_type", "alone"] = "with_type"
    next_page: Literal["absolute", "relative"] = "absolute"
    sources_uri: Literal["own", "null", "next_page"] = "own"
    page_size: Annotated[int, Field(ge=1, le=100)] = 100
    overlapping_pages: bool = False
    rejection_status: Literal[401, 403] = 401
    rejection_quotes_key: bool = False
    error_quotes_request: Literal["none", "json", "escaped", "urlencoded"] = "none"
    policy_rules: Literal["as_sent", "lists"] = "as_sent"
    policy_name: Literal["policy", "traffic_policy", "both", "value"] = "policy"
    letter_case: Literal["kept", "lower", "upper"] = "kept"
    empty_is_default: bool = False
    durations: Literal["numbers", "text"] = "numbers"
    account: Literal["normal", "read_only", "edges_off"] = "normal"
    rejected_creations: Literal["none", "edges", "routes", "sources", "objects", "all"] = "none"
    creation_rejection: Annotated[int, Field(ge=400, le=499)] = 400
    unknown_event_types: Literal["refused", "accepted"] = "refused"
    rate_limit: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    retry_after: Literal["seconds", "none", "date"] = "seconds"
    response_delay_ms: Annotated[int, Field(ge=0, le=600_000)] = 0
    slow_creations_ms: Annotated[int, Field(ge=0, le=600_000)] = 0
    slow_releases: Annotated[int, Field(ge=0, le=1000)] = 0


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
