# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulator of the traffic, by which the tests with failures judge who gets through."""

from __future__ import annotations

from typing import Any

import pytest

from opened import Ends
from reachability import Probe, Reachability, probes, shown

HOSTPORT = "a.example.com:443"
ONE, TWO = ({"backend": {"backend_id": name}} for name in ("one", "two"))
CLOSED = {"backend": {"backend_id": "one", "enabled": False}}
OIDC = {"oidc": {"issuer": "https://id.example.com", "client_id": "app"}}
OTHER_OIDC = {"oidc": {"issuer": "https://other.example.com", "client_id": "app"}}
NETWORK = {"ip_restriction": {"ip_policy_ids": ["office"]}}
WIDER_NETWORK = {"ip_restriction": {"ip_policy_ids": ["office", "branch"]}}
CERTIFICATE = {"mutual_tls": {"certificate_authority_ids": ["staff"]}}
WEBHOOK = {"webhook_verification": {"provider": "slack", "secret": "signing"}}


def route(match: str, *modules: Any, match_type: str = "path_prefix", **fields: Any) -> dict[str, Any]:
    merged = {name: value for module in modules for name, value in module.items()}
    return {"id": match, "match_type": match_type, "match": match, **merged, **fields}


def edge(*routes: Any, hostports: Any = (HOSTPORT,), **modules: Any) -> dict[str, Any]:
    return {"id": "edge", "hostports": list(hostports), "routes": list(routes), **modules}


def estate(*edges: Any, **objects: Any) -> dict[str, Any]:
    return {"https_edges": list(edges), "objects": objects}


def seen(path: str, *routes: Any, hostport: str = HOSTPORT, **modules: Any) -> str:
    """Where a request gets to, in words."""
    return str(Reachability(estate(edge(*routes, **modules))).way(Probe(hostport, path)))


PLACES = {
    "no edge has the hostport": (seen("/", route("/", ONE), hostport="b.example.com:443"), "closed"),
    "the port is part of it": (seen("/", route("/", ONE), hostport="a.example.com:8443"), "closed"),
    "no route matches": (seen("/", route("/admin", ONE)), "closed"),
    "the route itself": (seen("/admin", route("/admin", ONE)), "public -> one"),
    "below a prefix": (seen("/admin/x", route("/admin", ONE)), "public -> one"),
    "next to a prefix": (seen("/administrator", route("/admin", ONE)), "closed"),
    "below an exact path": (seen("/admin/x", route("/admin", ONE, match_type="exact_path")), "closed"),
    "a longer prefix takes it": (seen("/admin/x", route("/", ONE), route("/admin", TWO)), "public -> two"),
    "an exact path takes it": (
        seen("/admin", route("/admin", ONE), route("/admin", TWO, match_type="exact_path")),
        "public -> two",
    ),
    "another host": (seen("/", route("/", ONE), route("b.example.com/", TWO)), "public -> one"),
    "its own host": (seen("/x", route("/", ONE), route("a.example.com", TWO)), "public -> two"),
    "a closed route still takes it": (seen("/admin", route("/", ONE), route("/admin", CLOSED)), "closed"),
    "a route without a backend as well": (seen("/admin", route("/", ONE), route("/admin")), "closed"),
}

REQUIREMENTS = {
    "a login": (
        seen("/", route("/", ONE, OIDC)),
        'oidc {"client_id": "app", "issuer": "https://id.example.com"} -> one',
    ),
    "a network": (seen("/", route("/", ONE, WIDER_NETWORK)), "network branch|office -> one"),
    "a disabled module": (
        seen("/", route("/", ONE, ip_restriction={**NETWORK["ip_restriction"], "enabled": False})),
        "public -> one",
    ),
    "a module of the edge": (seen("/", route("/", ONE), **CERTIFICATE), "certificate staff -> one"),
    "everything together": (
        seen("/", route("/", ONE, NETWORK), **CERTIFICATE),
        "certificate staff and network office -> one",
    ),
    "a signature": (
        seen("/", route("/", ONE, WEBHOOK)),
        'webhook_verification {"provider": "slack", "secret": "signing"} -> one',
    ),
}


@pytest.mark.parametrize(("got", "expected"), [*PLACES.values(), *REQUIREMENTS.values()], ids=[*PLACES, *REQUIREMENTS])
def test_where_a_request_gets_to(got: str, expected: str) -> None:
    assert got == expected


def test_probes_are_at_each_match_below_it_and_next_to_it() -> None:
    found = probes(Reachability(estate(edge(route("b.example.com/admin", ONE)))))
    assert {str(probe).removeprefix(HOSTPORT) for probe in found} == {
        *("/", "/.probe", "/-other", "/admin", "/admin/.probe", "/admin-other")
    }


def test_a_new_object_is_known_by_its_description() -> None:
    state = estate(edge(route("/", {"backend": {"backend_id": "made up"}}), id="x"), backends=[])
    state["objects"]["backends"] = [{"id": "made up", "description": "shop"}]
    assert [str(way) for way in Ends(frozenset("x"), state).states[0].routes().values()] == ["public -> shop"]


def moment(*routes: Any, **modules: Any) -> dict[str, Any]:
    return estate(edge(*routes, **modules))


# Before a run, after it, and at a moment in between; and whether that opens something.
MOMENTS: dict[str, tuple[Any, Any, Any, bool]] = {
    "as before": (moment(route("/", ONE)), moment(route("/", ONE, OIDC)), moment(route("/", ONE)), False),
    "both protections": (
        moment(route("/", ONE), **CERTIFICATE),
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE, OIDC), **CERTIFICATE),
        False,
    ),
    "neither protection": (
        moment(route("/", ONE), **CERTIFICATE),
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE)),
        True,
    ),
    "closed in between": (
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE, OTHER_OIDC)),
        moment(route("/", CLOSED)),
        False,
    ),
    "the old one is gone, and the new one is not there": (
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE, OTHER_OIDC)),
        moment(route("/", ONE)),
        True,
    ),
    "certificates are gone before a route is": (
        moment(route("/admin", ONE), **CERTIFICATE),
        moment(),
        moment(route("/admin", ONE)),
        True,
    ),
    "what is closed at both ends": (moment(route("/", CLOSED)), moment(), moment(route("/", ONE, OIDC)), True),
    "a policy less, which may be the one that denies": (
        moment(route("/", ONE, WIDER_NETWORK)),
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE, NETWORK)),
        True,
    ),
    "more networks than at both ends": (
        moment(route("/", ONE, NETWORK)),
        moment(route("/", ONE, NETWORK, OIDC)),
        moment(route("/", ONE, WIDER_NETWORK)),
        True,
    ),
    "a wide route opens before the narrow one is there": (
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE), route("/admin", ONE, OIDC)),
        moment(route("/", ONE)),
        True,
    ),
    "a hostport before the protection": (
        estate(edge(route("/", ONE), hostports=[])),
        moment(route("/", ONE, OIDC)),
        moment(route("/", ONE)),
        True,
    ),
    "a new route without its protection": (moment(), moment(route("/", ONE, OIDC)), moment(route("/", ONE)), True),
    "the old backend without the old protection": (
        moment(route("/", ONE, OIDC)),
        moment(route("/", TWO)),
        moment(route("/", ONE)),
        True,
    ),
    "the new backend with the old protection": (
        moment(route("/", ONE, OIDC)),
        moment(route("/", TWO)),
        moment(route("/", TWO, OIDC)),
        False,
    ),
    "a closed route that moves leaves its paths to the wide one": (
        moment(route("/", ONE), route("/admin", CLOSED)),
        moment(route("/", ONE), route("/admin", CLOSED, id="other")),
        moment(route("/", ONE)),
        True,
    ),
}


@pytest.mark.parametrize(("before", "after", "now", "opens"), MOMENTS.values(), ids=MOMENTS)
def test_a_moment_opens_paths_that_are_closed_before_and_after(before: Any, after: Any, now: Any, opens: bool) -> None:
    ends = Ends(frozenset(), before, after)
    assert bool(ends.opened(now)) == opens
    assert ends.opened(before) == ends.opened(after) == []


def test_a_route_that_gets_another_backend_on_another_path() -> None:
    """Seen from outside, somebody got through to `/` without a login before; but not to this backend."""
    before = moment(route("/", TWO, id="wide"), route("/admin", ONE, OIDC, id="narrow"))
    after = moment(route("/", TWO, id="wide"), route("/pub", TWO, id="narrow"))
    now = moment(route("/", TWO, id="wide"), route("/pub", ONE, id="narrow"))
    [opened] = Ends(frozenset({"wide", "narrow"}), before, after).opened(now)
    assert opened.startswith("opened: route narrow is public")


def test_a_path_that_a_wider_route_takes_over() -> None:
    """Both routes lead to one backend, which is public elsewhere, so only the path shows that it is another request."""
    before = moment(route("/", ONE), route("/admin", ONE, OIDC))
    after = moment(route("/", TWO))
    ends = Ends(frozenset(), before, after)
    assert not ends.opened(moment(route("/", ONE)))
    assert [one.partition(" is ")[0] for one in ends.shown_elsewhere(moment(route("/", ONE)))] == [
        f"{HOSTPORT}{path}" for path in ("/admin", "/admin/.probe")
    ]


def test_a_route_for_a_host_that_its_edge_does_not_serve() -> None:
    assert str(Reachability(moment(route("b.example.com/x", ONE))).routes()["b.example.com/x"]) == "closed"


def test_nobody_and_everybody() -> None:
    assert (shown(None), shown(frozenset())) == ("closed", "public")
