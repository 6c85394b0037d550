# SPDX-License-Identifier: GPL-3.0-or-later
"""The collections that the API reference only refers to: their fields, and which of them creations and updates have."""

from __future__ import annotations

import copy
import functools
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import create_model
from pydantic_core import PydanticUndefined

from .collection_fields import AnyField, Endpoint, InOrder, ReservedAddress, Subscription, TLSEdge, Weighted
from .fields import Strict

_TEXT_FIELDS = "description metadata"
_SPELLED = {"ip": "IP", "tls": "TLS", "tcp": "TCP", "ssh": "SSH", "api": "API", "http": "HTTP"}


@dataclass(frozen=True)
class PlainCollection:
    """A collection. `prefix` is that of its IDs, and `members` the name of the list in responses.

    The fields whose names end in "!" are required, and those that begin with "=" never change: updates do not have
    them. The types of the fields are those of `source`.
    """

    path: str
    prefix: str
    members: str
    names: str
    source: type[Strict] = AnyField

    @property
    def kind(self) -> str:
        """The kind of the objects in the store."""
        parent, _slash, last = self.path.rpartition("/")
        if parent:
            return f"{last}_{parent.removesuffix('s')}"
        return f"{last[:-3]}y" if last.endswith("ies") else last.removesuffix("es" if last.endswith("sses") else "s")

    @property
    def called(self) -> str:
        """What messages call an object."""
        return " ".join(_SPELLED.get(word, word) for word in self.kind.split("_"))

    @property
    def is_of_edges(self) -> bool:
        return self.path.startswith("edges/")

    @functools.cached_property
    def constant(self) -> frozenset[str]:
        """The names of the fields that never change."""
        return frozenset(name.strip("=!") for name in self.names.split() if name.startswith("="))

    @functools.cached_property
    def required(self) -> frozenset[str]:
        """The names of the fields that a new object must have."""
        return frozenset(name.strip("=!") for name in self.names.split() if name.endswith("!"))

    @functools.cached_property
    def new(self) -> type[Strict]:
        """The body of POST."""
        return self._model("New", (name.strip("=!") for name in self.names.split()), self.required)

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
        model: type[Strict] = create_model(prefix + self.called.title().replace(" ", ""), __base__=Strict, **fields)
        model.constant = self.constant if not prefix else frozenset()
        return model


def _certificates_of_ssh(more: str) -> str:
    return f"{_TEXT_FIELDS} =ssh_certificate_authority_id! =public_key! =principals =valid_after =valid_until {more}"


COLLECTIONS = (
    PlainCollection("agent_ingresses", "agin_", "ingresses", f"{_TEXT_FIELDS} certificate_management_policy =domain!"),
    PlainCollection("api_keys", "ak_", "keys", f"{_TEXT_FIELDS} =owner_id"),
    PlainCollection("backends/failover", "bkdfo_", "backends", f"{_TEXT_FIELDS} backends", InOrder),
    PlainCollection("backends/http_response", "bkdhr_", "backends", f"{_TEXT_FIELDS} body headers status_code"),
    PlainCollection("backends/static", "bkdst_", "backends", f"{_TEXT_FIELDS} address tls"),
    PlainCollection("backends/tunnel_group", "bkdtg_", "backends", f"{_TEXT_FIELDS} labels"),
    PlainCollection("backends/weighted", "bkdwd_", "backends", f"{_TEXT_FIELDS} backends", Weighted),
    PlainCollection("bot_users", "bot_", "bot_users", "active name"),
    PlainCollection("certificate_authorities", "ca_", "certificate_authorities", f"{_TEXT_FIELDS} =ca_pem!"),
    PlainCollection("credentials", "cr_", "credentials", f"{_TEXT_FIELDS} acl =owner_id"),
    PlainCollection(
        "edges/tcp", "edgtcp_", "tcp_edges", f"{_TEXT_FIELDS} backend hostports ip_restriction traffic_policy"
    ),
    PlainCollection(
        "edges/tls",
        "edgtls_",
        "tls_edges",
        f"{_TEXT_FIELDS} backend hostports ip_restriction mutual_tls tls_termination traffic_policy",
        TLSEdge,
    ),
    PlainCollection(
        "endpoints",
        "ep_",
        "endpoints",
        f"{_TEXT_FIELDS} bindings pooling_enabled traffic_policy! =type! url!",
        Endpoint,
    ),
    PlainCollection("event_destinations", "ed_", "event_destinations", f"{_TEXT_FIELDS} format target"),
    PlainCollection(
        "event_subscriptions", "esb_", "event_subscriptions", f"{_TEXT_FIELDS} destination_ids sources", Subscription
    ),
    PlainCollection("ip_policies", "ipp_", "ip_policies", _TEXT_FIELDS),
    PlainCollection("ip_policy_rules", "ipr_", "ip_policy_rules", f"{_TEXT_FIELDS} =action! cidr! =ip_policy_id!"),
    PlainCollection("ip_restrictions", "ipx_", "ip_restrictions", f"{_TEXT_FIELDS} enforced ip_policy_ids! =type!"),
    PlainCollection("reserved_addrs", "ra_", "reserved_addrs", f"{_TEXT_FIELDS} =region", ReservedAddress),
    PlainCollection(
        "reserved_domains",
        "rd_",
        "reserved_domains",
        f"{_TEXT_FIELDS} certificate_id certificate_management_policy =domain =region resolves_to",
    ),
    PlainCollection("service_users", "su_", "service_users", "active name"),
    PlainCollection(
        "ssh_certificate_authorities",
        "sshca_",
        "ssh_certificate_authorities",
        f"{_TEXT_FIELDS} =elliptic_curve =key_size =private_key_type",
    ),
    PlainCollection("ssh_credentials", "sshcr_", "ssh_credentials", f"{_TEXT_FIELDS} acl =owner_id =public_key!"),
    PlainCollection("ssh_host_certificates", "shcrt_", "ssh_host_certificates", _certificates_of_ssh("")),
    PlainCollection(
        "ssh_user_certificates",
        "sucrt_",
        "ssh_user_certificates",
        _certificates_of_ssh("=critical_options =extensions"),
    ),
    PlainCollection(
        "tls_certificates", "cert_", "tls_certificates", f"{_TEXT_FIELDS} =certificate_pem! =private_key_pem!"
    ),
    PlainCollection("vault_secrets", "secret_", "secrets", f"{_TEXT_FIELDS} name value =vault_id =vault_name"),
    PlainCollection("vaults", "vault_", "vaults", f"{_TEXT_FIELDS} name"),
)
BY_PATH = {each.path: each for each in COLLECTIONS}
SEEDED_ELSEWHERE = ("edges/tls", "event_subscriptions")
"""Collections of objects that the API reference mentions. Seeds and states have lists of their own for them."""
