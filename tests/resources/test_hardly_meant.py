# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations that a service accepts, and that are hardly what somebody wants: a new login or filter with empty lists
would let everyone in, so the task must say so. Others are warned about.
"""

from __future__ import annotations

import pytest

from cases import cases
from convergence import converges
from estates_to_judge import modules
from module_task import Given, Tasks, writes
from places import EDGE, HOSTPORT, KEY, in_each_module, seed_edge, seed_route, seed_tls_edge

# What is on the route, what is declared for it, and the path of the first empty list, unless it lets nobody more in
# than it says, or says that everyone is meant.
EMPTY = cases(
    """
    no groups            | {} | saml: *SAML | saml.authorized_groups
    a disabled login     | saml: {<<: *SAML, authorized_groups: [a], enabled: false} | saml: *SAML
        | saml.authorized_groups
    no policies          | {} | ip_restriction: {ip_policy_ids: []} | ip_restriction.ip_policy_ids
    no teams             | {} | oauth: {provider: {github: {<<: *GITHUB, teams: []}}} | oauth.provider.github.teams
    neither | {} | oauth: {provider: {github: {teams: [], organizations: []}}} | oauth.provider.github.teams
    its last team | oauth: {provider: {github: *GITHUB}} | oauth: {provider: {github: {<<: *GITHUB, teams: []}}}
        | oauth.provider.github.teams
    its last team, omitted | oauth: {provider: {github: *GITHUB}} | oauth: {provider: {github: *WITHOUT_TEAMS}}
        | oauth.provider.github.teams
    another provider     | {} | oauth: {provider: {github: {teams: [o/x]}, google: {email_domains: []}}}
        | oauth.provider.google.email_domains
    one more provider
        | oauth: {provider: {github: *GITHUB}} | oauth: {provider: {github: *GITHUB, google: {email_addresses: []}}}
        | oauth.provider.google.email_addresses
    its last group       | saml: {<<: *SAML, authorized_groups: [a]} | saml: *SAML | saml.authorized_groups
    everyone             | {} | saml: {idp_metadata: <x/>} | null
    a group              | {} | saml: {<<: *SAML, authorized_groups: [a]} | null
    what is disabled     | {} | saml: {<<: *SAML, enabled: false} | null
    everyone of a provider | {} | oauth: {provider: {github: {}}} | null
    one list of two      | {} | oauth: {provider: {github: {teams: [o/x], organizations: []}}} | null
    """,
    SAML=modules("saml=<x/>")["saml"],
    GITHUB={"client_id": "c", "client_secret": "s", "teams": ["o/x"]},
    WITHOUT_TEAMS={"client_id": "c", "client_secret": "s"},
)
EMPTY |= {f"{name}, new": (None, *case[1:]) for name, case in EMPTY.items() if not case[0]}


@pytest.mark.parametrize(("live", "declared", "path"), EMPTY.values(), ids=EMPTY)
def test_nothing_begins_to_admit_everyone_by_mistake(
    tasks: Tasks, live: Given | None, declared: Given, path: str | None
) -> None:
    place = {"edge_id": seed_edge(tasks), **KEY} if live is None else seed_route(tasks, **live)
    options = {**place, **declared}
    for check in (True, False) if path else ():
        result = tasks.failed("https_edge_route", check, **options)
        refusal = f"{path}: it is empty, so everyone would be let in. If you want that, set `allow_empty: true`"
        assert (refusal in result["msg"], writes(result)) == (True, [])
    converges(tasks, "https_edge_route", **options, allow_empty=bool(path))
    # What is there already stays.
    assert not tasks.done("https_edge_route", **options)["changed"]


@pytest.mark.parametrize("unused", ["null", "empty_object", "missing"])
def test_a_provider_that_is_there_may_admit_everyone(tasks: Tasks, unused: str) -> None:
    """Some services do not show whether such a provider is in use."""
    place = seed_route(tasks, oauth={"provider": {"github": {}}})
    tasks.service.switches(unused_providers=unused, defaults="omitted", provider_content="left_out")
    github = {"oauth": {"provider": {"github": {"teams": []}}}}
    assert not tasks.done("https_edge_route", **place, **github)["changed"]
    converges(tasks, "https_edge_route", **place, oauth={**github["oauth"], "cookie_prefix": "x"})


@pytest.mark.parametrize(
    "live", [{}, *({"ip_policy_ids": ["ipp_a"], "enabled": value} for value in (True, False))], ids=str
)
def test_the_networks_of_a_tls_edge(tasks: Tasks, live: Given) -> None:
    options = {"edge_id": seed_tls_edge(tasks, **({"ip_restriction": live} if live else {})), "ip_policy_ids": []}
    assert "ip_policy_ids: it is empty, so everyone" in tasks.failed("tls_edge_ip_restriction", **options)["msg"]
    converges(tasks, "tls_edge_ip_restriction", **options, allow_empty=True)
    assert not tasks.done("tls_edge_ip_restriction", **options)["changed"]


# What a live TLS or TCP edge has (null: the edge is new), what is declared of it, and the path of what would be empty.
EDGES = cases(
    """
    no list of a new edge      | null | ip_restriction: {ip_policy_ids: []} | ip_restriction.ip_policy_ids
    nothing of a new edge      | null | ip_restriction: {} | ip_restriction.ip_policy_ids
    null of a new edge         | null | ip_restriction: {ip_policy_ids: null} | ip_restriction.ip_policy_ids
    an enabled one of a new edge | null | mutual_tls: {enabled: true} | mutual_tls.certificate_authority_ids
    it is new | {} | ip_restriction: {enabled: true} | ip_restriction.ip_policy_ids
    it loses its last policy   | *OFFICE | ip_restriction: {ip_policy_ids: []} | ip_restriction.ip_policy_ids
    it was disabled            | ip_restriction: {ip_policy_ids: [ipp_a], enabled: false}
        | ip_restriction: {enabled: true} | ip_restriction.ip_policy_ids
    a disabled one of a new edge | null | ip_restriction: {ip_policy_ids: [], enabled: false} | null
    it is disabled             | *OFFICE | ip_restriction: {ip_policy_ids: [], enabled: false} | null
    its policy is not declared | *OFFICE | {ip_restriction: {}, description: new} | null
    another policy             | *OFFICE | ip_restriction: {ip_policy_ids: [ipp_b]} | null
    it was empty               | ip_restriction: {ip_policy_ids: []}
        | {ip_restriction: {ip_policy_ids: []}, description: new} | null
    """,
    OFFICE={"ip_restriction": {"ip_policy_ids": ["ipp_a"]}},
)


# TCP edges have no certificates.
OF_BOTH_KINDS = {
    f"{name}, {kind}": (kind, *case)
    for name, case in EDGES.items()
    for kind in ("edges/tls", "edges/tcp")
    if kind == "edges/tls" or "mutual_tls" not in case[1]
}


@pytest.mark.parametrize("module", ["object", "estate"])
@pytest.mark.parametrize(("kind", "live", "body", "path"), OF_BOTH_KINDS.values(), ids=OF_BOTH_KINDS)
def test_an_edge_without_a_module_of_its_own(
    tasks: Tasks, kind: str, live: Given | None, body: Given, path: str | None, module: str
) -> None:
    one = {"collection": kind, "find_by": {"metadata": "edge"}, "body": body}
    if live is not None:
        tcp = {"objects": {kind: [{"metadata": "edge", **live}]}}
        tasks.service.seed(**(tcp if kind == "edges/tcp" else {"tls_edges": [{"metadata": "edge", **live}]}))
    options = one if module == "object" else {"objects": [{"name": "edge", **one}]}
    for check in (True, False) if path else ():
        result = tasks.failed(module, check, **options)
        refusal = f"body.{path}: it is empty, so everyone would be let in. If you want that, set `allow_empty: true`"
        assert (refusal in result["msg"], writes(result)) == (True, [])
    converges(tasks, module, **options, allow_empty=bool(path))
    assert not tasks.done(module, **options)["changed"]


def test_a_put_sends_a_restriction_without_what_is_not_declared_of_it(tasks: Tasks) -> None:
    edge_id = seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_a"]})
    one = {"collection": "edges/tls", "id": edge_id, "update_method": "PUT"}
    body = {"ip_restriction": {"enabled": True}, "description": "new", "hostports": [HOSTPORT]}
    assert "everyone would be let in" in tasks.failed("object", **one, body=body, purge_hostports=True)["msg"]


def test_an_estate_names_every_empty_restriction(tasks: Tasks) -> None:
    routes = [{**KEY, **modules("saml=<x/>")}]
    estate = {
        "https_edges": [{"id": seed_edge(tasks), "routes": routes, "mutual_tls": {"certificate_authority_ids": []}}],
        "tls_edges": [{"edge_id": seed_tls_edge(tasks), "ip_restriction": {"ip_policy_ids": []}}],
    }
    failures = tasks.failed("estate", **estate)["failures"]
    assert {one["msg"].partition(": it is")[0] for one in failures if "is empty" in one["msg"]} == {
        "mutual_tls.certificate_authority_ids",
        "saml.authorized_groups",
        "ip_policy_ids",
    }
    converges(tasks, "estate", **estate, allow_empty=True)


SLASH = "`match` has no leading slash, but every path begins with one. Did you mean {}?"
LINE_BREAK = r"`match` contains '\n', which no path contains, so it may match no request."
SEVERAL = "oauth and oidc are enabled. Some services allow only one of them on a route."
WITHOUT_SECRET = (
    "`oidc.client_secret` is omitted, so the new login has no secret, and works only with a provider that needs none."
)
EVERYONE = "`oauth.provider.google` lists nobody, so everyone with an account at google can log in."
GOOGLE: Given = {"oauth": {"provider": {"google": {}}}}

# What is live of the route (null: there is none), what is declared, and the warning.
CASES = cases(
    """
    a match without a slash        | null | match: admin | *ADMIN
    a match with a line break      | null | match: "/admin\\n" | *LINE_BREAK
    the match of before            | match: admin | {match: admin, description: new} | ""
    the match of a host            | null | match: a.example | ""
    the match of a host and a path | null | match: a.example/x | ""
    the match of a host with a port | null | match: "localhost:443/x" | ""
    the match of an address         | null | match: 10.0.0.1/x | ""
    the match of an IDN             | null | match: shop.xn--p1ai/x | ""
    a file without a slash          | null | match: .well-known/x | *WELL_KNOWN
    a match that becomes one without | match: admin | {id: edghtsrt_place, match: x/admin} | *X_ADMIN
    two logins                     | {} | {<<: *OAUTH, <<: *OIDC} | *SEVERAL
    one more login                 | *OAUTH | *OIDC | *SEVERAL
    two logins of before           | {<<: *OAUTH, <<: *OIDC} | description: new | ""
    no secret                      | {} | oidc: *BARE | *WITHOUT_SECRET
    no secret of what is disabled  | {} | oidc: {<<: *BARE, enabled: false} | ""
    the secret of before           | *OIDC | {oidc: *BARE, description: new} | ""
    no secret as before            | oidc: *BARE | {oidc: *BARE, description: new} | ""
    an open route gets a login for everyone | {} | *GOOGLE | *EVERYONE
    a new route gets a login for everyone | null | *GOOGLE | *EVERYONE
    it admits some                 | null | *SOMEBODY | ""
    only one of two does           | null | oauth: {provider: {google: {}, github: {}}} | *EVERYONE
    it is disabled                 | null | oauth: {provider: {google: {}}, enabled: false} | ""
    a network is required as well  | null | {<<: *GOOGLE, ip_restriction: {ip_policy_ids: [ipp_one]}} | ""
    it is there                    | *GOOGLE | description: new | ""
    it admitted some, which is a warning of its own | *SOMEBODY | *GOOGLE | ""
    """,
    OAUTH={"oauth": {"provider": {"github": {"client_id": "c", "client_secret": "canary-of-oauth"}}}},
    OIDC=modules("issuer=https://issuer.example.com"),
    BARE={"issuer": "https://issuer.example.com", "client_id": "app"},
    GOOGLE=GOOGLE,
    SOMEBODY=modules("staff"),
    ADMIN=SLASH.format("/admin"),
    WELL_KNOWN=SLASH.format("/.well-known/x"),
    X_ADMIN=SLASH.format("/x/admin"),
    LINE_BREAK=LINE_BREAK,
    SEVERAL=SEVERAL,
    WITHOUT_SECRET=WITHOUT_SECRET,
    EVERYONE=EVERYONE,
)
ALL = (SLASH.format("")[:20], LINE_BREAK, SEVERAL, WITHOUT_SECRET, EVERYONE)


def doubts(result: Given) -> list[str]:
    """The warnings of these kinds, without the name of the route."""
    found = [one.partition(": ")[2] for one in result.get("warnings", ())]
    return [one for one in found if one.startswith(ALL)]


@pytest.mark.parametrize(("live", "declared", "warning"), CASES.values(), ids=CASES)
def test_what_is_new_and_doubtful_is_a_warning(tasks: Tasks, live: Given | None, declared: Given, warning: str) -> None:
    seed_edge(tasks) if live is None else seed_route(tasks, **live)
    options = {"edge_id": EDGE, **KEY, **declared, "allow_empty": True}
    for check in (True, False):
        # Whether it allows several logins, a service says itself in a real run.
        is_warned = bool(warning) and (check or warning != SEVERAL)
        found = doubts(tasks.done("https_edge_route", check, **options))
        assert [one[: len(warning)] for one in found] == [warning] * is_warned
    assert doubts(tasks.done("https_edge_route", **options)) == []


@pytest.mark.parametrize("module", ["https_edge_route", "https_edge_routes", "estate"])
def test_every_module_that_declares_a_route_warns(tasks: Tasks, module: str) -> None:
    seed_edge(tasks)
    options = in_each_module(GOOGLE)[module]
    for check, expected in ((True, [EVERYONE]), (False, [EVERYONE]), (False, [])):
        result = tasks.done(module, check, **options)
        assert [EVERYONE for one in result.get("warnings", ()) if EVERYONE in one] == expected


TLS, PROVIDER = "tls_termination.min_version", "webhook_verification.provider"
# Values of which nobody knows all, and the known one that they almost are.
NEAR_MISSES: list[tuple[str, str, str]] = [
    *((TLS, value, meant) for value, meant in (("12", "1.2"), ("1,3", "1.3"), ("1.22", "1.2"))),
    *((TLS, value, "") for value in ("1.3", "TLSv1.3", "")),
    *((PROVIDER, value, meant) for value, meant in (("gihtub", "github"), ("Slak", "slack"), ("stripee", "stripe"))),
    *((PROVIDER, value, "") for value in ("smd", "SLACK", "acme")),
]


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("path", "value", "meant"), NEAR_MISSES)
def test_a_value_that_is_nearly_known_warns(tasks: Tasks, path: str, value: str, meant: str, check: bool) -> None:
    seed_edge(tasks)
    edge: Given = {"hostports": [HOSTPORT], "tls_termination": {"min_version": value}}
    if path == PROVIDER:
        webhook = {"webhook_verification": {"provider": value, "secret": "words-of-the-provider"}}
        edge = {"hostports": [HOSTPORT], "routes": [{**KEY, **webhook}]}
    result = tasks.done("estate", check, https_edges=[edge])
    warnings = [warning for warning in result.get("warnings", ()) if path in warning]
    assert [f"did you mean `{meant}`?" in warning for warning in warnings] == [True] * bool(meant)
    if not check:  # The service has accepted it.
        assert "did you mean" not in str(tasks.done("estate", https_edges=[edge]).get("warnings"))
