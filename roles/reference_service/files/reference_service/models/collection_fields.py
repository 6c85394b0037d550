# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of the objects that the API reference only refers to, in requests.

They are an extension of the API reference, which mentions some of them as the fields of events (section 6.2).
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..values.fields import (
    Boolean,
    Description,
    Expressions,
    Headers,
    Hostports,
    IPPolicyIDs,
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
from ..values.formats import EndpointURL, HostName, Network
from ..values.rejection_codes import Code
from ..values.rejections import invalid_value
from .modules import Backend, IPRestriction, Module, MutualTLS, TLSTermination

_SomeText = Annotated[Omittable[NonEmpty], Shape.TEXT]
_Hidden = Annotated[Omittable[str], Shape.HIDDEN]
_Region = Literal["au", "eu", "ap", "us", "us-cal-1", "jp", "in", "sa"]
_Weight = Annotated[int, Field(ge=0, le=10_000)]


class TrafficPolicy(Module):
    value: Text = ""


class _CertificatePolicy(Strict):
    authority: Text = ""
    private_key_type: Annotated[Literal["rsa", "ecdsa"], Shape.TEXT] = "rsa"


class _BackendTLS(Strict):
    enabled: Boolean = False


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
    """Where events are delivered to: one of three kinds."""

    firehose: Annotated[Omittable[_Firehose], Shape.NESTED] = None
    kinesis: Annotated[Omittable[_Kinesis], Shape.NESTED] = None
    cloudwatch_logs: Annotated[Omittable[_CloudWatchLogs], Shape.NESTED] = None

    @model_validator(mode="after")
    def _is_one(self) -> "_DeliveryTarget":
        if len(self.model_fields_set) != 1:
            raise invalid_value(Code.ONE_TARGET, f"must be exactly one of {', '.join(type(self).model_fields)}")
        return self


class _Source(Strict):
    type: Annotated[NonEmpty, Shape.TEXT]


_Destinations = References("destinations", "event_destinations")
_Backends = References("backends", "backends")


class AnyField(Strict):
    """All fields that objects have, of which each collection has some."""

    acl: Expressions
    action: Annotated[Literal["allow", "deny"], Shape.TEXT] = "allow"
    active: Boolean = True
    address: Text = ""
    backend: Omittable[Backend] = None
    bindings: Expressions
    body: Text = ""
    ca_pem: _SomeText = None
    certificate_id: Annotated[Omittable[NonEmpty], References("certificate", "tls_certificates", many=False)] = None
    certificate_management_policy: Annotated[Omittable[_CertificatePolicy], Shape.NESTED] = None
    certificate_pem: _SomeText = None
    cidr: Annotated[Omittable[Network], Shape.TEXT] = None
    critical_options: Labels
    description: Description = ""
    destination_ids: Annotated[list[NonEmpty], unique_by(str), Field(default_factory=list), _Destinations]
    domain: Annotated[Omittable[HostName], Shape.TEXT] = None
    elliptic_curve: _Hidden = None
    enforced: Boolean = True
    extensions: Labels
    format: Annotated[Literal["JSON", "json"], Shape.TEXT] = "JSON"
    headers: Headers
    hostports: Hostports
    ip_policy_id: Annotated[
        Omittable[Annotated[str, Field(pattern="^ipp_.")]], References("ip_policy", "ip_policies", many=False)
    ] = None
    ip_policy_ids: IPPolicyIDs
    ip_restriction: Omittable[IPRestriction] = None
    key_size: Annotated[Omittable[int], Shape.HIDDEN] = None
    labels: Labels
    metadata: Metadata = ""
    mutual_tls: Omittable[MutualTLS] = None
    name: Text = ""
    owner_id: Text = ""
    pooling_enabled: Boolean = False
    principals: Expressions
    private_key_pem: _Hidden = None
    private_key_type: Annotated[Omittable[Literal["rsa", "ecdsa", "ed25519"]], Shape.HIDDEN] = None
    public_key: _SomeText = None
    region: Annotated[Omittable[_Region], Shape.VALUE] = None
    resolves_to: Annotated[list[dict[str, str]], Field(default_factory=list), Shape.AS_SENT]
    sources: Annotated[
        list[_Source], unique_by(lambda source: str(source.type)), Field(default_factory=list), Shape.SET
    ]
    ssh_certificate_authority_id: _SomeText = None
    status_code: Annotated[int, Field(ge=100, le=599), Shape.VALUE] = 200
    target: Annotated[Omittable[_DeliveryTarget], Shape.NESTED] = None
    tls: Annotated[_BackendTLS, Field(default_factory=dict), Shape.NESTED]
    tls_termination: Omittable[TLSTermination] = None
    traffic_policy: Omittable[TrafficPolicy] = None
    type: _SomeText = None
    url: _SomeText = None
    valid_after: Text = ""
    valid_until: Text = ""
    value: _Hidden = None
    vault_id: Annotated[Omittable[NonEmpty], References("vault", "vaults", many=False)] = None
    vault_name: Text = ""


class InOrder(AnyField):
    """The backends of a failover backend, which are plain IDs in responses as well."""

    backends: Annotated[list[NonEmpty], Field(default_factory=list), Shape.AS_SENT, _Backends]


class Weighted(AnyField):
    """The weights of backends by their IDs, which are plain in responses as well."""

    backends: Annotated[dict[NonEmpty, _Weight], Field(default_factory=dict), Shape.AS_SENT, _Backends]


class Subscription(AnyField):
    """The limits of its texts are in characters."""

    description: Annotated[str, Field(max_length=255), Shape.TEXT] = ""
    metadata: Annotated[str, Field(max_length=4096), Shape.TEXT] = ""


class ReservedAddress(AnyField):
    region: Annotated[_Region, Shape.TEXT] = "us"


class Endpoint(AnyField):
    """The traffic policy of an endpoint is a string."""

    type: Annotated[Omittable[Literal["cloud"]], Shape.TEXT] = None
    url: Annotated[Omittable[EndpointURL], Shape.TEXT] = None
    traffic_policy: _SomeText = None  # type: ignore[assignment] # a module in all other objects
