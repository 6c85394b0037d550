# SPDX-License-Identifier: GPL-3.0-or-later
"""A hostport, which only one edge can have, moves to another edge in one run; and what becomes of it if the service
rejects that, only pretends to have done it, or needs a moment until it is free. Nothing really waits.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from cases import cases
from convergence import ANY_NUMBER, converges
from estates_to_judge import declared_object, live_rule, modules
from module_task import Tasks, accepted_writes, applied, writes
from places import KEY
from scripted_service import BREAK_OFF, Instead, Received, Response, as_json, forwarding, rejecting, standing_before
from served_names import Given, edge_id, estate, hostports, seed, served


@pytest.fixture
def live(tasks: Tasks) -> Tasks:
    return seed(tasks, "one:ab two:c three:g tls:de tcp:f")


# What the edges serve and what is declared, what they serve then, and how many writes that takes.
MOVED = cases("""
    from one edge to another | one:ax two:b          | one:a two:bx        | {one: a, two: bx}            | 2
    without IDs              | one:ax two:b          | :a :bx              | {one: a, two: bx}            | 2
    to a new edge            | one:ax                | one:a ?new:x        | {one: a, new: x}             | 2
    to a new object          | one:ab tls:de         | ?tcpnew:e tls:d     | {one: ab, tls: d, tcpnew: e} | 2
    along a chain            | one:ax two:by three:c | :a :bx :cy          | {one: a, two: bx, three: cy} | 3
    swapped                  | one:a two:b           | one:b two:a         | {one: b, two: a}             | 3
    between objects          | tls:de tcp:f          | tls:d tcp:ef        | {tls: d, tcp: ef}            | 2
    objects, swapped         | tls:de tcp:f          | tls:fd tcp:e        | {tls: df, tcp: e}            | 3
    in other letter case     | tls:de tcp:f          | tls:Fd tcp:E        | {tls: df, tcp: e}            | 3
    from an object           | two:c tls:de          | two:ce tls:d        | {two: ce, tls: d}            | 2
    to an object             | two:c tls:de          | two:n tls:cde       | {two: n, tls: cde}           | 2
    swapped with an object   | two:c tls:de          | two:e tls:cd        | {two: e, tls: cd}            | 3
""")


@pytest.mark.parametrize(("before", "words", "after", "expected"), MOVED.values(), ids=MOVED)
def test_hostports_move_in_one_run(tasks: Tasks, before: str, words: str, after: Given, expected: int) -> None:
    """Nothing is given up for that, whatever is declared first."""
    for number, order in enumerate(permutations(words.split())):
        tasks.service.reset()
        seed(tasks, before)
        declared = estate(order, max_deletions=0, concurrency=1 + number % 2 * 3)
        result = converges(tasks, "estate", **declared)
        assert (served(tasks), len(writes(result))) == (after, expected)
        assert not any(one["gives_up"] for one in result["plan"])


@st.composite
def distributions(draw: st.DrawFn) -> dict[str, str]:
    """Which of six hostports each of four edges serves, each at least one of its own."""
    names = ["one", "two", "three", "four"]
    owners = draw(st.permutations([*names, *draw(st.lists(st.sampled_from(names), min_size=2, max_size=2))]))
    served_by = list(zip("uvwxyz", owners, strict=True))
    return {name: "".join(letter for letter, owner in served_by if owner == name) for name in names}


@settings(ANY_NUMBER, max_examples=so_many(15, 150))
@given(before=distributions(), after=distributions())
def test_any_distribution_becomes_any_other(tasks: Tasks, before: dict[str, str], after: dict[str, str]) -> None:
    tasks.service.reset()
    first, then = (" ".join(f"{name}:{letters}" for name, letters in each.items()) for each in (before, after))
    result = seed(tasks, first).done("estate", **estate(then))
    assert served(tasks) == after
    # No request was sent to see what comes of it.
    assert {one["status"] for one in result["sent"]} == {200}


# What is declared, what cannot have a name of whom, and which other edges change all the same.
KEPT = cases(
    """
    an edge, of an undeclared edge        | one:abc three:gx         | https_edge a.         | c | *TWO        | [three]
    an edge, of one without a list        | one:abc two three:gx     | https_edge a.         | c | *TWO        | [three]
    an edge, what nobody has and two want | two:cx one:abx           | https_edge a.         | x | *TWO        | [two]
    an edge, of an undeclared object      | ?tls:d two:ceo           | https_edge c.         | o | *UNDECLARED | []
    an object, of an undeclared edge      | tcp:efh tls:d :c         | object edges/tcp tcp  | h | *FOREIGN    | []
    an object, of a declared edge         | tcp:efh tls:d foreign:h  | object edges/tcp tcp  | h | *FOREIGN    | []
    a new object, of a declared edge      | tls:d ?tcpn:eh foreign:h | object edges/tcp tcpn | h | *FOREIGN    | []
    an object, of an undeclared object    | ?tls:d tcp:efo           | object edges/tcp tcp  | o | *UNDECLARED | []
    an object, of a declared object       | tls:d tlsx:o tcp:efo     | object edges/tcp tcp  | o | *TLSX       | []
    """,
    TWO="https_edge c.example.com:443 (edghts_two)",
    FOREIGN="https_edge h.example.com:443 (edghts_foreign)",
    UNDECLARED="object edges/tls (edgtls_tlsx)",
    TLSX="object edges/tls tlsx (edgtls_tlsx)",
)


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(("words", "failing", "letter", "holder", "changed"), KEPT.values(), ids=KEPT)
def test_what_another_edge_keeps_is_not_taken(
    live: Tasks, words: str, failing: str, letter: str, holder: str, changed: list[str], check: bool
) -> None:
    """Nothing is given up for an edge that cannot take all of its names."""
    before = served(seed(live, "foreign:h tlsx:o"))
    result = live.failed("estate", check, **estate(words))
    assert f"hostports: {letter}.example.com:443 belongs to {holder}, and can belong to one " in result["msg"]
    assert [one["object"].startswith(failing) for one in result["failures"]].count(True) == 1
    assert [one["path"] for one in result["operations"]] == [f"/edges/https/{edge_id(name)}" for name in changed]
    after = served(live)
    assert [name for name in before if after[name] != before[name]] == ([] if check else changed)


# What is declared, and more; which edge gets no PATCH (or a new one no POST), and how many objects fail.
TAKEN_BACK = cases(
    """
    from an edge                  | one:a two:bc          | {}               | two | 2
    to a new edge                 | one:a ?new:b          | {}               | new | 2
    to an object                  | one:a tcp:bf          | {}               | tcp | 2
    from an object                | one:abf tcp:-         | {}               | one | 2
    next to a name that is purged | one:- two:bc          | *PURGE           | two | 2
    from two edges                | one:a three:- two:bcg | {}               | two | 3
    in a swap                     | one:c two:ab          | {}               | two | 2
    from an edge that is purged   | two:abc three         | {purge: [edges]} | two | 2
    """,
    PURGE={"purge": ["hostports"], "allow_empty": True},
)
ROUTES = [{**KEY, "backend": {"backend_id": "bkd_one"}}]
REJECTED_OF_TWO = rejecting("PATCH", "edghts_two")


@pytest.mark.parametrize("is_alone", [True, False])
@pytest.mark.parametrize(("words", "more", "rejected", "failures"), TAKEN_BACK.values(), ids=TAKEN_BACK)
def test_a_name_is_taken_back_if_the_service_rejects_it_for_the_other_edge(
    live: Tasks, words: str, more: Given, rejected: str, failures: int, is_alone: bool
) -> None:
    """Routes of other edges may change meanwhile."""
    before, declared = served(live), estate(words, **more, concurrency=1 if is_alone else 4)
    if not is_alone and "three" not in words:
        declared["https_edges"].insert(0, {"id": edge_id("three"), "routes": ROUTES})
    service = rejecting("POST", "/edges/https", Response(402)) if rejected == "new" else None
    service = service or rejecting("PATCH", edge_id(rejected))
    result = live.failed("estate", instead=service, **declared)
    assert served(live) == before
    assert "back, because the change could not be finished" in str(result["operations"])
    assert len(result["failures"]) == failures
    assert "Possibly no object" not in result["msg"]
    live.done("estate", **declared)
    assert not live.done("estate", **declared)["changed"]


A = hostports("a")
MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}
OBJECT = {"objects": [{"name": "p", "collection": "ip_policies", "find_by": {"description": "p"}}]}
UNKNOWN = rejecting("PATCH", "edghts_two", Response(504))
# What is declared, more of its first edge, more of the estate, and what the service does.
KEPT_APART: dict[str, tuple[str, Given, Given, Instead]] = {
    "what gives it up changes otherwise": ("one:a two:bc", MUTUAL_TLS, {}, REJECTED_OF_TWO),
    "what takes it is withheld": ("one:a three:- two:bcg", MUTUAL_TLS, {}, rejecting("PATCH", "edghts_three")),
    "its routes change": ("one:a two:bc", {"routes": ROUTES}, {}, REJECTED_OF_TWO),
    "something else changes": ("one:a two:bc", {}, OBJECT, REJECTED_OF_TWO),
    "another edge has taken a part": ("one:- three:ag two:bc", {}, {}, REJECTED_OF_TWO),
    "it is not known who has it": ("one:a two:bc", {}, {}, UNKNOWN),
}


@pytest.mark.parametrize(("words", "of_first", "more", "instead"), KEPT_APART.values(), ids=KEPT_APART)
def test_it_is_not_taken_back_if_that_could_open_or_take_something(
    live: Tasks, words: str, of_first: Given, more: Given, instead: Instead
) -> None:
    declared = estate(words, **more)
    declared["https_edges"][0].update(of_first)
    result = live.failed("estate", instead=instead, **declared)
    assert "b" not in "".join(served(live).values())
    assert "Possibly no object has b.example.com:443 now" in result["msg"]
    live.done("estate", **declared)
    assert "b" in served(live)["two"]


def test_it_is_not_taken_back_from_what_a_put_has_reset(tasks: Tasks) -> None:
    tasks.service.seed(tls_edges=[{"id": edge_id("tls"), "hostports": A, **modules("backend office")}])
    declared = estate("tls:- ?tlsnew:a", allow_empty=True)
    giver, taker = declared["objects"]
    giver["update_method"] = "PUT"
    giver["body"].update(modules("backend"))
    taker["body"].update(modules("backend office"))
    tasks.service.switches(patch_empties="everything")
    forward = forwarding(tasks.service.base_url)

    def instead(request: Received) -> Response | None:
        if request.method == "PUT":
            return forward(replace(request, method="PATCH"))
        return Response(402) if request.method == "POST" else None

    result = tasks.failed("estate", instead=instead, **declared)
    assert served(tasks) == {edge_id("tls"): ""}
    assert "Possibly no object has a.example.com:443 now" in result["msg"]


@pytest.mark.parametrize("status", [200, 204])
@pytest.mark.parametrize(
    ("words", "name"),
    [("one:a two:bc", "one"), ("one:a ?new:b", "one"), ("one:a tcp:bf", "one"), ("one:a two:bc", "two")],
)
def test_what_only_pretends_to_give_up_or_to_take_a_name_does_not_do_so(
    live: Tasks, words: str, name: str, status: int
) -> None:
    """A service that accepts a change is not one that has made it."""
    [edge] = [one for one in live.service.state()["https_edges"] if one["id"] == edge_id(name)]
    ignoring = rejecting("PATCH", edge["id"], Response(204) if status == 204 else as_json(edge))
    before = served(live)
    result = live.failed("estate", instead=ignoring, retries=1, **estate(words))
    assert (bool(accepted_writes(result)), served(live)) == (name == "two", before)
    assert "Possibly no object" not in result["msg"]
    assert "the service accepted the change but returned other values for hostports" in result["msg"]


ENDPOINT = {"description": "new", "url": "https://A.example.com", "type": "cloud", "traffic_policy": "{}"}
LOGIN = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "words"}}
# What serves a host and is purged or deleted, how that is declared, who takes the host, and the request that fails.
TO_ANOTHER = cases(
    """
    from an HTTPS edge to a new TLS edge      | *HTTPS    | []                | ?tlsnew:a | POST
    from an HTTPS edge to a TLS edge          | *HTTPS    | []                | tls:ad    | PATCH edgtls_tls
    from an HTTPS edge to a new TCP edge      | *HTTPS    | []                | ?tcpnew:a | POST
    from an HTTPS edge to a new endpoint      | *HTTPS    | [*NEW]            | two       | POST
    from an HTTPS edge to an unknown TLS edge | *HTTPS    | [*UNKNOWN]        | two       | NOTHING
    from a TLS edge to a new HTTPS edge       | *TLS      | [*TLS_GONE]       | ?new:a    | POST
    from a TLS edge to a new TLS edge         | *TLS      | [*TLS_GONE]       | ?tlsnew:a | POST
    from a TLS edge to another TLS edge       | *TLS      | [*TLS_GONE]       | tls:ad    | PATCH edgtls_tls
    from a TLS edge to a new TCP edge         | *TLS      | [*TLS_GONE]       | ?tcpnew:a | POST
    from a TLS edge to a new endpoint         | *TLS      | [*TLS_GONE, *NEW] | two       | POST
    from a TLS edge to an unknown HTTPS edge  | *TLS      | [*TLS_GONE]       | unknown:a | NOTHING
    from an endpoint to a new HTTPS edge      | *ENDPOINT | [*GONE]           | ?new:a    | POST
    from an endpoint to a new TLS edge        | *ENDPOINT | [*GONE]           | ?tlsnew:a | POST
    """,
    HTTPS={"https_edges": [{"id": "edghts_old", "hostports": A, "routes": [{**ROUTES[0], **LOGIN}]}]},
    TLS={"tls_edges": [{"id": "edgtls_old", "hostports": A}]},
    ENDPOINT={"objects": {"endpoints": [{"id": "ep_old", **ENDPOINT}]}},
    NEW={"name": "new", "collection": "endpoints", "find_by": {"url": ENDPOINT["url"]}, "body": ENDPOINT},
    UNKNOWN={"name": "unknown", "collection": "edges/tls", "id": "edgtls_unknown", "body": {"hostports": A}},
    TLS_GONE={"name": "gone", "collection": "edges/tls", "id": "edgtls_old", "state": "absent"},
    GONE={"name": "gone", "collection": "endpoints", "find_by": {"url": ENDPOINT["url"]}, "state": "absent"},
)


@pytest.mark.parametrize("response", [Response(403), BREAK_OFF], ids=["rejected", "lost"])
@pytest.mark.parametrize(("given", "objects", "words", "failing"), TO_ANOTHER.values(), ids=TO_ANOTHER)
def test_nothing_is_deleted_before_another_object_serves_its_host(
    tasks: Tasks, given: Given, objects: list[Given], words: str, failing: str, response: Response
) -> None:
    seed(tasks, "two:c tls:d").service.seed(**given)
    declared = estate(dict.fromkeys(["two", words]), purge=["edges", "hostports"])
    declared["objects"] = [*objects, *declared.get("objects", ())]
    before = tasks.service.state()
    result = tasks.failed("estate", instead=rejecting(*failing.split(), response=response), **declared)
    assert not [one for one in accepted_writes(result) if one.startswith("DELETE")]
    # It is not known whether an object that took the hostport has it if the response is lost.
    assert response is BREAK_OFF or tasks.service.state() == before
    if failing != "NOTHING":
        assert writes(converges(tasks, "estate", **declared))[-1].endswith("_old")


# What gets the hostport of a TLS edge that is deleted, and the request that fails which completes it.
REPLACED: dict[str, tuple[Given, str]] = {
    "by an edge with routes": (
        {"https_edges": [{**estate("?new:a")["https_edges"][0], "routes": ROUTES}]},
        "POST /routes",
    ),
    "by an edge with modules": (
        estate("tlsp:pa", tls_edges=[{"edge_id": "edgtls_tlsp", "tls_termination": {"terminate_at": "edge"}}]),
        "PUT /tls_termination",
    ),
}


@pytest.mark.parametrize(("declared", "failing"), REPLACED.values(), ids=REPLACED)
def test_nothing_is_deleted_before_what_replaces_it_is_complete(tasks: Tasks, declared: Given, failing: str) -> None:
    seed(tasks, "tls:a tlsp:p")
    gone = {"name": "gone", "collection": "edges/tls", "id": "edgtls_tls", "state": "absent"}
    options = {**declared, "objects": [gone, *declared.get("objects", ())]}
    result = tasks.failed("estate", instead=rejecting(*failing.split()), **options)
    assert [one.split()[0] for one in accepted_writes(result)][:1] == ["PATCH"]
    assert not [one for one in accepted_writes(result) if one.startswith("DELETE")]
    assert writes(tasks.done("estate", **options))[-1] == "DELETE /edges/tls/edgtls_tls"
    assert not tasks.done("estate", **options)["changed"]


def test_a_deletion_does_not_wait_for_what_waits_for_it(tasks: Tasks) -> None:
    """The rule would let everybody in to what the old edge still serves, and the new edge waits for the rule."""
    body, wide = modules("backend office"), declared_object("ipr_allow_192", cidr="0.0.0.0/0")
    tasks.service.seed(
        objects={"ip_policies": [{"id": "ipp_office"}], "ip_policy_rules": [live_rule("192.0.2.0/24")]},
        tls_edges=[{"id": "edgtls_old", "hostports": hostports("ab"), **body}],
    )
    objects = [
        {"name": "new", "collection": "edges/tcp", "find_by": {"metadata": "x"}, "body": {"hostports": A, **body}},
        declared_object("ipp_office", metadata="x"),
        {**wide, "id": None, "find_by": {"ip_policy_id": "ref:ipp_office"}},
        {**declared_object("edgtls_old"), "state": "absent"},
    ]
    written = [one.split("/")[0] + one.split("/")[1] for one in writes(converges(tasks, "estate", objects=objects))]
    assert written == ["PATCH ip_policies", "PATCH edges", "DELETE edges", "PATCH ip_policy_rules", "POST edges"]


def test_a_domain_does_not_move_in_one_run(tasks: Tasks) -> None:
    """An object cannot give it up before it is deleted."""
    tasks.service.seed(objects={"reserved_domains": [{"description": "old", "domain": "a.example.com"}]})
    gone, new = (
        {"collection": "reserved_domains", "find_by": {"description": one}, "name": one} for one in ("old", "new")
    )
    objects = [{**gone, "state": "absent"}, {**new, "body": {"domain": "A.example.com"}}]
    result = tasks.failed("estate", objects=objects)
    assert "update or delete the other object in an earlier run" in result["msg"]
    assert writes(result) == []


def test_a_name_is_given_up_as_late_as_possible(live: Tasks) -> None:
    """The edge that takes it waits for the login of its route. If the service rejects that, the name stays."""
    route = {"id": "edghtsrt_four", **KEY}
    live.service.seed(https_edges=[{**estate("four:h")["https_edges"][0], "routes": [{**route, **ROUTES[0]}]}])
    declared = estate("one:a four:bh")
    declared["https_edges"][1]["routes"] = [{**route, **LOGIN}]
    live.failed("estate", instead=rejecting("PATCH", "edghtsrt_four"), **declared)
    assert served(live)["one"] == "ab"
    live.done("estate", **declared)
    assert served(live)[edge_id("four")] == "bh"


NOT_LOOKED_UP = {"find_by": "none"}
# What is declared while one serves a, and two b; more of the last edge; and what the edges serve then.
SLOW: dict[str, tuple[str, Given, Given]] = {
    "to another edge": ("one:- two:ab", {}, {"one": "", "two": "ab"}),
    "to a new edge": ("one:- ?new:an", {}, {"one": "", "two": "b", "new": "an"}),
    "to a new edge that is not looked up": ("one:- ?new:an", NOT_LOOKED_UP, {"one": "", "two": "b", "new": "an"}),
    "swapped": ("one:b two:a", {}, {"one": "b", "two": "a"}),
}


def run(tasks: Tasks, **options: Any) -> tuple[Given, list[float]]:
    """The result of an estate, and the seconds that it would have waited."""
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 1}
    waited: list[float] = []
    progress = Progress(clock=lambda: sum(waited), sleep=waited.append)
    return applied("estate", {**connection, **options}, progress=progress), waited


@pytest.mark.parametrize(("times", "concurrency"), [*product([1, 4], repeat=2)])
@pytest.mark.parametrize(("words", "more", "after"), SLOW.values(), ids=SLOW)
def test_a_hostport_that_is_not_released_yet_is_retried(
    tasks: Tasks, words: str, more: Given, after: Given, times: int, concurrency: int
) -> None:
    seed(tasks, "one:a two:b").service.switches(slow_releases=times)
    declared = estate(words)
    declared["https_edges"][-1].update(more)
    result, waited = run(tasks, **declared, concurrency=concurrency, retries=times)
    assert not result.get("failed"), result["msg"]
    assert (served(tasks), bool(waited)) == (after, True)
    assert more or not tasks.done("estate", **declared)["changed"]


@pytest.mark.parametrize("limits", [{"retries": 0}, {"retries": 2}, {"retries": 100, "retry_max_wait": 2}], ids=str)
def test_the_retries_and_the_time_are_limited(tasks: Tasks, limits: dict[str, int]) -> None:
    seed(tasks, "one:a two:b").service.switches(slow_releases=1000)
    result, waited = run(tasks, **estate("one:- two:ab"), **limits)
    assert "belongs to another edge" in result["msg"]
    assert "takes a.example.com:443 back" in str(result["operations"])
    assert len(waited) <= limits["retries"]
    assert sum(waited) <= limits.get("retry_max_wait", 3)


REJECTIONS: list[tuple[Given, int, bool]] = [
    *(({"msg": text}, 409, True) for text in ("A hostport is not free.", "Who has A.example.com:443?")),
    ({}, 409, True),
    ({"msg": "Unknown certificate authority."}, 400, False),
    ({"msg": "The hostport is not free."}, 403, False),
]


@pytest.mark.parametrize(("error", "status", "is_retried"), REJECTIONS)
def test_a_rejection_that_may_be_about_a_hostport_is_retried(
    tasks: Tasks, error: Given, status: int, is_retried: bool
) -> None:
    seed(tasks, "one:a two:b")
    rejection = rejecting("PATCH", "edghts_two", as_json(error, status))
    first = iter([as_json(error, status)])
    with standing_before(tasks.service.base_url, lambda one: rejection(one) and next(first, None)) as between:
        result, waited = run(tasks, **estate("one:- two:ab"), base_url=between.base_url)
    assert (result.get("failed", False), len(waited)) == (not is_retried, is_retried)


def test_what_the_task_has_not_freed_is_final(tasks: Tasks) -> None:
    """Somebody else may have it for good."""
    seed(tasks, "one:a two:b").service.switches(slow_releases=1)
    tasks.done("https_edge", id="edghts_one", hostports=[], purge_hostports=True, allow_empty=True)
    result, waited = run(tasks, **estate("two:ab"))
    assert ("belongs to another edge" in result["msg"], waited) == (True, [])
    assert not writes(tasks.done("estate", **estate("one:-")))
