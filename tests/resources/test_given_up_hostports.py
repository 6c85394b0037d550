# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport that an edge serves, and that nothing in the task declares, goes only with permission. This holds for
HTTPS edges and for edges that are declared as objects.
"""

from __future__ import annotations

import pytest

from cases import cases
from module_task import Tasks, writes
from places import KEY
from scripted_service import Received, Response, once
from served_names import Given, estate, hostports, seed, served


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    return seed(tasks, "one:ab two:c three:g tls:de tcp:f")


def alone(declared: Given) -> tuple[str, Given]:
    """The module that declares the first of the edges without others, and its options."""
    [first, *_others] = declared.get("objects") or declared["https_edges"]
    options = {name: value for name, value in first.items() if name != "name"}
    return "object" if "objects" in declared else "https_edge", options


BY_PUT = {"objects": [{**estate("tls")["objects"][0], "body": {"description": "new"}, "update_method": "PUT"}]}
"""The reference service has no such operation, so this is only planned."""
# What is declared, and what its first edge would give up.
SHORT: dict[str, tuple[Given, str]] = {
    "an object as a set": ({"objects": [{**estate("tls:e")["objects"][0], "unordered": ["hostports"]}]}, "d"),
    **{
        name: (estate(words), given_up)
        for name, (words, given_up) in cases("""
            found by a hostport                               | :a           | b
            found by its metadata                             | ?one:b       | a
            with a wildcard that covers them                  | one:*        | ab
            on another port                                   | one:a8       | b
            one moves, one does not                           | one:- two:bc | a
            an object by another field                        | ?tls:e       | d
            an object in other letter case                    | tls:E        | d
            an object with another name in its place          | tls:n        | de
            a TCP edge                                        | tcp:n        | f
            one moves to another object, one does not         | tls:- tcp:ef | d
        """).items()
    },
}


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("declared", "given_up"), [*SHORT.values(), (BY_PUT, "de")], ids=[*SHORT, "by a PUT"])
def test_without_permission_the_edge_keeps_them(live: Tasks, declared: Given, given_up: str, check: bool) -> None:
    before = served(live)
    result = live.failed("estate", check, **declared, max_deletions=0)
    assert f"hostports: the change would give up {', '.join(hostports(given_up))}, because" in result["msg"]
    assert "add `hostports` to `purge`" in result["msg"]
    module, options = alone(declared)
    single = live.failed(module, check, **options)
    assert "set `purge_hostports: true`" in single["msg"]
    assert (writes(result), writes(single), served(live)) == ([], [], before)


@pytest.mark.parametrize(("declared", "given_up"), SHORT.values(), ids=SHORT)
def test_each_of_them_counts_as_a_deletion_and_is_named(live: Tasks, declared: Given, given_up: str) -> None:
    purging = {**declared, "purge": ["hostports"], "allow_empty": True}
    refused = live.failed("estate", True, **purging, max_deletions=len(given_up) - 1)
    assert [one["reason"] for one in refused["planned_deletions"]] == [
        f"gives up {name}" for name in hostports(given_up)
    ]
    result = live.done("estate", **purging, max_deletions=len(given_up))
    assert [one["gives_up"] for one in result["plan"] if one["gives_up"]] == [{"hostports": hostports(given_up)}]
    assert not set(given_up) & set("".join(served(live).values()))
    assert not live.done("estate", **purging)["changed"]


def test_a_put_gives_up_what_it_does_not_contain(live: Tasks) -> None:
    [entry] = live.done("estate", True, **BY_PUT, purge=["hostports"], allow_empty=True, max_deletions=2)["plan"]
    assert entry["gives_up"] == {"hostports": hostports("de")}


def test_a_single_object_may_give_them_up(live: Tasks) -> None:
    for words, more in (("tls:d", {}), ("tls:-", {"allow_empty": True})):
        live.done("object", **alone(estate(words))[1], **more, purge_hostports=True)
    assert served(live)["tls"] == ""


# What is declared, by itself if the module is not `estate`, and the permission that is missing.
LAST = cases(
    """
    purging              | one:- | estate     | {purge: [hostports]}    | *ALLOW
    allowed              | one:- | estate     | {allow_empty: true}     | 'add `hostports` to `purge`;'
    neither              | one:- | estate     | {}                      | *BOTH
    an edge, purging     | one:- | https_edge | {purge_hostports: true} | *ALLOW
    objects, purging     | tls:- | estate     | {purge: [hostports]}    | *ALLOW
    an object, neither   | tls:- | object     | {}                      | *ALONE
    """,
    ALLOW="set `allow_empty: true`;",
    BOTH="add `hostports` to `purge` and set `allow_empty: true`;",
    ALONE="set `purge_hostports: true` and set `allow_empty: true`;",
)


@pytest.mark.parametrize("check", [True, False])
def test_the_last_one_needs_a_permission_of_its_own(live: Tasks, check: bool) -> None:
    before = served(live)
    for words, module, more, missing in LAST.values():
        options = estate(words) if module == "estate" else alone(estate(words))[1]
        assert missing in live.failed(module, check, **options, **more)["msg"]
    result = live.failed("estate", check, **estate("one:- two:bc", purge=["hostports"]))
    assert "edghts_one) failed" in result["failures"][1]["msg"]
    assert served(live) == before


def test_routes_of_the_edge_wait_for_it(live: Tasks) -> None:
    """Otherwise, the hostports that stay would be served by what is declared for others."""
    own = {"id": "edghts_with", "hostports": hostports("x*")}
    live.service.seed(https_edges=[{**own, "routes": [{"id": "edghtsrt_x", **KEY}]}])
    for route, not_done in (
        ({"id": "edghtsrt_x", **KEY, "description": "new"}, "Not changed"),
        ({**KEY, "match": "/new"}, "Not created"),
    ):
        edge = {**own, "hostports": hostports("x"), "routes": [route]}
        result = live.failed("estate", https_edges=[edge], purge=["routes"])
        assert (writes(result), not_done in result["msg"], "would-be" in result["msg"]) == ([], True, False)
        [shown] = result["https_edges"]
        assert (shown["id"], len(shown["hostports"])) == ("edghts_with", 2)


# What is declared, and more of its first edge; the edge whose first PATCH is lost, whether that took effect, and how
# many edges are purged.
LATER = cases("""
    it gets more hostports                      | two:cn       | {}               | two | false | 0
    an object gets more hostports               | tcp:fn       | {}               | tcp | false | 0
    the PATCH is sent again                     | two:c        | {description: d} | two | false | 0
    it took effect                              | two:c*       | {description: d} | two | true  | 0
    a step in between of a swap                 | one:c two:ab | {}               | one | false | 0
    a step in between of an edge that is purged | two:ac three | {}               | one | false | 1
""")


@pytest.mark.parametrize("purge", [[], ["hostports"]])
@pytest.mark.parametrize(("words", "more", "name", "takes_effect", "purged"), LATER.values(), ids=LATER)
def test_what_the_task_has_seen_meanwhile_is_counted(
    live: Tasks, words: str, more: Given, name: str, takes_effect: bool, purged: int, purge: list[str]
) -> None:
    """The plan has all deletions that are allowed. Somebody adds m, and the response to the first PATCH is lost."""
    declared = estate(words, purge=[*purge, *["edges"] * purged], max_deletions=purged)
    for edge in declared.get("https_edges", [])[:1]:
        edge.update(more)

    def second_writer(request: Received) -> Response:
        if takes_effect:
            live.done("api", method="PATCH", path=request.path, body=request.json())
        module, added = alone(estate(f"{name}:{served(live)[name]}m"))
        live.done(module, **added)
        return Response(503)

    result = live.run("estate", instead=once("PATCH", second_writer), retries=2, **declared)
    assert "m" in served(live)[name]
    # The description alone gives up nothing, so it is sent again if that is permitted.
    is_done = bool(purge) and words == "two:c"
    assert result.get("failed", False) is not is_done
    assert is_done or ("max_deletions" if purge else "would give up m.example.com:443") in result["msg"]
