# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user may declare, as strategies of hypothesis. Written from the description, not from the field tables."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

HOSTILE = st.sampled_from(
    [
        *("{{ 7 * 7 }}", "{% raw %}", "{# x #}", "!unsafe x", "!vault |", "---", "- a: b", "null", "0777", "yes", "~"),
        *(
            "${x}",
            "$(x)",
            "`x`",
            "%s",
            "../..",
            "<script>",
            "a\nb: c",
            "\r\n",
            "\t",
            "\x1b[31m",
            "\u2028",
            "😀",
        ),
        *("\u202e", "\ufeff", "'\"\\", "********", " x ", "#", "a" * 200),
    ]
)
TEXT = st.text(alphabet="ab Zé\"'<&", max_size=12) | HOSTILE
WORD = st.text(alphabet="abcXYZ", min_size=1, max_size=6)
FLAG = st.booleans()
SECONDS = st.sampled_from([0, 1, 60, 2**32 - 1])
AUTH_MODULES = ("oauth", "oidc", "saml")


def some(members: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """A dictionary with any of these members, each of which may also be left out."""
    return st.fixed_dictionaries({}, optional=members)


def _says_something(value: Any) -> bool:
    """Whether a rule or an action is not an empty one, which is an error."""
    if isinstance(value, (dict, list)):
        return any(_says_something(member) for member in (value.values() if isinstance(value, dict) else value))
    return value is not None


def _is_one_line(text: str) -> bool:
    """Whether it may be the value of a header."""
    return not {"\r", "\n"} & set(text)


def a_set(*values: str) -> st.SearchStrategy[list[str]]:
    """A list that stands for a set: in any order, with duplicates, with nothing in it."""
    return st.lists(st.sampled_from(values), max_size=5)


# Secrets of which a service's masks must not be mistaken.
SECRET = WORD | st.sampled_from(
    ["x", "xxxx", "secret", "...", "[hidden]", "<redacted>", "**", "****", "abc***def", "••••"]
)
HEADER_VALUES = st.dictionaries(
    st.sampled_from(["X-One", "x-two", "X-THREE"]), (WORD | HOSTILE).filter(_is_one_line), max_size=3
)
SESSION = {
    "options_passthrough": FLAG,
    "cookie_prefix": WORD,
    "inactivity_timeout": SECONDS,
    "maximum_duration": SECONDS,
}
WHO = {"email_addresses": a_set("a@example.com", "b@example.com"), "email_domains": a_set("example.com", "example.org")}
GITHUB = {"teams": a_set("org/one", "org/two"), "organizations": a_set("org", "other")}
CONFIG = st.dictionaries(WORD, st.sampled_from([1, 2.5, "x", None, [], {"y": True}]))
ACTION = some({"type": WORD, "config": CONFIG}).filter(_says_something)
ACTIONS = ACTION | st.lists(ACTION, max_size=2)
RULE = some({"name": WORD, "expressions": st.lists(WORD, max_size=3), "actions": ACTIONS}).filter(_says_something)
RULES = RULE | st.lists(RULE, max_size=2)


@st.composite
def identity_provider(draw: st.DrawFn, more: dict[str, Any]) -> dict[str, Any]:
    """An identity provider, with the managed app or with an own one."""
    provider: dict[str, Any] = draw(some({**WHO, **more}))
    if draw(FLAG):
        provider |= {"client_id": draw(WORD), "client_secret": draw(SECRET), "scopes": draw(a_set("email", "profile"))}
    return provider


@st.composite
def providers(draw: st.DrawFn) -> dict[str, Any]:
    """Of the identity providers one or two, of which each may let in everyone."""
    names = draw(st.sets(st.sampled_from(["github", "google", "amazon"]), min_size=1, max_size=2))
    return {name: draw(st.just({}) | identity_provider(GITHUB if name == "github" else {})) for name in sorted(names)}


def module(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional={"enabled": FLAG, **optional})


IP_RESTRICTION = module({"ip_policy_ids": a_set("ipp_one", "ipp_two", "ipp_three")}, {})
HEADERS = module({"remove": a_set("X-Four", "x-FOUR", "x-five")}, {"add": HEADER_VALUES})
SWITCH = some({"enabled": FLAG})

ROUTE_MODULES = {
    "backend": module({"backend_id": st.sampled_from(["bkd_one", "bkd_two"])}, {}),
    "ip_restriction": IP_RESTRICTION,
    "circuit_breaker": module(
        {},
        {
            "error_threshold_percentage": st.sampled_from([0, 0.25, 0.3, 1]),
            "tripped_duration": SECONDS,
            "rolling_window": SECONDS,
            "num_buckets": st.sampled_from([0, 1, 128]),
            "volume_threshold": SECONDS,
        },
    ),
    "compression": SWITCH,
    "request_headers": HEADERS,
    "response_headers": HEADERS,
    "webhook_verification": module({"provider": st.sampled_from(["slack", "stripe"]), "secret": SECRET}, {}),
    "oauth": module({"provider": providers()}, {**SESSION, "auth_check_interval": SECONDS}),
    "saml": module(
        {"idp_metadata": st.sampled_from(["<one/>", "<two/>"])},
        {
            **SESSION,
            "force_authn": FLAG,
            "allow_idp_initiated": FLAG,
            "authorized_groups": a_set("staff", "admins"),
            "nameid_format": st.sampled_from(["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"]),
        },
    ),
    "oidc": module(
        {
            "issuer": st.sampled_from(["https://one.example", "https://two.example"]),
            "client_id": WORD,
            "client_secret": SECRET,
        },
        {**SESSION, "scopes": a_set("openid", "profile")},
    ),
    "websocket_tcp_converter": SWITCH,
    "user_agent_filter": module({"deny": a_set("curl", "wget")}, {"allow": a_set("curl", "Mozilla")}),
    "policy": module({"inbound": RULES}, {"outbound": RULES}),
}

TEXTS = {"description": TEXT, "metadata": TEXT | st.dictionaries(WORD, st.integers(), max_size=2)}


@st.composite
def route(draw: st.DrawFn) -> dict[str, Any]:
    """Options of a route, besides its place and its key; of the authentication modules one at the most."""
    modules = draw(st.sets(st.sampled_from(sorted(ROUTE_MODULES)), max_size=4))
    chosen = [name for name in AUTH_MODULES if name in modules][:1]
    options = draw(some(TEXTS)) | {
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


EDGE_MODULES = {
    "mutual_tls": module({"certificate_authority_ids": a_set("ca_one", "ca_two")}, {}),
    "tls_termination": module({}, {"min_version": st.sampled_from(["1.2", "1.3"])}),
}

IN_ANOTHER_SCRIPT = ("bücher.example.com:443", "BÜCHER.example.com:443", "xn--bcher-kva.example.com:443")


@st.composite
def edge(draw: st.DrawFn) -> dict[str, Any]:
    """Options of an HTTPS edge; it keeps one hostport by which it is found."""
    more = draw(a_set("two.example.com:443", "Two.Example.com:443", "three.example.com:8443", *IN_ANOTHER_SCRIPT))
    return (
        draw(some(TEXTS))
        | draw(some(EDGE_MODULES))
        | {"hostports": ["One.example.com:443", *more], "purge_modules": draw(FLAG)}
    )


TLS_TERMINATION = st.one_of(
    st.just({}),
    module({"terminate_at": st.just("edge")}, {"min_version": st.sampled_from(["1.2", "1.3"])}),
    module({"terminate_at": st.just("upstream")}, {}),
)

# What services of any kind do without refusing what is right elsewhere.
SWITCHES = some(
    {
        "unset_module": st.sampled_from(["null", "empty_object", "no_content", "not_found"]),
        "delete_unset_module": st.sampled_from([204, 404]),
        "secrets": st.sampled_from(["echoed", "redacted", "emptied", "left_out"]),
        "lists": st.sampled_from(["kept", "reordered"]),
        "empty_lists": st.sampled_from(["empty", "null", "missing"]),
        "empty_text": st.sampled_from(["empty", "null", "missing"]),
        "header_names": st.sampled_from(["kept", "lower", "canonical"]),
        "hostports": st.sampled_from(["kept", "lower", "punycode"]),
        "defaults": st.sampled_from(["filled", "omitted"]),
        "unset_values": st.sampled_from(["null", "missing"]),
        "unused_providers": st.sampled_from(["null", "empty_object", "missing"]),
        "provider_content": st.sampled_from(["filled", "left_out"]),
        "cookie_prefix": st.sampled_from(["filled", "filled_for_oauth"]),
        "extra_keys": FLAG,
        "references": st.sampled_from(["list", "single"]),
        "one_auth_module": FLAG,
        "patch_forgets_text": FLAG,
        "empty_match": st.sampled_from(["refused", "ignored"]),
        "null_members": st.sampled_from(["refused", "providers", "accepted"]),
        "source_patch_without_body": FLAG,
        "match_unique": st.sampled_from(["with_type", "alone"]),
        "next_page": st.sampled_from(["absolute", "relative"]),
        "sources_uri": st.sampled_from(["own", "null", "next_page"]),
        "page_size": st.sampled_from([1, 2, 100]),
        "overlapping_pages": FLAG,
        "policy_rules": st.sampled_from(["as_sent", "lists"]),
        "policy_name": st.sampled_from(["policy", "traffic_policy", "both"]),
        "refusal_quotes_key": FLAG,
        "error_quotes_request": st.sampled_from(["none", "json", "escaped", "urlencoded"]),
        "unknown_event_types": st.sampled_from(["refused", "accepted"]),
    }
)
