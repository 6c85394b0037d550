# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of the traffic modules, as sections 2.2, 2.4, and 2.5 of the API reference list them, with values to try.

This is a second reading of the API reference: it does not use the schema, which is compared with it. The strategies of
`declarations`, the estates of `rich_world`, and the tests of request bodies are computed from these tables, so a new
field is one line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

HOSTILE = st.sampled_from(
    [
        *("{{ 7 * 7 }}", "{% raw %}", "{# x #}", "!unsafe x", "!vault |", "---", "- a: b", "null", "0777", "yes", "~"),
        *("${x}", "$(x)", "`x`", "%s", "../..", "<script>", "a\nb: c", "\r\n", "\t", "\x1b[31m", "\u2028", "😀"),
        *("\u202e", "\ufeff", "'\"\\", "********", " x ", "#", "a" * 200),
    ]
)
TEXT = st.text(alphabet="ab Zé\"'<&", max_size=12) | HOSTILE
WORD = st.text(alphabet="abcXYZ", min_size=1, max_size=6)
FLAG = st.booleans()
SECONDS = st.sampled_from([0, 1, 60, 2**32 - 1])
# Values that must not be mistaken for the masks of a service.
SECRET = WORD | st.sampled_from(
    ["x", "xxxx", "secret", "...", "[hidden]", "<redacted>", "**", "****", "abc***def", "••••"]
)
OMITTED: Any = object()


@dataclass(frozen=True)
class ReferenceField:
    """A field of a request. `type` is the type of its option, or `secret`. `values` are those that tests draw from.

    `first` is the value in the sample estate, `changed` the one after its changes, and `filled` the one that the
    service fills in if an object omits it. A field that is `drawn_always` is in each declaration of its traffic module,
    because some service requires it.
    """

    type: str
    values: st.SearchStrategy[Any]
    first: Any = OMITTED
    changed: Any = OMITTED
    filled: Any = OMITTED
    drawn_always: bool = False

    @property
    def option_type(self) -> str:
        return "str" if self.type == "secret" else self.type


Fields = Mapping[str, ReferenceField]


def some(members: Mapping[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=dict(members))


def a_set(*values: str) -> st.SearchStrategy[list[str]]:
    """Lists that stand for sets: in varying order, with duplicates, or empty."""
    return st.lists(st.sampled_from(values), max_size=5)


def _field(type_name: str, values: Sequence[Any] | st.SearchStrategy[Any], **rest: Any) -> ReferenceField:
    strategy = values if isinstance(values, st.SearchStrategy) else st.sampled_from(values)
    return ReferenceField(type_name, strategy, **rest)


def _is_not_empty(value: Any) -> bool:
    """Whether a rule or an action contains anything. Empty ones are option errors."""
    if isinstance(value, (dict, list)):
        return any(_is_not_empty(member) for member in (value.values() if isinstance(value, dict) else value))
    return value is not None


def _is_one_line(text: str) -> bool:
    """Whether the text can be the value of a header."""
    return not {"\r", "\n"} & set(text)


_HEADER_VALUES = st.dictionaries(
    st.sampled_from(["X-One", "x-two", "X-THREE"]), (WORD | HOSTILE).filter(_is_one_line), max_size=3
)
_CONFIG = st.dictionaries(WORD, st.sampled_from([1, 2.5, "x", None, [], {"y": True}]))
_ACTION = some({"type": WORD, "config": _CONFIG}).filter(_is_not_empty)
_RULE = some(
    {"name": WORD, "expressions": st.lists(WORD, max_size=3), "actions": _ACTION | st.lists(_ACTION, max_size=2)}
).filter(_is_not_empty)
_RULES = _RULE | st.lists(_RULE, max_size=2)
_USERS = {
    "email_addresses": a_set("a@example.com", "b@example.com"),
    "email_domains": a_set("example.com", "example.org"),
}
_GITHUB_USERS = {**_USERS, "teams": a_set("org/one", "org/two"), "organizations": a_set("org", "other")}


@st.composite
def _provider(draw: st.DrawFn, users: dict[str, Any]) -> dict[str, Any]:
    """An identity provider with the service's own app, or with another one."""
    provider: dict[str, Any] = draw(some(users))
    if draw(FLAG):
        provider |= {"client_id": draw(WORD), "client_secret": draw(SECRET), "scopes": draw(a_set("email", "profile"))}
    return provider


@st.composite
def _providers(draw: st.DrawFn) -> dict[str, Any]:
    """One or two identity providers, each of which may admit everyone."""
    names = draw(st.sets(st.sampled_from(["github", "google", "amazon"]), min_size=1, max_size=2))
    return {
        name: draw(st.just({}) | _provider(_GITHUB_USERS if name == "github" else _USERS)) for name in sorted(names)
    }


_ENABLED = {"enabled": _field("bool", FLAG)}


def _ip_restriction(changed: list[str]) -> Fields:
    policies = a_set("ipp_one", "ipp_two", "ipp_three")
    return {
        **_ENABLED,
        "ip_policy_ids": _field("list", policies, first=["ipp_one", "ipp_two"], changed=changed, drawn_always=True),
    }


def _header_changes(first_add: Any, first_remove: Any, **changed: Any) -> Fields:
    return {
        **_ENABLED,
        "add": _field("dict", _HEADER_VALUES, first=first_add, changed=changed.get("add", OMITTED)),
        "remove": _field(
            "list",
            a_set("X-Four", "x-FOUR", "x-five"),
            first=first_remove,
            changed=changed.get("remove", OMITTED),
            drawn_always=True,
        ),
    }


def _session(**values: tuple[Any, Any]) -> Fields:
    """The fields of a session; `values` are the first and the changed value of some of them."""
    fields = {
        "options_passthrough": ("bool", FLAG),
        "cookie_prefix": ("str", WORD),
        "inactivity_timeout": ("int", SECONDS),
        "maximum_duration": ("int", SECONDS),
    }
    return {name: ReferenceField(*kind, *values.get(name, (OMITTED, OMITTED))) for name, kind in fields.items()}


ROUTE: dict[str, Fields] = {
    "backend": {
        "enabled": _field("bool", FLAG, changed=False),
        "backend_id": _field("str", ["bkd_one", "bkd_two"], first="bkd_one", changed="bkd_two", drawn_always=True),
    },
    "ip_restriction": _ip_restriction(changed=["ipp_three"]),
    "circuit_breaker": {
        **_ENABLED,
        "tripped_duration": _field("int", SECONDS, first=30),
        "rolling_window": _field("int", SECONDS, first=60),
        "num_buckets": _field("int", [0, 1, 128], first=128, changed=1),
        "volume_threshold": _field("int", SECONDS, first=0),
        "error_threshold_percentage": _field("float", [0, 0.25, 0.3, 1], first=1, changed=0.25),
    },
    "compression": {"enabled": _field("bool", FLAG, first=True, changed=False)},
    "request_headers": _header_changes({"X-One": "1", "x-two": "Two"}, ["X-Three", "x-FOUR"], add={"X-One": "one"}),
    "response_headers": _header_changes({"X-Frame-Options": "DENY"}, ["Server"], remove=["Server", "X-Powered-By"]),
    "webhook_verification": {
        **_ENABLED,
        "provider": _field("str", ["slack", "stripe"], first="slack", changed="stripe", drawn_always=True),
        "secret": _field("secret", SECRET, first="whsec_one", changed="whsec_two", drawn_always=True),
    },
    "oauth": {
        **_ENABLED,
        "provider": _field(
            "dict",
            _providers(),
            first={
                "github": {
                    "client_id": "client",
                    "client_secret": "oauth_secret_one",
                    "scopes": ["repo", "user"],
                    "email_addresses": ["a@example.com"],
                    "email_domains": ["example.com", "example.org"],
                    "teams": ["org/one", "org/two"],
                    "organizations": ["org"],
                }
            },
            changed={"google": {"email_domains": ["example.net"]}},
            drawn_always=True,
        ),
        **_session(
            options_passthrough=(True, OMITTED),
            cookie_prefix=("mine.", OMITTED),
            inactivity_timeout=(60, OMITTED),
            maximum_duration=(3600, 0),
        ),
        "auth_check_interval": _field("int", SECONDS, first=2**32 - 1),
    },
    "saml": {
        **_ENABLED,
        **_session(maximum_duration=(60, OMITTED)),
        "idp_metadata": _field(
            "str",
            ["<one/>", "<two/>"],
            first="<EntityDescriptor>é</EntityDescriptor>",
            changed="<Other/>",
            drawn_always=True,
        ),
        "force_authn": _field("bool", FLAG, first=True),
        "allow_idp_initiated": _field("bool", FLAG, first=False),
        "authorized_groups": _field("list", a_set("staff", "admins"), first=["staff", "admins"], changed=[]),
        "nameid_format": _field(
            "str",
            ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
            first="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
        ),
    },
    "oidc": {
        **_ENABLED,
        **_session(cookie_prefix=("oidc.", OMITTED)),
        "issuer": _field(
            "str",
            ["https://one.example", "https://two.example"],
            first="https://id.example.com",
            changed="https://new.example.com",
            drawn_always=True,
        ),
        "client_id": _field("str", WORD, first="client", changed="new", drawn_always=True),
        "client_secret": _field(
            "secret", SECRET, first="oidc_secret_one", changed="oidc_secret_two", drawn_always=True
        ),
        "scopes": _field("list", a_set("openid", "profile"), first=["openid", "profile"], changed=[]),
    },
    "websocket_tcp_converter": {"enabled": _field("bool", FLAG, first=False, changed=True)},
    "user_agent_filter": {
        "enabled": _field("bool", FLAG, changed=False),
        "allow": _field("list", a_set("curl", "Mozilla"), first=["Mozilla", "curl"]),
        "deny": _field("list", a_set("curl", "wget"), first=["wget"], changed=["wget", "nc"], drawn_always=True),
    },
    "policy": {
        **_ENABLED,
        "inbound": _field(
            "raw",
            _RULES,
            first={
                "name": "one rule",
                "expressions": ["req.method == 'GET'", "conn.client_ip != '::1'"],
                "actions": {"type": "deny", "config": {"status_code": 403, "why": ["a", "b"]}},
            },
            drawn_always=True,
        ),
        "outbound": _field(
            "raw",
            _RULES,
            first=[
                {"expressions": ["true"], "actions": [{"type": "log"}, {"type": "add-headers", "config": {"a": {}}}]}
            ],
            changed={"name": "another", "actions": [{"type": "deny"}]},
        ),
    },
}

_TEXT_FIELDS = {
    "description": _field("str", TEXT, first="first é", changed=""),
    "metadata": _field(
        "raw",
        TEXT | st.dictionaries(WORD, st.integers(), max_size=2),
        first={"text": "first é"},
        changed={"text": ""},
    ),
}

# The fields that are in no traffic module, besides those by which an object is found.
ROUTE_ITSELF: Fields = {**_TEXT_FIELDS}
EDGE_ITSELF: Fields = {**_TEXT_FIELDS}

EDGE: dict[str, Fields] = {
    "mutual_tls": {
        "enabled": _field("bool", FLAG, changed=False),
        "certificate_authority_ids": _field(
            "list", a_set("ca_one", "ca_two"), first=["ca_one", "ca_two"], changed=["ca_three"], drawn_always=True
        ),
    },
    "tls_termination": {
        "enabled": _field("bool", FLAG, changed=False),
        "min_version": _field("str", ["1.2", "1.3"], first="1.3"),
    },
}

TLS_EDGE: dict[str, Fields] = {
    "ip_restriction": _ip_restriction(changed=[]),
    "tls_termination": {
        **_ENABLED,
        "terminate_at": _field("str", ["edge", "upstream"], first="edge", changed="upstream"),
        "min_version": _field("str", ["1.2", "1.3"], first="1.3"),
    },
}


def declarations_of(fields: Fields) -> st.SearchStrategy[dict[str, Any]]:
    """Any declarations of a traffic module with these fields."""
    return st.fixed_dictionaries(
        {name: field.values for name, field in fields.items() if field.drawn_always},
        optional={name: field.values for name, field in fields.items() if not field.drawn_always},
    )


def declared(fields: Fields, which: str) -> dict[str, Any]:
    """The fields with their values of this kind: `first`, `changed`, or `filled`."""
    return {name: value for name, field in fields.items() if (value := getattr(field, which)) is not OMITTED}


def all_declared(modules: Mapping[str, Fields], which: str) -> dict[str, dict[str, Any]]:
    """The traffic modules as the sample estate declares them."""
    return {name: declared(fields, which) for name, fields in modules.items()}
