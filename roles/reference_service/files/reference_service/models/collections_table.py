# SPDX-License-Identifier: GPL-3.0-or-later
"""The collections with operations of one kind: their fields, and which of them creations and updates have.

Apart from HTTPS edges, the API reference only refers to their objects.
"""

import copy
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import create_model
from pydantic_core import PydanticUndefined

from ..values.fields import Strict
from .collection_fields import AnyField, Endpoint, InOrder, ReservedAddress, Subscription, Weighted
from .objects import HTTPSEdgeFields


@dataclass(frozen=True)
class PlainCollection:
    """A collection. `prefix` is that of its IDs, and `members` the name of the list in responses.

    `kind` is that of its objects in the store, `new` the body of POST, and `fields` that of PATCH, which has no
    `constant` fields.
    """

    path: str
    prefix: str
    members: str
    kind: str
    constant: frozenset[str]
    required: frozenset[str]
    new: type[Strict]
    fields: type[Strict]

    @property
    def is_of_edges(self) -> bool:
        return self.path.startswith("edges/")


_TABLE = """
agent_ingresses agin_ ingresses + certificate_management_policy =domain!
api_keys ak_ keys + =owner_id
backends/failover bkdfo_ backends + backends
backends/http_response bkdhr_ backends + body headers status_code
backends/static bkdst_ backends + address tls
backends/tunnel_group bkdtg_ backends + labels
backends/weighted bkdwd_ backends + backends
bot_users bot_ bot_users active name
certificate_authorities ca_ certificate_authorities + =ca_pem!
credentials cr_ credentials + acl =owner_id
edges/https edghts_ https_edges *
edges/tcp edgtcp_ tcp_edges + backend hostports ip_restriction traffic_policy
edges/tls edgtls_ tls_edges + backend hostports ip_restriction mutual_tls tls_termination traffic_policy
endpoints ep_ endpoints + bindings pooling_enabled traffic_policy! =type! url!
event_destinations ed_ event_destinations + format target
event_subscriptions esb_ event_subscriptions + destination_ids sources
ip_policies ipp_ ip_policies +
ip_policy_rules ipr_ ip_policy_rules + =action! cidr! =ip_policy_id!
ip_restrictions ipx_ ip_restrictions + enforced ip_policy_ids! =type!
reserved_addrs ra_ reserved_addrs + =region
reserved_domains rd_ reserved_domains + certificate_id certificate_management_policy =domain =region resolves_to
service_users su_ service_users active name
ssh_certificate_authorities sshca_ ssh_certificate_authorities + =elliptic_curve =key_size =private_key_type
ssh_credentials sshcr_ ssh_credentials + acl =owner_id =public_key!
ssh_host_certificates shcrt_ ssh_host_certificates + ssh
ssh_user_certificates sucrt_ ssh_user_certificates + ssh =critical_options =extensions
tls_certificates cert_ tls_certificates + =certificate_pem! =private_key_pem!
vault_secrets secret_ secrets + name value =vault_id =vault_name
vaults vault_ vaults + name
"""
"""The path of each collection, the prefix of its IDs, the name of its list, and its fields.

Fields that end in "!" are required, and those that begin with "=" never change.
"""

_ABBREVIATED = {
    "+": ("description", "metadata"),
    "ssh": ("=ssh_certificate_authority_id!", "=public_key!", "=principals", "=valid_after", "=valid_until"),
}
_SOURCES: dict[str, type[Strict]] = {
    "backends/failover": InOrder,
    "backends/weighted": Weighted,
    "edges/https": HTTPSEdgeFields,
    "endpoints": Endpoint,
    "event_subscriptions": Subscription,
    "reserved_addrs": ReservedAddress,
}


def _collection(path: str, prefix: str, members: str, *written: str) -> PlainCollection:
    source = _SOURCES.get(path, AnyField)
    abbreviated = {**_ABBREVIATED, "*": tuple(source.model_fields)}
    marked = {name.strip("=!"): name for each in written for name in abbreviated.get(each, (each,))}
    constant = frozenset(name for name, mark in marked.items() if mark.startswith("="))
    required = frozenset(name for name, mark in marked.items() if mark.endswith("!"))
    kind = _kind(path)
    title = kind.title().replace("_", "")
    new = _model(f"New{title}", source, marked, required)
    fields = _model(title, source, (name for name in marked if name not in constant))
    fields.constant = constant
    return PlainCollection(path, prefix, members, kind, constant, required, new, fields)


def _kind(path: str) -> str:
    parent, _slash, last = path.rpartition("/")
    if parent:
        return f"{last}_{parent.removesuffix('s')}"
    return f"{last[:-3]}y" if last.endswith("ies") else last.removesuffix("es" if last.endswith("sses") else "s")


def _model(title: str, source: type[Strict], names: Iterable[str], required: Container[str] = ()) -> type[Strict]:
    """Return a model with fields of another one, of which those that are not `required` have defaults."""
    fields: dict[str, Any] = {}
    for name in names:
        info = copy.copy(source.model_fields[name])
        if name in required:
            info.default, info.default_factory = PydanticUndefined, None
        fields[name] = (info.annotation, info)
    return create_model(title, __base__=Strict, **fields)


COLLECTIONS = tuple(_collection(*line.split()) for line in _TABLE.strip().splitlines())
BY_PATH = {each.path: each for each in COLLECTIONS}
SEEDED_ELSEWHERE = ("edges/https", "edges/tls", "event_subscriptions")
"""Collections of objects that the API reference mentions. Seeds and states have lists of their own for them."""
