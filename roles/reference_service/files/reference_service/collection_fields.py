# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that the API reference only refers to, in requests. They are an extension of the API reference.

What the API reference says of them is in section 6.2, as the fields of events.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .fields import (
    Description,
    Headers,
    Hostports,
    Labels,
    Metadata,
    NonEmpty,
    Omittable,
    References,
    Secret,
    Shape,
    Strict,
    Text,
    unique_by,
)
from .modules import Backend
from .objects import TLSEdgeFields


class PlainFields(Strict):
    """The fields of PATCH that all these objects have. Omitted fields keep their values."""

    description: Description = ""
    metadata: Metadata = ""


class IPPolicy(PlainFields):
    pass


_Action = Literal["allow", "deny"]


class IPPolicyRule(PlainFields):
    cidr: Annotated[Omittable[NonEmpty], Shape.TEXT] = None
    action: Annotated[_Action, Shape.TEXT] = "allow"


class NewIPPolicyRule(IPPolicyRule):
    """A new rule. It stays in its policy."""

    cidr: Annotated[NonEmpty, Shape.TEXT]
    ip_policy_id: Annotated[NonEmpty, Field(pattern="^ipp_."), References("ip_policy", "ip_policies", many=False)]


class HTTPResponseBackend(PlainFields):
    body: Text = ""
    headers: Headers
    status_code: Annotated[int, Field(ge=100, le=999), Shape.VALUE] = 200


class TunnelGroupBackend(PlainFields):
    labels: Labels


class StaticAddressBackend(PlainFields):
    address: Annotated[Omittable[NonEmpty], Shape.TEXT] = None


class NewStaticAddressBackend(StaticAddressBackend):
    address: Annotated[NonEmpty, Shape.TEXT]


_BackendIDs = Annotated[list[NonEmpty], Field(min_length=1), References("backends", "backends", in_order=True)]


class FailoverBackend(PlainFields):
    backend_ids: Annotated[Omittable[_BackendIDs], References("backends", "backends", in_order=True)] = None


class NewFailoverBackend(FailoverBackend):
    backend_ids: _BackendIDs


class CertificateAuthority(PlainFields):
    pass


class NewCertificateAuthority(CertificateAuthority):
    """A new certificate authority. Its certificate never changes."""

    ca_pem: Annotated[NonEmpty, Shape.TEXT]


class TLSEdge(TLSEdgeFields):
    """A TLS edge with its backend, in addition to the traffic modules of the API reference."""

    description: Description = ""
    metadata: Metadata = ""
    hostports: Hostports
    backend: Omittable[Backend] = None


class _Role(Strict):
    role_arn: Text = ""


class _Credentials(Strict):
    aws_access_key_id: Text = ""
    aws_secret_access_key: Secret = ""


class _Authentication(Strict):
    role: Annotated[Omittable[_Role], Shape.NESTED] = None
    creds: Annotated[Omittable[_Credentials], Shape.NESTED] = None


class _Delivery(Strict):
    auth: Annotated[Omittable[_Authentication], Shape.NESTED] = None


class _Firehose(_Delivery):
    delivery_stream_arn: Text = ""


class _Kinesis(_Delivery):
    stream_arn: Text = ""


class _CloudWatchLogs(_Delivery):
    log_group_arn: Text = ""


class _DeliveryTarget(Strict):
    firehose: Annotated[Omittable[_Firehose], Shape.NESTED] = None
    kinesis: Annotated[Omittable[_Kinesis], Shape.NESTED] = None
    cloudwatch_logs: Annotated[Omittable[_CloudWatchLogs], Shape.NESTED] = None


class EventDestination(PlainFields):
    format: Annotated[Literal["JSON"], Shape.TEXT] = "JSON"
    target: Annotated[Omittable[_DeliveryTarget], Shape.NESTED] = None


class _Source(Strict):
    type: Annotated[NonEmpty, Shape.TEXT]


class EventSubscription(PlainFields):
    sources: Annotated[
        list[_Source], unique_by(lambda source: str(source.type)), Field(default_factory=list), Shape.SET
    ]
    destination_ids: Annotated[
        list[NonEmpty], unique_by(str), Field(default_factory=list), References("destinations", "event_destinations")
    ]
