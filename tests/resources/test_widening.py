# SPDX-License-Identifier: GPL-3.0-or-later
"""A change that may let more people in says so, in check mode and in a real run; no other change does."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from convergence import WIDENED, widened
from module_task import Tasks
from places import EDGE, HOSTPORT, TLS_EDGE, seed_edge, seed_route, seed_tls_edge
from rich_world import FIRST
from scripted_service import rejecting

BACKEND = {"backend": {"backend_id": "bkd_one"}}
KNOWN: dict[str, Any] = {
    **FIRST,
    "github": {"organizations": ["acme"], "teams": ["acme/one"]},
    "app": {"client_id": "app", "client_secret": "s3cret"},
}
URL = f"https://{HOSTPORT.removesuffix(':443')}/"
NO_LOGIN, NO_NETWORK = "no longer requires a login", "no longer requires an allowed network"

# What is on the route, what is declared, and what the warning says.
ROUTES: dict[str, tuple[Any, ...]] = {
    **{
        f"{name} removed": ({name: FIRST[name]}, {"absent_modules": [name]}, text)
        for name, text in {
            "oauth": NO_LOGIN,
            "oidc": NO_LOGIN,
            "saml": NO_LOGIN,
            "ip_restriction": NO_NETWORK,
            "webhook_verification": "no longer requires a valid signature",
            "policy": "no longer requires the rules of its traffic policy",
        }.items()
    },
    **cases(
        """
        purged | oidc: *oidc | {purge_modules: true, backend: {backend_id: bkd_one}} | no longer requires a login
        disabled | oidc: *oidc | oidc: {<<: *oidc, enabled: false} | no longer requires a login
        two together | {oidc: *oidc, ip_restriction: *ip_restriction}
            | {purge_modules: true, backend: {backend_id: bkd_one}} | no longer requires an allowed network and a login
        the last policy | ip_restriction: *ip_restriction
            | ip_restriction: {ip_policy_ids: []} | no longer requires an allowed network
        the last group | saml: {idp_metadata: <x/>, authorized_groups: [staff]}
            | saml: {idp_metadata: <x/>, authorized_groups: []} | also admits <x/>
        the last organization | oauth: {provider: {github: *github}}
            | oauth: {provider: {github: {scopes: []}}} | also admits github
        the last address | oauth: {provider: {google: {email_addresses: [a@example.com]}}}
            | oauth: {provider: {google: {email_addresses: []}}} | also admits google
        another domain | oauth: {provider: {google: {email_domains: [a.example.com]}}}
            | oauth: {provider: {google: {email_domains: [a.example.com, b.example.com]}}}
            | also admits google email_domains b.example.com
        another login | oidc: *oidc | {oauth: {provider: {github: {email_domains: []}}}, absent_modules: [oidc]}
            | also admits oauth in place of oidc
        another issuer | oidc: {<<: *app, issuer: https://a.example.com}
            | oidc: {<<: *app, issuer: https://b.example.com} | also admits https://b.example.com app
        another policy | ip_restriction: {ip_policy_ids: [ipp_a]}
            | ip_restriction: {ip_policy_ids: [ipp_b]} | also admits ipp_b, what ipp_a may have denied
        a provider whose webhooks need no secret | webhook_verification: {provider: slack, secret: s3cret}
            | webhook_verification: {provider: sns} | also admits sns
        another provider | oauth: {provider: {github: *github}}
            | oauth: {provider: {github: *github, google: {email_domains: []}}} | also admits google
        the backend | {backend: {backend_id: bkd_one, enabled: false}, oidc: *oidc}
            | backend: {backend_id: bkd_one, enabled: true} | nobody got through before, and it requires a login now
        what a preflight needs | oidc: *oidc
            | oidc: {<<: *oidc, options_passthrough: true} | OPTIONS no longer requires a login
        """,
        **KNOWN,
    ),
}
NOT_WIDER = cases(
    """
    one of two | oauth: {provider: {github: *github}} | oauth: {provider: {github: {organizations: [acme]}}}
    a provider fewer | oauth: {provider: {github: *github, google: {email_domains: [example.com]}}}
        | oauth: {provider: {github: *github}}
    what protects nothing | compression: {enabled: true} | absent_modules: [compression]
    what was disabled | oidc: {<<: *oidc, enabled: false} | absent_modules: [oidc]
    what is new | {} | ip_restriction: {ip_policy_ids: []}
    nothing | oidc: *oidc | description: d
    settings that admit nobody else | oidc: *oidc | oidc: {<<: *oidc, scopes: [email]}
    what is closed | {oidc: *oidc, backend: {backend_id: bkd_one, enabled: false}} | absent_modules: [oidc]
    """,
    **KNOWN,
)


@pytest.mark.parametrize(("live", "declared", "named"), ROUTES.values(), ids=ROUTES)
def test_a_route_that_opens(tasks: Tasks, live: dict[str, Any], declared: dict[str, Any], named: str) -> None:
    place = seed_route(tasks, **{**BACKEND, **live})
    method = "OPTIONS " if named.startswith("OPTIONS ") else ""
    for check in (True, False):
        result = tasks.done("https_edge_route", check, **place, **declared, allow_empty=True)
        subject = f"https_edge_route path_prefix / of {HOSTPORT} (edghtsrt_place)"
        assert widened(result) == [f"{subject}: {WIDENED}: {method}{URL}: {named.removeprefix(method)}."]
    assert not widened(tasks.done("https_edge_route", **place, **declared))


@pytest.mark.parametrize(("live", "declared"), NOT_WIDER.values(), ids=NOT_WIDER)
def test_a_route_that_does_not(tasks: Tasks, live: dict[str, Any], declared: dict[str, Any]) -> None:
    place = seed_route(tasks, **{**BACKEND, **live})
    assert not widened(tasks.done("https_edge_route", True, **place, **declared, allow_empty=True))


def test_an_estate_warns_for_each_object_that_opens(tasks: Tasks) -> None:
    seed_edge(
        tasks,
        mutual_tls={"certificate_authority_ids": ["ca_one"]},
        routes=[{"match_type": "path_prefix", "match": "/", **BACKEND, "oidc": FIRST["oidc"]}],
    )
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]}, tls_termination={"terminate_at": "edge"})
    options = {
        "https_edges": [{"id": EDGE, "routes": [{"match_type": "path_prefix", "match": "/", **BACKEND}]}],
        "tls_edges": [{"edge_id": TLS_EDGE, "absent_modules": ["ip_restriction"]}],
        "purge": ["modules"],
    }
    dry, real = (tasks.done("estate", check, **options) for check in (True, False))
    assert widened(dry) == widened(real)
    assert [warning.split(f": {WIDENED}: ")[1] for warning in widened(real)] == [
        f"{URL}: no longer requires a client certificate and a login.",
        f"{URL}: no longer requires a client certificate and a login.",
        f"TLS edge {TLS_EDGE}: {NO_NETWORK}.",
    ]


@pytest.mark.parametrize(
    ("declared", "named"),
    [({"enabled": False, "ip_policy_ids": ["ipp_one"]}, NO_NETWORK), ({"ip_policy_ids": []}, NO_NETWORK)],
)
def test_a_tls_edge_that_opens(tasks: Tasks, declared: dict[str, Any], named: str) -> None:
    edge_id = seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    [warning] = widened(tasks.done("tls_edge_ip_restriction", True, edge_id=edge_id, **declared))
    assert warning.endswith(f"{WIDENED}: TLS edge {TLS_EDGE}: {named}.")


def test_a_change_that_failed_before_anything_was_done_does_not_warn(tasks: Tasks) -> None:
    place = seed_route(tasks, oidc=FIRST["oidc"], compression={"enabled": True})
    route = {name: place[name] for name in ("match_type", "match")}
    options = {"edge_id": EDGE, "routes": [{**route, "purge_modules": True}]}
    result = tasks.failed("https_edge_routes", instead=rejecting("DELETE", "compression"), **options)
    assert "compression" in result["msg"]
    # It is the first to be removed, so the login is still there.
    assert not widened(result)


DISABLED = ["ip_restriction", "saml", "request_headers", "response_headers", "user_agent_filter", "policy"]


@pytest.mark.parametrize("name", DISABLED)
def test_what_is_only_disabled_keeps_what_it_holds(tasks: Tasks, name: str) -> None:
    place = seed_route(tasks, **{name: FIRST[name]})
    before = tasks.done("https_edge_route", **place)["https_edge_route"][name]
    tasks.done("https_edge_route", **place, **{name: {"enabled": False}})
    after = tasks.done("https_edge_route", **place, **{name: {"enabled": False}})
    assert not after["changed"]
    assert after["https_edge_route"][name] == {**before, "enabled": False}


def test_a_restriction_of_a_tls_edge_that_is_only_disabled_keeps_its_policies(tasks: Tasks) -> None:
    edge_id = seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    result = tasks.done("tls_edge_ip_restriction", edge_id=edge_id, enabled=False)
    assert result["ip_restriction"] == {"enabled": False, "ip_policy_ids": ["ipp_one"]}
    tasks.service.switches(references="single")
    seed_route(tasks, ip_restriction={"ip_policy_ids": ["ipp_one", "ipp_two"]})
    # What is not shown is not thrown away.
    options = {"edge_id": EDGE, "match_type": "path_prefix", "match": "/", "ip_restriction": {"enabled": False}}
    failed = tasks.failed("https_edge_route", **options)
    assert "ip_restriction.ip_policy_ids: required, because the service returns only one" in failed["msg"]
    assert not [request for request in failed["sent"] if request["method"] != "GET"]
