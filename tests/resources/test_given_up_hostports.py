# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge serves, and that nothing in the task declares, goes only with permission. This holds for
HTTPS edges and for edges that are declared as objects.
"""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from places import KEY
from scripted_service import Received, Response, rejecting

A, B, C, D, E, F = (f"{name}.example.com:443" for name in "abcdef")
NEW, WILD, FOREIGN, OTHER = "new.example.com:443", "*.example.com:443", "foreign.org:443", "other.org:443"
ONE, TWO = {"id": "edghts_one"}, {"id": "edghts_two"}
TLS = {"name": "tls", "collection": "edges/tls", "id": "edgtls_tls"}
TCP = {"name": "tcp", "collection": "edges/tcp", "id": "edgtcp_tcp"}
Estate = dict[str, Any]


def https(*edges: dict[str, Any]) -> Estate:
    return {"https_edges": list(edges)}


def of(edge: dict[str, Any], *hostports: str, **more: Any) -> dict[str, Any]:
    return {**edge, "hostports": list(hostports), **more}


def objects(*declared: dict[str, Any], **more: Any) -> Estate:
    return {"objects": list(declared), **more}


def an(edge: dict[str, Any], *hostports: str, **more: Any) -> dict[str, Any]:
    return {**edge, "body": {"hostports": list(hostports)}, **more}


def found(edge: dict[str, Any], *hostports: str) -> dict[str, Any]:
    return {**an(edge, *hostports), "id": None, "find_by": {"description": edge["name"]}}


def served(tasks: Tasks) -> dict[str, list[str]]:
    state = tasks.service.state()
    edges = [*state["https_edges"], *state["tls_edges"], *state["objects"]["edges/tcp"]]
    return {edge["id"]: sorted(edge.get("hostports", ())) for edge in edges}


def all_served(tasks: Tasks) -> list[str]:
    return sorted(name.lower() for names in served(tasks).values() for name in names)


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    tasks.service.seed(
        https_edges=[of(ONE, A, B, metadata="one"), of(TWO, C, metadata="two")],
        tls_edges=[{"id": TLS["id"], "description": "tls", "hostports": [D, E]}],
        objects={"edges/tcp": [{"id": TCP["id"], "description": "tcp", "hostports": [F]}]},
    )
    return tasks


# What is declared, and what its first edge would give up.
SHORT: dict[str, tuple[Estate, list[str]]] = {
    "found by a hostport": (https({"hostports": [A]}), [B]),
    "found by a hostport in other letter case": (https({"hostports": [B.upper()]}), [A]),
    "found by its ID": (https(of(ONE, A)), [B]),
    "found by its metadata": (https({"find_by": "metadata", "metadata": "one", "hostports": [B]}), [A]),
    "with another name in its place": (https(of(ONE, NEW)), [A, B]),
    "with a wildcard that covers them": (https(of(ONE, WILD)), [A, B]),
    "on another port": (https(of(ONE, A, "b.example.com:8443")), [B]),
    "one moves, one does not": (https(of(ONE), of(TWO, B, C)), [A]),
    "an object by its ID": (objects(an(TLS, D)), [E]),
    "an object by another field": (objects(found(TLS, E)), [D]),
    "an object in other letter case": (objects(an(TLS, E.upper())), [D]),
    "an object with another name in its place": (objects(an(TLS, NEW)), [D, E]),
    "an object as a set": (objects(an(TLS, E, unordered=["hostports"])), [D]),
    "all of an object": (objects(an(TLS)), [D, E]),
    "a TCP edge": (objects(an(TCP, NEW)), [F]),
    "one moves to another object, one does not": (objects(an(TLS), an(TCP, E, F)), [D]),
    "one moves to an HTTPS edge, one does not": (objects(an(TLS), **https(of(TWO, C, D))), [E]),
}
BY_PUT = objects({**TLS, "body": {"description": "new"}, "update_method": "PUT"})
"""The reference service has no such operation, so this is only planned."""


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("declared", "given_up"), [*SHORT.values(), (BY_PUT, [D, E])], ids=[*SHORT, "by a PUT"])
def test_without_permission_the_edge_keeps_them_and_fails(
    live: Tasks, declared: Estate, given_up: list[str], check: bool
) -> None:
    before = served(live)
    result = live.failed("estate", check, **declared, max_deletions=0)
    assert f"hostports: the change would give up {', '.join(given_up)}, because" in result["msg"]
    assert "add `hostports` to `purge`" in result["msg"]
    [first, *_others] = declared.get("objects") or declared["https_edges"]
    options = {name: value for name, value in first.items() if name != "name"}
    alone = live.failed("object" if "objects" in declared else "https_edge", check, **options)
    assert "set `purge_hostports: true`" in alone["msg"]
    assert (writes(result), writes(alone), served(live)) == ([], [], before)


@pytest.mark.parametrize(("declared", "given_up"), SHORT.values(), ids=SHORT)
def test_each_of_them_counts_as_a_deletion_and_is_named(live: Tasks, declared: Estate, given_up: list[str]) -> None:
    purging = {**declared, "purge": ["hostports"], "allow_empty": True}
    refused = live.failed("estate", True, **purging, max_deletions=len(given_up) - 1)
    assert [one["reason"] for one in refused["planned_deletions"]] == [f"gives up {name}" for name in given_up]
    result = live.done("estate", **purging, max_deletions=len(given_up))
    assert [one["gives_up"] for one in result["plan"] if one["gives_up"]] == [{"hostports": given_up}]
    assert not set(given_up) & set(all_served(live))
    assert not live.done("estate", **purging)["changed"]


def test_a_put_gives_up_what_it_does_not_contain(live: Tasks) -> None:
    [entry] = live.done("estate", True, **BY_PUT, purge=["hostports"], allow_empty=True, max_deletions=2)["plan"]
    assert entry["gives_up"] == {"hostports": [D, E]}


def test_a_single_object_may_give_them_up(live: Tasks) -> None:
    for hostports, more in (([D], {}), ([], {"allow_empty": True})):
        options = {"collection": TLS["collection"], "id": TLS["id"], "body": {"hostports": hostports}, **more}
        live.done("object", **options, purge_hostports=True)
        assert served(live)[TLS["id"]] == hostports


ALONE = {name: value for name, value in an(TLS).items() if name != "name"}
PURGE = {"purge": ["hostports"]}
LAST: list[tuple[str, Estate, str]] = [
    ("estate", {**https(of(ONE)), **PURGE}, "set `allow_empty: true`;"),
    ("estate", {**https(of(ONE)), "allow_empty": True}, "add `hostports` to `purge`;"),
    ("estate", https(of(ONE)), "add `hostports` to `purge` and set `allow_empty: true`;"),
    ("https_edge", of(ONE, purge_hostports=True), "set `allow_empty: true`;"),
    ("estate", {**objects(an(TLS)), **PURGE}, "set `allow_empty: true`;"),
    ("estate", {**objects(an(TLS)), "allow_empty": True}, "add `hostports` to `purge`;"),
    ("object", {**ALONE, "purge_hostports": True}, "set `allow_empty: true`;"),
    ("object", ALONE, "set `purge_hostports: true` and set `allow_empty: true`;"),
]


@pytest.mark.parametrize("check", [True, False])
def test_the_last_one_needs_a_permission_of_its_own(live: Tasks, check: bool) -> None:
    for module, options, missing in LAST:
        assert missing in live.failed(module, check, **options)["msg"]
    result = live.failed("estate", check, **https(of(ONE), of(TWO, B, C)), **PURGE)
    assert "edghts_one) failed" in result["failures"][1]["msg"]
    assert (served(live)[ONE["id"]], served(live)[TLS["id"]]) == ([A, B], [D, E])


MOVED: dict[str, Estate] = {
    "to another live edge": https(of(ONE, A), of(TWO, B, C)),
    "to a new edge": https(of(ONE, A), {"hostports": [B]}),
    "to a new edge by its metadata": https(of(ONE, A), {"find_by": "metadata", "metadata": "new", "hostports": [B]}),
    "all of them": https(of(ONE), of(TWO, A, B, C)),
    "in a circle": https(of(ONE, A, C), of(TWO, B)),
    "to an object that is declared later": objects(an(TLS, D), an(TCP, E, F)),
    "to an object that is declared first": objects(an(TCP, E, F), an(TLS, D)),
    "in a circle of objects": objects(an(TLS, F, D), an(TCP, E)),
    "in a circle of objects, in other letter case": objects(an(TLS, F.upper(), D), an(TCP, E.upper())),
    "to a new object": objects(found({**TCP, "name": "three"}, E), an(TLS, D)),
    "to an HTTPS edge": objects(an(TLS, D), **https(of(TWO, C, E))),
    "from an HTTPS edge": objects(an(TLS, C, D, E), **https(of(TWO, NEW))),
    "in a circle with an HTTPS edge": objects(an(TLS, C, D), **https(of(TWO, E))),
    "from an HTTPS edge that is purged": objects(
        an(TLS, C, D, E), **https(of(ONE, A, B), {"hostports": [NEW]}), purge=["edges"]
    ),
}


@pytest.mark.parametrize("declared", MOVED.values(), ids=MOVED)
def test_what_moves_to_another_declared_edge_is_not_given_up(live: Tasks, declared: Estate) -> None:
    result = live.done("estate", **declared, max_deletions=1 if "purge" in declared else 0)
    assert not any(one["gives_up"] for one in result["plan"])
    assert sorted({*all_served(live)} - {NEW}) == [A, B, C, D, E, F]
    assert not live.done("estate", **declared)["changed"]


OF_FOREIGN = f"https_edge {FOREIGN} (edghts_foreign)"
OF_OTHER = "object edges/tls (edgtls_other)"
TAKING: dict[str, tuple[Estate, str, str]] = {
    # What is declared, what fails because of a name that something else keeps, and what has that.
    "an object, of an undeclared HTTPS edge": (
        objects(an(TCP, E, F, FOREIGN), an(TLS, D), **https({"hostports": [C]})),
        "object edges/tcp tcp",
        OF_FOREIGN,
    ),
    "an object, of a declared HTTPS edge": (
        objects(an(TCP, E, F, FOREIGN), an(TLS, D), **https(of({"id": "edghts_foreign"}, FOREIGN))),
        "object edges/tcp tcp",
        OF_FOREIGN,
    ),
    "a new object, of a declared HTTPS edge": (
        objects(an(TLS, D), found({**TCP, "name": "new"}, E, FOREIGN), **https(of({"id": "edghts_foreign"}, FOREIGN))),
        "object edges/tcp new",
        OF_FOREIGN,
    ),
    "an HTTPS edge, of an undeclared object": (
        objects(found(TLS, D), **https(of(TWO, C, E, OTHER))),
        "https_edge c.example.com:443 (edghts_two)",
        OF_OTHER,
    ),
    "an object, of an undeclared object": (
        objects(found(TLS, D), an(TCP, E, F, OTHER)),
        "object edges/tcp tcp",
        OF_OTHER,
    ),
    "an object, of a declared object": (
        objects(an(TLS, D), an({**TLS, "id": "edgtls_other", "name": "three"}, OTHER), an(TCP, E, F, OTHER)),
        "object edges/tcp tcp",
        "object edges/tls three (edgtls_other)",
    ),
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("declared", "failing", "holder"), TAKING.values(), ids=TAKING)
def test_what_another_edge_keeps_is_not_taken(
    live: Tasks, declared: Estate, failing: str, holder: str, check: bool
) -> None:
    """Nothing is given up for an edge that cannot take all of its names."""
    live.service.seed(
        https_edges=[of({"id": "edghts_foreign"}, FOREIGN)],
        tls_edges=[of({"id": "edgtls_other", "description": "other"}, OTHER)],
    )
    before = served(live)
    result = live.failed("estate", check, **declared)
    assert f" belongs to {holder}, and can belong to one " in result["msg"]
    assert [one["object"].startswith(failing) for one in result["failures"]].count(True) == 1
    assert (writes(result), served(live)) == ([], before)


GONE, GONE_OBJECT = of({"id": "edghts_gone"}, B), an({**TCP, "id": "edgtcp_gone"}, E)


@pytest.mark.parametrize("check", [True, False])
def test_what_fails_takes_nothing(live: Tasks, check: bool) -> None:
    """The name would be lost, although something else declares it."""
    before = served(live)
    for declared in (https(of(ONE, A), GONE), objects(an(TLS, D), GONE_OBJECT), objects(an(TLS, D), **https(GONE))):
        assert not writes(live.failed("estate", check, **declared))
    assert served(live) == before


def test_routes_of_the_edge_wait_for_it(live: Tasks) -> None:
    """Otherwise, the hostports that stay would be served by what is declared for others."""
    live.service.seed(https_edges=[of({"id": "edghts_with"}, WILD, OTHER, routes=[{"id": "edghtsrt_x", **KEY}])])
    for route, not_done in (
        ({"id": "edghtsrt_x", **KEY, "description": "new"}, "Not changed"),
        ({**KEY, "match": "/new"}, "Not created"),
    ):
        edge = of({"id": "edghts_with"}, OTHER, routes=[route])
        result = live.failed("estate", https_edges=[edge], purge=["routes"])
        assert (writes(result), not_done in result["msg"], "would-be" in result["msg"]) == ([], True, False)
        [shown] = result["https_edges"]
        assert (shown["id"], len(shown["hostports"])) == ("edghts_with", 2)


M = "meanwhile.example.com:443"


def run_with_a_second_writer(
    live: Tasks, edge: dict[str, Any], *, takes_effect: bool = False, **options: Any
) -> dict[str, Any]:
    """The result of an estate, while the response to the first PATCH of an edge is lost and somebody gives it M."""
    sent: list[Received] = []
    own = {"collection": edge["collection"]} if "collection" in edge else {}

    def instead(request: Received) -> Response | None:
        if request.method != "PATCH" or not request.path.endswith(edge["id"]):
            return None
        sent.append(request)
        if len(sent) > 1:
            return None
        if takes_effect:
            live.done("api", method="PATCH", path=request.path, body=request.json())
        hostports = {"hostports": [*served(live)[edge["id"]], M]}
        live.done(
            "object" if own else "https_edge", id=edge["id"], **own, **({"body": hostports} if own else hostports)
        )
        return Response(503)

    return live.run("estate", instead=instead, retries=2, **options)


@pytest.mark.parametrize("purge", [[], ["hostports"]])
@pytest.mark.parametrize(("edge", "declared"), [(TWO, https(of(TWO, C, NEW))), (TCP, objects(an(TCP, F, NEW)))])
def test_what_another_job_adds_meanwhile_stays(
    live: Tasks, edge: dict[str, Any], declared: Estate, purge: list[str]
) -> None:
    """The response to the first PATCH is lost. Before it is sent again, the edge is read and planned again."""
    result = run_with_a_second_writer(live, edge, **declared, purge=purge, max_deletions=0)
    assert result["failed"]
    assert M in served(live)[edge["id"]]
    assert ("max_deletions" if purge else f"would give up {M}") in result["msg"]


# What is declared, the edge whose first PATCH is lost, and whether that PATCH took effect.
LATER: dict[str, tuple[Estate, dict[str, Any], bool]] = {
    "the PATCH is sent again": (https(of(TWO, C, description="d")), TWO, False),
    "it took effect": (https(of(TWO, C, WILD, description="d")), TWO, True),
    "a step in between of a swap": (https(of(ONE, C), of(TWO, A, B)), ONE, False),
    "a step in between of an edge that is purged": ({**https(of(TWO, A, C)), "purge": ["edges"]}, ONE, False),
}


@pytest.mark.parametrize("purge", [[], ["hostports"]])
@pytest.mark.parametrize(("options", "edge", "takes_effect"), LATER.values(), ids=LATER)
def test_what_the_task_has_seen_meanwhile_is_counted(
    live: Tasks, options: Estate, edge: dict[str, Any], takes_effect: bool, purge: list[str]
) -> None:
    """The plan has all deletions that are allowed."""
    most = 1 if "purge" in options else 0
    options = {**options, "purge": [*options.get("purge", ()), *purge], "max_deletions": most}
    run_with_a_second_writer(live, edge, takes_effect=takes_effect, **options)
    assert M in served(live)[edge["id"]]


def test_a_name_is_given_up_as_late_as_possible(live: Tasks) -> None:
    """The edge that takes it waits for the login of its route. If the service rejects that, the name stays."""
    three, route = {"id": "edghts_three"}, {"id": "edghtsrt_three", **KEY}
    live.service.seed(https_edges=[of(three, OTHER, routes=[{**route, "backend": {"backend_id": "bkd_x"}}])])
    login = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "words"}}
    declared = https(of(ONE, A), of(three, B, OTHER, routes=[{**route, **login}]))
    live.failed("estate", instead=rejecting("PATCH", "edghtsrt_three"), **declared)
    assert served(live)[ONE["id"]] == [A, B]
    live.done("estate", **declared)
    assert served(live)["edghts_three"] == [B, OTHER]


def test_what_nothing_serves_after_a_failure_is_named(live: Tasks) -> None:
    """Also if the edge that takes it was only withheld, because another one failed that it waits for."""
    three = {"id": "edghts_three"}
    live.service.seed(https_edges=[of(three, OTHER, FOREIGN)])
    declared = https(of(ONE, A), of(TWO, B, C, OTHER), of(three, FOREIGN))
    result = live.failed("estate", instead=rejecting("PATCH", "edghts_three"), **declared)
    lost = {A, B, C} - {*all_served(live)}
    assert all(f"Possibly no object has {name} now" in result["msg"] for name in lost)


@pytest.mark.parametrize("find_by", ["none", "metadata"])
def test_a_new_edge_waits_for_a_slow_release(live: Tasks, find_by: str) -> None:
    live.service.switches(slow_releases=1)
    live.done("estate", **https(of(ONE, A), {"find_by": find_by, "metadata": "new", "hostports": [B]}), retries=3)
    assert all_served(live) == [A, B, C, D, E, F]


def test_other_lists_and_collections_are_not_concerned(live: Tasks) -> None:
    """No other field is known to hold names of hosts that belong to one object only."""
    live.service.seed(objects={"ip_policies": [{"id": "ipp_x", "description": "x", "metadata": "m"}]})
    live.done("object", collection="ip_policies", id="ipp_x", body={"metadata": "n"})
    live.done("object", collection=TCP["collection"], id=TCP["id"], body={"description": "new"})
    assert served(live)[TCP["id"]] == [F]
