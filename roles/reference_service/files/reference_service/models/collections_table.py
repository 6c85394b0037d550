# SPDX-License-Identifier: GPL-3.0-or-later
"""The collections with operations of one kind: their fields, and which of them creations and updates have.

Apart from HTTPS edges, the API reference only refers to their objects.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import create_model
from pydantic_core import PydanticUndefined

from ..values.fields import Strict
from .collection_fields import AnyField, Endpoint, InOrder, ReservedAddress, Subscription, TLSEdge, Weighted
from .objects import HTTPSEdgeFields


@dataclass(frozen=True)
class PlainCollection:
    """A collection. `prefix` is that of its IDs, and `members` the name of the list in responses.

    The fields whose names end in "!" are required, and those that begin with "=" never change: updates do not have
    them. The types of the fields are those of `source`.
    """

    path: str
    prefix: str
    members: str
    names: tuple[str, ...]
    source: type[Strict]

    @property
    def kind(self) -> str:
        """The kind of the objects in the store."""
        parent, _slash, last = self.path.rpartition("/")
        if parent:
            return f"{last}_{parent.removesuffix('s')}"
        return f"{last[:-3]}y" if last.endswith("ies") else last.removesuffix("es" if last.endswith("sses") else "s")

    @property
    def is_of_edges(self) -> bool:
        return self.path.startswith("edges/")

    @functools.cached_property
    def constant(self) -> frozenset[str]:
        """The names of the fields that never change."""
        return frozenset(name.strip("=!") for name in self.names if name.startswith("="))

    @functools.cached_property
    def required(self) -> frozenset[str]:
        """The names of the fields that a new object must have."""
        return frozenset(name.strip("=!") for name in self.names if name.endswith("!"))

    @functools.cached_property
    def new(self) -> type[Strict]:
        """The body of POST."""
        return self._model("New", (name.strip("=!") for name in self.names), self.required)

    @functools.cached_property
    def fields(self) -> type[Strict]:
        """The body of PATCH."""
        return self._model("", (name for name in self.new.model_fields if name not in self.constant), set())

    def _model(self, prefix: str, names: Iterable[str], required: Container[str]) -> type[Strict]:
        fields: dict[str, Any] = {}
        for name in names:
            info = copy.copy(self.source.model_fields[name])
            if name in required:
                info.default, info.default_factory = PydanticUndefined, None
            fields[name] = (info.annotation, info)
        model: type[Strict] = create_model(prefix + self.kind.title().replace("_", ""), __base__=Strict, **fields)
        model.constant = self.constant if not prefix else frozenset()
        return model


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
"""The path of each collection, the prefix of its IDs, the name of its list, and its fields."""

_ABBREVIATED = {
    "+": ("description", "metadata"),
    "ssh": ("=ssh_certificate_authority_id!", "=public_key!", "=principals", "=valid_after", "=valid_until"),
}
_SOURCES: dict[str, type[Strict]] = {
    "backends/failover": InOrder,
    "backends/weighted": Weighted,
    "edges/https": HTTPSEdgeFields,
    "edges/tls": TLSEdge,
    "endpoints": Endpoint,
    "event_subscriptions": Subscription,
    "reserved_addrs": ReservedAddress,
}


def _collection(path: str, prefix: str, members: str, *written: str) -> PlainCollection:
    source = _SOURCES.get(path, AnyField)
    abbreviated = {**_ABBREVIATED, "*": tuple(source.model_fields)}
    names = tuple(name for each in written for name in abbreviated.get(each, (each,)))
    return PlainCollection(path, prefix, members, names, source)


COLLECTIONS = tuple(_collection(*line.split()) for line in _TABLE.strip().splitlines())
BY_PATH = {each.path: each for each in COLLECTIONS}
SEEDED_ELSEWHERE = ("edges/https", "edges/tls", "event_subscriptions")
"""Collections of objects that the API reference mentions. Seeds and states have lists of their own for them."""
