# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport of an edge that is declared as an object goes only with permission, as one of an HTTPS edge does."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from scripted_service import Received, Response, forwarding, scripted_service

A, B, C, H = "a.example.com:443", "b.example.com:443", "c.example.com:443", "h.example.com:443"
NEW = "new.example.com:443"
ONE = {"name": "one", "collection": "edges/tls", "id": "edgtls_one"}
TWO = {"name": "two", "collection": "edges/tcp", "id": "edgtcp_two"}
HTTPS = {"id": "edghts_one"}
Estate = dict[str, Any]


def served(tasks: Tasks) -> dict[str, list[str]]:
    state = tasks.service.state()
    edges = [*state["https_edges"], *state["tls_edges"], *state["objects"]["edges/tcp"]]
    return {edge["id"]: sorted(edge["hostports"]) for edge in edges}


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    tasks.service.seed(
        https_edges=[{**HTTPS, "hostports": [H]}],
        tls_edges=[{"id": ONE["id"], "description": "one", "hostports": [A, B]}],
        objects={"edges/tcp": [{"id": TWO["id"], "description": "two", "hostports": [C]}]},
    )
    return tasks


def an(edge: dict[str, Any], *hostports: str, **more: Any) -> dict[str, Any]:
    return {**edge, "body": {"hostports": list(hostports)}, **more}


def by_description(edge: dict[str, Any], *hostports: str) -> dict[str, Any]:
    return {**an(edge, *hostports), "id": None, "find_by": {"description": edge["name"]}}


# What is declared, and what the first object would give up.
SHORT: dict[str, tuple[Estate, list[str]]] = {
    "found by its ID": ({"objects": [an(ONE, A)]}, [B]),
    "found by another field": ({"objects": [by_description(ONE, B)]}, [A]),
    "in other letter case": ({"objects": [an(ONE, B.upper())]}, [A]),
    "with another name in its place": ({"objects": [an(ONE, NEW)]}, [A, B]),
    "as a set": ({"objects": [an(ONE, B, unordered=["hostports"])]}, [A]),
    "all of them": ({"objects": [an(ONE)]}, [A, B]),
    "of a TCP edge": ({"objects": [an(TWO, NEW)]}, [C]),
    "one moves, one does not": ({"objects": [an(ONE), an(TWO, B, C)]}, [A]),
    "one moves to an HTTPS edge, one does not": (
        {"objects": [an(ONE)], "https_edges": [{**HTTPS, "hostports": [A, H]}]},
        [B],
    ),
}


BY_PUT: Estate = {"objects": [{**ONE, "body": {"description": "new"}, "update_method": "PUT"}]}
"""The reference service has no such operation, so this is only planned."""


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("declared", "given_up"), [*SHORT.values(), (BY_PUT, [A, B])], ids=[*SHORT, "by a PUT"])
def test_without_permission_the_object_keeps_them_and_fails(
    live: Tasks, declared: Estate, given_up: list[str], check: bool
) -> None:
    before = served(live)
    result = live.failed("estate", check, **declared, max_deletions=0)
    assert f"hostports: the change would give up {', '.join(given_up)}, because" in result["msg"]
    assert "add `hostports` to `purge`" in result["msg"]
    assert not writes(result)
    alone = live.failed(
        "object", check, **{name: one for name, one in declared["objects"][0].items() if name != "name"}
    )
    assert "set `purge_hostports: true`" in alone["msg"]
    assert not writes(alone)
    assert served(live) == before


@pytest.mark.parametrize(("declared", "given_up"), SHORT.values(), ids=SHORT)
def test_each_of_them_counts_as_a_deletion_and_is_named(live: Tasks, declared: Estate, given_up: list[str]) -> None:
    purging = {**declared, "purge": ["hostports"], "allow_empty": True}
    refused = live.failed("estate", True, **purging, max_deletions=len(given_up) - 1)
    assert [one["reason"] for one in refused["planned_deletions"]] == [f"gives up {name}" for name in given_up]
    result = live.done("estate", **purging, max_deletions=len(given_up))
    assert [one["gives_up"] for one in result["plan"] if one["gives_up"]] == [{"hostports": given_up}]
    assert not set(given_up) & {name for names in served(live).values() for name in names}


def test_a_put_gives_up_what_it_does_not_contain(live: Tasks) -> None:
    [entry] = live.done("estate", True, **BY_PUT, purge=["hostports"], allow_empty=True, max_deletions=2)["plan"]
    assert entry["gives_up"] == {"hostports": [A, B]}


def test_a_single_object_may_give_them_up(live: Tasks) -> None:
    for hostports, more, kept in (([A], {}, [A]), ([], {"allow_empty": True}, [])):
        options = {"collection": ONE["collection"], "id": ONE["id"], "body": {"hostports": hostports}, **more}
        live.done("object", **options, purge_hostports=True)
        assert served(live)[ONE["id"]] == kept


@pytest.mark.parametrize("check", [True, False])
def test_the_last_one_needs_a_permission_of_its_own(live: Tasks, check: bool) -> None:
    alone = {name: value for name, value in an(ONE).items() if name != "name"}
    for module, options, missing in (
        ("estate", {"objects": [an(ONE)], "purge": ["hostports"]}, "set `allow_empty: true`;"),
        ("estate", {"objects": [an(ONE)], "allow_empty": True}, "add `hostports` to `purge`;"),
        ("object", {**alone, "purge_hostports": True}, "set `allow_empty: true`;"),
        ("object", alone, "set `purge_hostports: true` and set `allow_empty: true`;"),
    ):
        assert missing in live.failed(module, check, **options)["msg"]
    assert served(live)[ONE["id"]] == [A, B]


MOVED: dict[str, Estate] = {
    "to an object that is declared later": {"objects": [an(ONE, A), an(TWO, B, C)]},
    "to an object that is declared first": {"objects": [an(TWO, B, C), an(ONE, A)]},
    "in a circle": {"objects": [an(ONE, C, A), an(TWO, B)]},
    "in a circle, in other letter case": {"objects": [an(ONE, C.upper(), A), an(TWO, B.upper())]},
    "to a new object": {"objects": [by_description({**TWO, "name": "three"}, B), an(ONE, A)]},
    "to an HTTPS edge": {"objects": [an(ONE, A)], "https_edges": [{**HTTPS, "hostports": [B, H]}]},
    "from an HTTPS edge": {"objects": [an(ONE, A, B, H)], "https_edges": [{**HTTPS, "hostports": [NEW]}]},
    "in a circle with an HTTPS edge": {"objects": [an(ONE, A, H)], "https_edges": [{**HTTPS, "hostports": [B]}]},
    "from an HTTPS edge that is purged": {
        "objects": [an(ONE, A, B, H)],
        "https_edges": [{"hostports": [NEW]}],
        "purge": ["edges"],
    },
}


@pytest.mark.parametrize("declared", MOVED.values(), ids=MOVED)
def test_what_moves_to_another_declared_edge_is_not_given_up(live: Tasks, declared: Estate) -> None:
    result = live.done("estate", **declared, max_deletions=1 if "purge" in declared else 0)
    assert not any(one["gives_up"] for one in result["plan"])
    names = [name.lower() for names in served(live).values() for name in names]
    assert sorted({*names} - {NEW}) == [A, B, C, H]
    assert not live.done("estate", **declared)["changed"]


def test_what_fails_takes_nothing(live: Tasks) -> None:
    """The name would be lost, although something else declares it."""
    gone = {"id": "edghts_gone", "hostports": [B]}
    gone_object = {**TWO, "id": "edgtcp_gone"}
    for declared in ({"objects": [an(ONE, A)], "https_edges": [gone]}, {"objects": [an(ONE, A), an(gone_object, B)]}):
        for check in (True, False):
            assert not writes(live.failed("estate", check, **declared))
    assert served(live)[ONE["id"]] == [A, B]


D = "d.example.com:443"
FOREIGN = {"id": "edghts_foreign", "hostports": [D]}
TAKING: dict[str, tuple[Estate, str, str]] = {
    # What is declared, what fails because of D, and what has D.
    "an object, of an undeclared HTTPS edge": (
        {"objects": [an(TWO, B, C, D), an(ONE, A)], "https_edges": [{"hostports": [H]}]},
        "object edges/tcp two",
        "https_edge d.example.com:443 (edghts_foreign)",
    ),
    "an object, of a declared HTTPS edge": (
        {"objects": [an(TWO, B, C, D), an(ONE, A)], "https_edges": [FOREIGN, HTTPS]},
        "object edges/tcp two",
        "https_edge d.example.com:443 (edghts_foreign)",
    ),
    "a new object, of a declared HTTPS edge": (
        {"objects": [an(ONE, A), by_description({**TWO, "name": "new"}, B, D)], "https_edges": [FOREIGN]},
        "object edges/tcp new",
        "https_edge d.example.com:443 (edghts_foreign)",
    ),
    "an HTTPS edge, of an undeclared object": (
        {"objects": [by_description(ONE, A)], "https_edges": [{**HTTPS, "hostports": [B, H, "other.org:443"]}]},
        "https_edge h.example.com:443 (edghts_one)",
        "object edges/tls (edgtls_other)",
    ),
    "an object, of an undeclared object of another kind": (
        {"objects": [by_description(ONE, A), an(TWO, B, C, "other.org:443")]},
        "object edges/tcp two",
        "object edges/tls (edgtls_other)",
    ),
    "an object, of a declared object of another kind": (
        {
            "objects": [
                an(ONE, A),
                an({**ONE, "id": "edgtls_other", "name": "three"}, "other.org:443"),
                an(TWO, B, C, "other.org:443"),
            ]
        },
        "object edges/tcp two",
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
        https_edges=[FOREIGN],
        tls_edges=[{"id": "edgtls_other", "description": "other", "hostports": ["other.org:443"]}],
    )
    before = served(live)
    result = live.failed("estate", check, **declared)
    assert f" belongs to {holder}, and can belong to one " in result["msg"]
    assert [one["object"].startswith(failing) for one in result["failures"]].count(True) == 1
    assert not writes(result)
    assert served(live) == before


@pytest.mark.parametrize("purge", [[], ["hostports"]])
def test_what_another_job_adds_meanwhile_stays(live: Tasks, purge: list[str]) -> None:
    forward, sent = forwarding(live.service.base_url), []

    def script(request: Received) -> Response:
        if request.method == "PATCH":
            sent.append(request)
            if len(sent) == 1:
                live.done("object", collection="edges/tcp", id=TWO["id"], body={"hostports": [C, "added.org:443"]})
                return Response(503)
        return forward(request)

    with scripted_service(script) as between:
        options = {"objects": [an(TWO, C, NEW)], "purge": purge, "max_deletions": 0}
        result = live.failed("estate", base_url=between.base_url, retries=2, **options)
    assert "added.org:443" in served(live)[TWO["id"]]
    assert ("max_deletions" if purge else "would give up added.org:443") in result["msg"]


def test_other_lists_and_collections_are_not_concerned(live: Tasks) -> None:
    """No other field is known to hold names of hosts that belong to one object only."""
    live.service.seed(objects={"ip_policies": [{"id": "ipp_x", "description": "x", "metadata": "m"}]})
    live.done("object", collection="ip_policies", id="ipp_x", body={"metadata": "n"})
    live.done("object", collection=TWO["collection"], id=TWO["id"], body={"description": "new"})
    assert served(live)[TWO["id"]] == [C]
