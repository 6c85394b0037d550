# SPDX-License-Identifier: GPL-3.0-or-later
"""Anything that a user may declare, and the switches of services that accept it, as strategies of hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from reference_fields import EDGE, EDGE_ITSELF, FLAG, ROUTE, ROUTE_ITSELF, TLS_EDGE, a_set, declarations_of, some

AUTH_MODULES = ("oauth", "oidc", "saml")
IP_RESTRICTION = declarations_of(TLS_EDGE["ip_restriction"])
ROUTE_MODULES = {name: declarations_of(fields) for name, fields in ROUTE.items()}
FIELDS_OF_ROUTE, FIELDS_OF_EDGE = declarations_of(ROUTE_ITSELF), declarations_of(EDGE_ITSELF)


@st.composite
def route(draw: st.DrawFn) -> dict[str, Any]:
    """Options of a route, besides its place and its key; of the authentication modules one at the most."""
    modules = draw(st.sets(st.sampled_from(sorted(ROUTE_MODULES)), max_size=4))
    chosen = [name for name in AUTH_MODULES if name in modules][:1]
    options = draw(FIELDS_OF_ROUTE) | {
        name: draw(ROUTE_MODULES[name]) for name in sorted(modules) if name not in AUTH_MODULES or name in chosen
    }
    how_to_remove = draw(st.sampled_from(["keep", "absent_modules", "purge_modules"]))
    others = [name for name in ROUTE_MODULES if name not in options]
    return (
        options
        | {
            # Not more than one may be left, because some services take just one of them.
            "keep": {"absent_modules": [name for name in others if name in AUTH_MODULES]},
            "absent_modules": {"absent_modules": others},
            "purge_modules": {"purge_modules": True},
        }[how_to_remove]
    )


EDGE_MODULES = {name: declarations_of(fields) for name, fields in EDGE.items()}

IN_ANOTHER_SCRIPT = ("bücher.example.com:443", "BÜCHER.example.com:443", "xn--bcher-kva.example.com:443")


@st.composite
def edge(draw: st.DrawFn) -> dict[str, Any]:
    """Options of an HTTPS edge; it keeps one hostport by which it is found."""
    more = draw(a_set("two.example.com:443", "Two.Example.com:443", "three.example.com:8443", *IN_ANOTHER_SCRIPT))
    return (
        draw(FIELDS_OF_EDGE)
        | draw(some(EDGE_MODULES))
        | {"hostports": ["One.example.com:443", *more], "purge_hostports": True, "purge_modules": draw(FLAG)}
    )


def _without_contradictions(termination: dict[str, Any]) -> dict[str, Any]:
    """The options without those that depend on where TLS is terminated, unless it is terminated at the edge."""
    if "terminate_at" not in termination:
        return {}
    excluded = {"min_version"} if termination["terminate_at"] == "upstream" else set()
    return {name: value for name, value in termination.items() if name not in excluded}


TLS_TERMINATION = declarations_of(TLS_EDGE["tls_termination"]).map(_without_contradictions)

LIST_MEMBERS = ["whole", "without_routes", "short_routes", "without_parts", "without_texts", "id_and_uri"]

# What services of any kind do without refusing what is right elsewhere.
SWITCHES = some(
    {
        "unset_module": st.sampled_from(["null", "empty_object", "no_content", "not_found"]),
        "delete_unset_module": st.sampled_from([204, 404]),
        "secrets": st.sampled_from(["echoed", "redacted", "emptied", "left_out"]),
        "lists": st.sampled_from(["kept", "reordered"]),
        "empty_lists": st.sampled_from(["empty", "null", "missing"]),
        "empty_pages": st.sampled_from(["empty", "null"]),
        "list_members": st.sampled_from(LIST_MEMBERS),
        "metadata": st.sampled_from(["kept", "trimmed", "rewritten"]),
        "empty_text": st.sampled_from(["empty", "null", "missing"]),
        "header_names": st.sampled_from(["kept", "lower", "canonical"]),
        "hostports": st.sampled_from(["kept", "lower", "punycode"]),
        "defaults": st.sampled_from(["filled", "omitted"]),
        "unset_values": st.sampled_from(["null", "missing"]),
        "unused_providers": st.sampled_from(["null", "empty_object", "missing"]),
        "provider_content": st.sampled_from(["filled", "left_out"]),
        "cookie_prefix": st.sampled_from(["filled", "filled_for_oauth"]),
        "extra_keys": FLAG,
        "references": st.sampled_from(["list", "single", "ids"]),
        "one_auth_module": FLAG,
        "patch_forgets_text": FLAG,
        # What else an update empties is restored by further requests, which check mode cannot know.
        "patch_empties": st.sampled_from(["backends", "nothing"]),
        "constant_fields": st.sampled_from(["refused", "ignored"]),
        "unknown_fields": st.sampled_from(["refused", "ignored"]),
        "empty_match": st.sampled_from(["refused", "ignored"]),
        "null_members": st.sampled_from(["refused", "providers", "accepted"]),
        "source_patch_without_body": FLAG,
        "match_unique": st.sampled_from(["with_type", "alone"]),
        "next_page": st.sampled_from(["absolute", "relative"]),
        "sources_uri": st.sampled_from(["own", "null", "next_page"]),
        "page_size": st.sampled_from([1, 2, 100]),
        "overlapping_pages": FLAG,
        "policy_rules": st.sampled_from(["as_sent", "lists"]),
        "policy_name": st.sampled_from(["policy", "traffic_policy", "both", "value"]),
        "letter_case": st.sampled_from(["kept", "lower", "upper"]),
        "empty_is_default": FLAG,
        "durations": st.sampled_from(["numbers", "text"]),
        "rejection_quotes_key": FLAG,
        "error_quotes_request": st.sampled_from(["none", "json", "escaped", "urlencoded"]),
        "unknown_event_types": st.sampled_from(["refused", "accepted"]),
    }
)


RESTRICTING = {
    "ip_policy_ids",
    "certificate_authority_ids",
    "authorized_groups",
    "email_addresses",
    "email_domains",
    "teams",
    "organizations",
}
"""Lists of those who are let in."""


def may_admit_everyone(value: Any) -> bool:
    """Whether such a list is declared empty anywhere, which needs `allow_empty` if it is new."""
    if isinstance(value, dict):
        return any((name in RESTRICTING and one == []) or may_admit_everyone(one) for name, one in value.items())
    return isinstance(value, list) and any(map(may_admit_everyone, value))
