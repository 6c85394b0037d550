# SPDX-License-Identifier: GPL-3.0-or-later
"""Anything that a user may declare of objects without a module of their own, as a strategy of hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

import reference_fields
from reference_fields import FLAG, WORD, some

TEXT = reference_fields.TEXT.filter(lambda text: text != "********")
"""In an object without known fields, the mask stands for the current secret in each of them, and a new one has none."""

WORLD = {
    "ip_policies": [{"id": "ipp_one"}, {"id": "ipp_two"}],
    "backends/http_response": [{"id": "bkdhr_one"}, {"id": "bkdhr_two"}],
    "event_destinations": [{"id": "ed_one"}, {"id": "ed_two"}],
}
"""What the objects refer to."""

ADDRESS = "1.tcp.example.io:1"
WITH_OTHER_SPELLING = {"header_names", "hostports"}
"""Switches that make a service change the letters of a value. Nobody knows which services do that."""

TEXT_FIELDS = {"metadata": TEXT | st.dictionaries(WORD, st.integers(), max_size=2)}
MAP = st.dictionaries(WORD, WORD, max_size=2)
CREDENTIALS = st.fixed_dictionaries(
    {"aws_access_key_id": WORD, "aws_secret_access_key": st.sampled_from(["k" * 9, "l" * 9])}
)
BY_ROLE = st.fixed_dictionaries({"auth": st.fixed_dictionaries({"role": st.fixed_dictionaries({"role_arn": WORD})})})
BY_CREDENTIALS = st.fixed_dictionaries({"auth": st.fixed_dictionaries({"creds": CREDENTIALS})})
SOURCES = st.lists(st.sampled_from(["domain_created.v0", "domain_deleted.v0"]), max_size=3).map(
    lambda types: [{"type": one} for one in types]
)


def ids(collection: str) -> st.SearchStrategy[str]:
    return st.sampled_from([one["id"] for one in WORLD[collection]])


BODIES: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "ip_policies": TEXT_FIELDS,
    "ip_policy_rules": {**TEXT_FIELDS, "cidr": st.just("192.0.2.0/24")},
    "backends/http_response": {**TEXT_FIELDS, "body": TEXT, "headers": MAP, "status_code": st.sampled_from([200, 503])},
    "backends/tunnel_group": {**TEXT_FIELDS, "labels": MAP},
    "backends/failover": {**TEXT_FIELDS, "backends": st.lists(ids("backends/http_response"), max_size=3)},
    "backends/weighted": {
        **TEXT_FIELDS,
        "backends": st.fixed_dictionaries(
            {one["id"]: st.integers(0, 10_000) for one in WORLD["backends/http_response"]}
        ),
    },
    "event_destinations": {
        **TEXT_FIELDS,
        "format": st.sampled_from(["JSON", "json"]),
        "target": st.fixed_dictionaries({"kinesis": BY_ROLE | BY_CREDENTIALS}),
    },
    "event_subscriptions": {
        **TEXT_FIELDS,
        "sources": SOURCES,
        "destination_ids": st.lists(ids("event_destinations"), max_size=3),
    },
    "reserved_addrs": TEXT_FIELDS,
    "reserved_domains": TEXT_FIELDS,
    "edges/tcp": {**TEXT_FIELDS, "hostports": st.lists(st.just(ADDRESS), max_size=1)},
    "edges/tls": {
        **TEXT_FIELDS,
        "hostports": st.lists(st.sampled_from(["a.example.com:443", "b.example.com:443"]), max_size=2, unique=True),
        "backend": st.fixed_dictionaries({"backend_id": ids("backends/http_response")}, optional={"enabled": FLAG}),
        "ip_restriction": st.fixed_dictionaries({"ip_policy_ids": st.lists(ids("ip_policies"), max_size=3)}),
    },
}
ALWAYS = {
    "ip_policy_rules": {"ip_policy_id": "ipp_one", "cidr": "192.0.2.0/24", "action": "deny"},
    "reserved_domains": {"domain": "a.example.com"},
}
"""What a new object has to have."""

SETS = ["sources", "destination_ids", "hostports", "ip_restriction.ip_policy_ids"]


REFERENCES = {
    "backends": "backends/http_response",
    "destination_ids": "event_destinations",
    "backend_id": "backends/http_response",
    "ip_policy_ids": "ip_policies",
    "ip_policy_id": "ip_policies",
    "hostports": "reserved_addrs",
}
"""The collections to whose objects these fields refer."""

NAMES = {
    "policy_a": "ip_policies",
    "policy_b": "ip_policies",
    "rule": "ip_policy_rules",
    "page_a": "backends/http_response",
    "page_b": "backends/http_response",
    "both of them": "backends/failover",
    "split.v2": "backends/weighted",
    "an address": "reserved_addrs",
    "domain": "reserved_domains",
    "database": "edges/tcp",
    "group": "backends/tunnel_group",
    "stream": "event_destinations",
    "audit": "event_subscriptions",
    "till": "edges/tls",
}


@st.composite
def any_named_objects(draw: st.DrawFn, is_alone: bool = False) -> list[list[dict[str, Any]]]:
    """Lists of named objects, which are declared in sequence. All of them have the same objects, or a single one."""
    sizes = {"min_size": 1, "max_size": 1} if is_alone else {"min_size": 2}
    names = draw(st.permutations(sorted(draw(st.sets(st.sampled_from(sorted(NAMES)), **sizes)))))
    return [[_named(draw, name, names) for name in names] for _again in range(2)]


def _named(draw: st.DrawFn, name: str, names: list[str]) -> dict[str, Any]:
    collection = NAMES[name]
    body = {**ALWAYS.get(collection, {}), **draw(some(BODIES[collection]))}
    find_by = {"ip_policy_id": "ipp_one", "cidr": "192.0.2.0/24"} if name == "rule" else {"description": name}
    # What identifies an object stays the same.
    policies = sorted(one for one in names if NAMES[one] == "ip_policies")
    if name == "rule":
        body = {key: value for key, value in body.items() if key not in find_by}
        find_by = {**find_by, **({"ip_policy_id": f"ref:{policies[0]}"} if policies else {})}
    return {
        "name": name,
        "collection": collection,
        "find_by": find_by,
        "body": _with_references(draw, body, names),
        "unordered": SETS,
        "create_only": ["ip_policy_id", "action", "domain"],
    }


def _with_references(draw: st.DrawFn, value: Any, names: list[str], field: str = "") -> Any:
    """The value with references by name in place of some IDs."""
    if isinstance(value, dict):
        return {
            _with_references(draw, name, names, field): _with_references(draw, member, names, name)
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [_with_references(draw, member, names, field) for member in value]
    of_field = ".addr" if field == "hostports" else ""
    others = [f"ref:{one}{of_field}" for one in names if NAMES[one] == REFERENCES.get(field)]
    if field == "hostports" and value != ADDRESS:
        return value  # Only one edge can have an address, and several edges are drawn together.
    return draw(st.sampled_from([value, *others])) if others else value
