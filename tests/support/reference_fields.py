# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of the traffic modules, as sections 2.2, 2.4, and 2.5 of the API reference list them, with values to try.

This is a second reading of the API reference: it does not use the schema, which is compared with it. The strategies of
`declarations`, the estates of `rich_world`, and the tests of request bodies are computed from these tables, so a new
field is one line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
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


def _is_not_empty(value: Any) -> bool:
    """Whether a rule or an action contains anything. Empty ones are option errors."""
    if isinstance(value, (dict, list)):
        return any(_is_not_empty(member) for member in (value.values() if isinstance(value, dict) else value))
    return value is not None


_ONE_LINE = (WORD | HOSTILE).filter(lambda text: not {"\r", "\n"} & set(text))
_HEADER_VALUES = st.dictionaries(st.sampled_from(["X-One", "x-two", "X-THREE"]), _ONE_LINE, max_size=3)
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


_KINDS: dict[str, tuple[str, st.SearchStrategy[Any]]] = {
    "flag": ("bool", FLAG),
    "seconds": ("int", SECONDS),
    "word": ("str", WORD),
    "text": ("str", TEXT),
    "secret": ("secret", SECRET),
    "headers": ("dict", _HEADER_VALUES),
    "providers": ("dict", _providers()),
    "rules": ("raw", _RULES),
    "metadata": ("raw", TEXT | st.dictionaries(WORD, st.integers(), max_size=2)),
}


def _field(facts: Any) -> ReferenceField:
    """Return the field of a line in the table below."""
    name, *more = facts if isinstance(facts, list) else [facts]
    if isinstance(name, list):
        kind = ({str: "str", int: "int", float: "float"}[type(name[-1])], st.sampled_from(name))
    else:
        kind = ("list", a_set(*name["set"])) if isinstance(name, dict) else _KINDS[name]
    return ReferenceField(*kind, **{key: value for each in more for key, value in each.items()})


# Each field with its kind, or with a list or set of the values to draw from, and with its first and its changed value.
_TABLE = yaml.safe_load("""
ROUTE:
  backend:
    enabled: [flag, changed: false]
    backend_id: [[bkd_one, bkd_two], first: bkd_one, changed: bkd_two, drawn_always: true]
  ip_restriction:
    enabled: flag
    ip_policy_ids:
      - set: &policies [ipp_one, ipp_two, ipp_three]
      - {first: [ipp_one, ipp_two], changed: [ipp_three], drawn_always: true}
  circuit_breaker:
    enabled: flag
    tripped_duration: [seconds, first: 30]
    rolling_window: [seconds, first: 60]
    num_buckets: [[0, 1, 128], first: 128, changed: 1]
    volume_threshold: [seconds, first: 0]
    error_threshold_percentage: [[0, 1, 0.3, 0.25], first: 1, changed: 0.25]
  compression:
    enabled: [flag, first: true, changed: false]
  request_headers:
    enabled: flag
    add: [headers, first: {X-One: "1", x-two: Two}, changed: {X-One: one}]
    remove: [set: &headers [X-Four, x-FOUR, x-five], first: [X-Three, x-FOUR], drawn_always: true]
  response_headers:
    enabled: flag
    add: [headers, first: {X-Frame-Options: DENY}]
    remove: [set: *headers, first: [Server], changed: [Server, X-Powered-By], drawn_always: true]
  webhook_verification:
    enabled: flag
    provider: [[slack, stripe], first: slack, changed: stripe, drawn_always: true]
    secret: [secret, first: whsec_one, changed: whsec_two, drawn_always: true]
  oauth:
    enabled: flag
    provider:
      - providers
      - drawn_always: true
        first:
          github:
            client_id: client
            client_secret: oauth_secret_one
            scopes: [repo, user]
            email_addresses: [a@example.com]
            email_domains: [example.com, example.org]
            teams: [org/one, org/two]
            organizations: [org]
        changed: {google: {email_domains: [example.net]}}
    options_passthrough: [flag, first: true]
    cookie_prefix: [word, first: mine.]
    inactivity_timeout: [seconds, first: 60]
    maximum_duration: [seconds, first: 3600, changed: 0]
    auth_check_interval: [seconds, first: 4294967295]
  saml:
    enabled: flag
    options_passthrough: flag
    cookie_prefix: word
    inactivity_timeout: seconds
    maximum_duration: [seconds, first: 60]
    idp_metadata:
      - [<one/>, <two/>]
      - {first: <EntityDescriptor>é</EntityDescriptor>, changed: <Other/>, drawn_always: true}
    force_authn: [flag, first: true]
    allow_idp_initiated: [flag, first: false]
    authorized_groups: [set: [staff, admins], first: [staff, admins], changed: []]
    nameid_format: [[&email "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"], first: *email]
  oidc:
    enabled: flag
    options_passthrough: flag
    cookie_prefix: [word, first: oidc.]
    inactivity_timeout: seconds
    maximum_duration: seconds
    issuer:
      - ["https://one.example", "https://two.example"]
      - {first: "https://id.example.com", changed: "https://new.example.com", drawn_always: true}
    client_id: [word, first: client, changed: new, drawn_always: true]
    client_secret: [secret, first: oidc_secret_one, changed: oidc_secret_two, drawn_always: true]
    scopes: [set: [openid, profile], first: [openid, profile], changed: []]
  websocket_tcp_converter:
    enabled: [flag, first: false, changed: true]
  user_agent_filter:
    enabled: [flag, changed: false]
    allow: [set: [curl, Mozilla], first: [Mozilla, curl]]
    deny: [set: [curl, wget], first: [wget], changed: [wget, nc], drawn_always: true]
  policy:
    enabled: flag
    inbound:
      - rules
      - drawn_always: true
        first:
          name: one rule
          expressions: ["req.method == 'GET'", "conn.client_ip != '::1'"]
          actions: {type: deny, config: {status_code: 403, why: [a, b]}}
    outbound:
      - rules
      - first: [{expressions: ["true"], actions: [{type: log}, {type: add-headers, config: {a: {}}}]}]
        changed: {name: another, actions: [{type: deny}]}
EDGE:
  mutual_tls:
    enabled: [flag, changed: false]
    certificate_authority_ids: [set: [ca_one, ca_two], first: [ca_one, ca_two], changed: [ca_three], drawn_always: true]
  tls_termination:
    enabled: [flag, changed: false]
    min_version: [["1.2", "1.3"], first: "1.3"]
TLS_EDGE:
  ip_restriction:
    enabled: flag
    ip_policy_ids: [set: *policies, first: [ipp_one, ipp_two], changed: [], drawn_always: true]
  tls_termination:
    enabled: flag
    terminate_at: [[edge, upstream], first: edge, changed: upstream]
    min_version: [["1.2", "1.3"], first: "1.3"]
# The fields that are in no traffic module, besides those by which an object is found.
ITSELF:
  ROUTE: &texts
    description: [text, first: first é, changed: ""]
    metadata: [metadata, first: {text: first é}, changed: {text: ""}]
  EDGE:
    <<: *texts
""")
ROUTE, EDGE, TLS_EDGE, _ITSELF = (
    {name: {field: _field(facts) for field, facts in fields.items()} for name, fields in objects.items()}
    for objects in _TABLE.values()
)
ROUTE_ITSELF, EDGE_ITSELF = _ITSELF["ROUTE"], _ITSELF["EDGE"]


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
