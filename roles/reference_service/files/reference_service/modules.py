# SPDX-License-Identifier: GPL-3.0-or-later
"""The request form of every module object (the description, sections 2.2, 2.4 and 2.5), with its own rules.

Where request and answer differ, only in the names of references, the field says so (`References`).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from .fields import (
    AuthorityIds,
    Expressions,
    Filled,
    Flag,
    FreeMap,
    HeaderNames,
    Headers,
    IPPolicyIds,
    MayBeLeftOut,
    Names,
    OneOrMany,
    References,
    Secret,
    Shape,
    Strict,
    Text,
    Uint32,
    refuse,
)

PERSISTENT_NAME_ID = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
OWN_MIN_VERSION = "1.2"


class Module(Strict):
    """A traffic-handling configuration of an edge or a route."""

    enabled: Flag = True


class MutualTLS(Module):
    certificate_authority_ids: AuthorityIds


class TLSTerminationAtEdge(Module):
    """As an HTTPS edge takes it: it always terminates at the edge, and saying so is an unknown field."""

    min_version: Annotated[str | None, Shape.TEXT] = OWN_MIN_VERSION


class TLSTermination(TLSTerminationAtEdge):
    """As a TLS edge takes it, and as both kinds of edge answer it."""

    terminate_at: Annotated[Literal["edge", "upstream"], Shape.TEXT] = "edge"

    @model_validator(mode="after")
    def _upstream_has_no_version(self) -> TLSTermination:
        if self.terminate_at == "upstream" and "min_version" in self.model_fields_set and self.min_version is not None:
            raise refuse("min_version_upstream", "min_version must be null when terminate_at is upstream")
        return self


class Backend(Module):
    backend_id: Annotated[MayBeLeftOut[Filled], References("backend", "backends", many=False)] = None


class IPRestriction(Module):
    ip_policy_ids: IPPolicyIds


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
    def _secret_required(self) -> WebhookVerification:
        if not self.secret and self.provider != "sns":
            raise refuse("secret_required", "secret is required by every provider except sns")
        return self


class OAuthApp(Strict):
    """One identity provider of the oauth module."""

    client_id: Text = ""
    client_secret: Secret = ""
    scopes: Names
    email_addresses: Names
    email_domains: Names

    @model_validator(mode="after")
    def _own_app_is_whole(self) -> OAuthApp:
        if bool(self.client_id) != bool(self.client_secret):
            raise refuse("half_an_app", "client_id and client_secret must be given together")
        if self.scopes and not self.client_id:
            raise refuse("scopes_without_app", "scopes may be set only with both client_id and client_secret")
        return self


class GitHubApp(OAuthApp):
    teams: Names
    organizations: Names


class OAuthProvider(Strict):
    github: Annotated[MayBeLeftOut[GitHubApp], Shape.NESTED] = None
    facebook: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None
    microsoft: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None
    google: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None
    linkedin: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None
    gitlab: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None
    twitch: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None
    amazon: Annotated[MayBeLeftOut[OAuthApp], Shape.NESTED] = None


class SignIn(Module):
    """What oauth, saml and oidc have alike."""

    options_passthrough: Flag = False
    cookie_prefix: Text = "svc."
    inactivity_timeout: Uint32 = 0
    maximum_duration: Uint32 = 0


class OAuth(SignIn):
    provider: Annotated[MayBeLeftOut[OAuthProvider], Shape.NESTED] = None
    auth_check_interval: Uint32 = 0


class SAML(SignIn):
    idp_metadata: Text = ""
    force_authn: Flag = False
    allow_idp_initiated: Flag = True
    authorized_groups: Names
    nameid_format: Text = PERSISTENT_NAME_ID


class OIDC(SignIn):
    issuer: Text = ""
    client_id: Text = ""
    client_secret: Secret = ""
    scopes: Names


class WebsocketTCPConverter(Module):
    pass


class UserAgentFilter(Module):
    allow: Names
    deny: Names


class Action(Strict):
    type: Text = ""
    config: FreeMap


class Rule(Strict):
    """A rule of the traffic policy. Services take one action or a list of them."""

    name: Text = ""
    expressions: Expressions
    actions: Annotated[MayBeLeftOut[OneOrMany[Action]], Shape.ONE_OR_MANY] = None


class Policy(Module):
    """Services take one rule or a list of them for each direction."""

    inbound: Annotated[MayBeLeftOut[OneOrMany[Rule]], Shape.ONE_OR_MANY] = None
    outbound: Annotated[MayBeLeftOut[OneOrMany[Rule]], Shape.ONE_OR_MANY] = None


SIGN_IN_MODULES = ("oauth", "oidc", "saml")
