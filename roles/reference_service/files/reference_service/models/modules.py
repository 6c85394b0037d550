# SPDX-License-Identifier: GPL-3.0-or-later
"""The traffic modules in requests, with their rules (API reference, sections 2.2, 2.4, and 2.5).

If a response differs only in the names of references, the field says so (`References`).
"""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..values.fields import (
    AuthorityIDs,
    Boolean,
    Expressions,
    FreeMap,
    HeaderNames,
    Headers,
    IPPolicyIDs,
    NonEmpty,
    Omittable,
    OneOrMany,
    References,
    Secret,
    Shape,
    Strict,
    StringSet,
    Text,
    Uint32,
)
from ..values.rejection_codes import Code
from ..values.rejections import invalid_value


class Module(Strict):
    """A traffic module of an edge or a route."""

    enabled: Boolean = True


class MutualTLS(Module):
    certificate_authority_ids: AuthorityIDs


class TLSTerminationAtEdge(Module):
    """In requests for an HTTPS edge, which always terminates TLS at the edge and has no field for that."""

    min_version: Annotated[str | None, Shape.TEXT] = "1.2"


class TLSTermination(TLSTerminationAtEdge):
    """In requests for a TLS edge, and in the responses of both kinds of edges."""

    terminate_at: Annotated[Literal["edge", "upstream"], Shape.TEXT] = "edge"

    @model_validator(mode="after")
    def _upstream_has_no_version(self) -> "TLSTermination":
        if self.terminate_at == "upstream" and "min_version" in self.model_fields_set and self.min_version is not None:
            raise invalid_value(Code.MIN_VERSION_UPSTREAM, "min_version must be null when terminate_at is upstream")
        return self


class Backend(Module):
    backend_id: Annotated[Omittable[NonEmpty], References("backend", "backends", many=False)] = None


class IPRestriction(Module):
    ip_policy_ids: IPPolicyIDs


class CircuitBreaker(Module):
    tripped_duration: Uint32 = 10
    rolling_window: Uint32 = 10
    num_buckets: Annotated[Uint32, Field(le=128)] = 10
    volume_threshold: Uint32 = 10
    error_threshold_percentage: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), Shape.VALUE] = 0.5


class Compression(Module):
    pass


class HeaderRewriting(Module):
    """request_headers and response_headers."""

    add: Headers
    remove: HeaderNames


class WebhookVerification(Module):
    provider: Text = ""
    secret: Secret = ""

    @model_validator(mode="after")
    def _secret_required(self) -> "WebhookVerification":
        if not self.secret and self.provider.lower() != "sns":
            raise invalid_value(Code.SECRET_REQUIRED, "secret is required by every provider except sns")
        return self


class OAuthApp(Strict):
    """An identity provider of `oauth`."""

    client_id: Text = ""
    client_secret: Secret = ""
    scopes: StringSet
    email_addresses: StringSet
    email_domains: StringSet

    @model_validator(mode="after")
    def _own_app_is_whole(self) -> "OAuthApp":
        if bool(self.client_id) != bool(self.client_secret):
            raise invalid_value(Code.HALF_AN_APP, "client_id and client_secret must be given together")
        if self.scopes and not self.client_id:
            raise invalid_value(Code.SCOPES_WITHOUT_APP, "scopes may be set only with both client_id and client_secret")
        return self


class GitHubApp(OAuthApp):
    teams: StringSet
    organizations: StringSet


class OAuthProvider(Strict):
    github: Annotated[Omittable[GitHubApp], Shape.NESTED] = None
    facebook: Annotated[Omittable[OAuthApp], Shape.NESTED] = None
    microsoft: Annotated[Omittable[OAuthApp], Shape.NESTED] = None
    google: Annotated[Omittable[OAuthApp], Shape.NESTED] = None
    linkedin: Annotated[Omittable[OAuthApp], Shape.NESTED] = None
    gitlab: Annotated[Omittable[OAuthApp], Shape.NESTED] = None
    twitch: Annotated[Omittable[OAuthApp], Shape.NESTED] = None
    amazon: Annotated[Omittable[OAuthApp], Shape.NESTED] = None


class SignIn(Module):
    """The common fields of `oauth`, `saml`, and `oidc`."""

    options_passthrough: Boolean = False
    cookie_prefix: Text = "svc."
    inactivity_timeout: Uint32 = 0
    maximum_duration: Uint32 = 0


class OAuth(SignIn):
    provider: Annotated[Omittable[OAuthProvider], Shape.NESTED] = None
    auth_check_interval: Uint32 = 0


class SAML(SignIn):
    idp_metadata: Text = ""
    force_authn: Boolean = False
    allow_idp_initiated: Boolean = True
    authorized_groups: StringSet
    nameid_format: Text = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"


class OIDC(SignIn):
    issuer: Text = ""
    client_id: Text = ""
    client_secret: Secret = ""
    scopes: StringSet


class WebsocketTCPConverter(Module):
    pass


class UserAgentFilter(Module):
    allow: StringSet
    deny: StringSet


class Action(Strict):
    type: Text = ""
    config: FreeMap


class Rule(Strict):
    """A rule of the traffic policy. Services accept one action or a list."""

    name: Text = ""
    expressions: Expressions
    actions: Annotated[Omittable[OneOrMany[Action]], Shape.ONE_OR_MANY] = None


class Policy(Module):
    """The traffic policy. Services accept one rule or a list for each direction."""

    inbound: Annotated[Omittable[OneOrMany[Rule]], Shape.ONE_OR_MANY] = None
    outbound: Annotated[Omittable[OneOrMany[Rule]], Shape.ONE_OR_MANY] = None


SIGN_IN_MODULES = ("oauth", "oidc", "saml")
