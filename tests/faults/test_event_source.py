# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source while the service or a list is not what it should be: nothing false, no request too many, and one
event for each outage that lasts.
"""

from __future__ import annotations

import gc
import json
import random
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from amount import seeds
from module_task import Given
from scripted_account import KEY, Account, Polled, lists, watched
from scripted_service import BREAK_OFF, Received, Response, as_json, scripted_service

LISTS = ("/tunnels", "/edges/https")
BAD = {
    "no connection": BREAK_OFF,
    "500": as_json({"msg": "broken"}, 500),
    "429": as_json({"msg": "slow down"}, 429),
    "401": as_json({"msg": "who are you"}, 401),
    "404": as_json({"msg": "nothing here"}, 404),
    "404 page": Response(404, b"<html>Not found</html>", {"Content-Type": "text/html"}),
    "no JSON": Response(200, b"<html>Login</html>", {"Content-Type": "text/html"}),
    "empty": Response(200, b""),
    "no list": as_json({}),
    "null": as_json(None),
    "list of null": as_json({"tunnels": [None], "https_edges": [None]}),
    "no IDs": as_json({"tunnels": [{}], "https_edges": [{}]}),
    "wrong types": as_json({"tunnels": [{"id": 5}], "https_edges": [{"id": "edghts_000", "hostports": {}}]}),
    "too many levels": Response(200, b'{"tunnels": ' + b"[" * 100_000),
    "link elsewhere": as_json({"tunnels": [], "https_edges": [], "next_page_uri": "https://elsewhere.example/"}),
    "204": Response(204),
}


# In the second place, a list has lost objects, and what confirms that is spoiled. Only a clear 404 is believed.
PLACES = [(where, name) for where in ("everywhere", "single") for name in BAD if (where, name) != ("single", "404")]


@pytest.mark.parametrize(("where", "name"), PLACES)
def test_a_bad_response_changes_nothing(where: str, name: str) -> None:
    polled, bad = Polled(Account()), BAD[name]

    def spoil(request: Received) -> Response | None:
        is_single = request.path.count("/") > 1 + ("edges" in request.path)
        return bad if is_single or where == "everywhere" else None

    with scripted_service(polled.account) as service:
        assert polled.poll(service) == []
        polled.account.spoil = spoil
        polled.account.hidden = {"tn_001", "edghts_001"} if where == "single" else set()
        assert [polled.poll(service) for _again in range(3)] == [[]] * 3
        polled.account.spoil, polled.account.hidden = (lambda request: None), set()
        assert polled.poll(service) == []
        polled.account.tunnels.pop("tn_000")
        assert [event["type"] for event in polled.poll(service)] == ["tunnel_offline"]


LIES = ["nothing", "old", "hidden", "empty", "no routes"]
# How many objects of a kind change before a poll, what becomes of the lists, and whether objects can be read alone.
POLLED: dict[str, tuple[int, list[str], bool]] = {
    "any lists, and few changes": (2, LIES, True),
    "old lists, and many changes": (60, LIES[:2], True),
    "right lists alone": (60, LIES[:1], False),
}


class Lying(Polled):
    """An account whose lists lie. `universe` are all objects that it can have."""

    def __init__(self, account: Account, chance: random.Random) -> None:
        super().__init__(account)
        self.chance = chance
        self.universe = dict(account.tunnels), dict(account.edges)

    def existing(self) -> set[tuple[str, ...]]:
        edges = self.account.edges
        routes = {(route["id"], name) for name, edge in edges.items() for route in edge["routes"]}
        return {*((name,) for name in (*self.account.tunnels, *edges)), *routes}

    def change(self, most: int) -> None:
        """Create or delete objects, give edges their routes or take them away, and spell their URLs otherwise."""
        for held, universe in zip((self.account.tunnels, self.account.edges), self.universe, strict=True):
            for name in self.chance.sample(sorted(universe), self.chance.randint(0, min(most, len(universe)))):
                if held.pop(name, None) is None:
                    held[name] = universe[name]
        edges = self.account.edges
        for name in self.chance.sample(sorted(edges), self.chance.randint(0, min(most, len(edges)))):
            routes = [] if edges[name]["routes"] else self.universe[1][name]["routes"]
            edges[name] = {**edges[name], "routes": routes, "uri": f"https://{self.chance.random()}.example/x"}

    def spoil(self, lie: str) -> None:
        tunnels, edges = (list(each.values()) for each in self.universe)
        held = self.account.edges.values()
        lists: dict[str, Any] = {
            "old": {"tunnels": tunnels, "https_edges": edges},
            "empty": {"tunnels": [], "https_edges": []},
            "no routes": {"tunnels": tunnels, "https_edges": [{**edge, "routes": []} for edge in held]},
        }
        names = [*self.universe[0], *self.universe[1]]
        self.account.hidden = {name for name in names if lie == "hidden" and self.chance.random() < 0.3}
        spoiled = as_json(lists[lie]) if lie in lists else None
        self.account.spoil = lambda request: spoiled if request.path in LISTS else None


@pytest.mark.parametrize("seed", seeds(16, 400, "lists that lie"))
@pytest.mark.parametrize("name", POLLED)
def test_each_event_is_true_and_what_is_true_is_soon_an_event(name: str, seed: str, tmp_path: Path) -> None:
    """Whatever the lists lack or still show. What the first list lacks is not new in the second one."""
    most, lies, reads_single = POLLED[name]
    chance = random.Random(seed)
    account = Account(chance.choice([3, 60]), chance.choice([2, 45]) if reads_single else 0)
    account.page, account.reads_single = chance.choice([2, 7, 100]), reads_single
    polled = Lying(account, chance)
    known, late = polled.existing(), chance.sample([*polled.account.tunnels, *polled.account.edges], 2)

    def lose(request: Received) -> None:
        first = {one for one in late if lists(service, LISTS[0] if one.startswith("tn_") else LISTS[1]) <= 1}
        polled.account.hidden = first

    with scripted_service(polled.account) as service:
        polled.account.spoil = lose
        assert polled.poll(service) == []
        for position in range(14):
            if position < 8:
                polled.change(most)
                if chance.random() < 0.2:
                    polled.restart(tmp_path / "state")
            polled.spoil(chance.choice(lies) if position < 8 else "nothing")
            for event in polled.poll(service):
                one, is_there = tuple(event["ids"].values()), event["after"] is not None
                assert (event.get("action") != "changed", is_there) == (True, one in polled.existing()), event
                assert (one in known) != is_there, event
                known ^= {one}
    assert known == polled.existing()


OF_PARTS = {".": (), "t": LISTS[:1], "e": LISTS[1:], "b": LISTS}
NAMES = {part: [path[1:].replace("edges/https", "https_edges") for path in paths] for part, paths in OF_PARTS.items()}
# The lists that fail in polls 10 seconds apart, and those in each event. 25 seconds are long, | is a restart, and < a
# clock that is set back.
OUTAGES = {
    ".eee.": "",
    ".eeeee.": "e.",
    "eeee.": "e.",
    ".eeeebbbb": "eb",
    ".eeeebbbbeeeebbbb.": "ebb.",
    ".tetetetete": "",
    ".e|ee": "",
    ".e|e|e|e|e|e": "e",
    ".ee|ee|.": "e.",
    ".ee|.|ee|ee": "e",
    ".ee|eeee.": "e.",
    ".e<eeee": "e",
    ".eeee|.": "e.",
}


@pytest.mark.parametrize(("failing", "said"), OUTAGES.items())
def test_an_outage_that_lasts_is_one_event_and_so_is_its_end(failing: str, said: str, tmp_path: Path) -> None:
    polled, broken = Polled(Account()), as_json({"msg": f"broken {KEY}"}, 500)
    polled.now = 1e9
    events: list[Given] = []
    with scripted_service(polled.account) as service:
        for one in failing:
            if one == "|":
                polled.restart(tmp_path / "state")
                continue
            if one == "<":
                polled.now -= 3600
                continue
            polled.account.spoil = lambda request, paths=OF_PARTS[one]: broken if request.path in paths else None
            events += polled.poll(service)
            polled.now += 10
    assert [list((event["after"] or {"errors": ()})["errors"]) for event in events] == [NAMES[one] for one in said]
    assert [event["before"] for event in events] == [None, *(event["after"] for event in events)][: len(events)]
    assert [event["type"] for event in events] == [f"polling_{'recovered' if one == '.' else 'failed'}" for one in said]
    assert KEY not in json.dumps(events)


SUBSCRIPTION = "/event_subscriptions/esb_1/sources"


@pytest.mark.parametrize(("polls", "is_deleted"), [(1, False), (3, True)], ids=["for a moment", "for good"])
def test_a_subscription_and_a_tls_edge_that_return_404(polls: int, is_deleted: bool) -> None:
    """If everything returns 404 that did not, it is an outage."""
    missing = as_json({"error_code": "ERR_404", "msg": "no such object"}, 404)
    there = {
        SUBSCRIPTION: as_json({"sources": [{"type": "ip_policy_created.v0"}]}),
        "/edges/tls/edgtls_1/ip_restriction": as_json({"enabled": True, "ip_policy_ids": ["ipp_1"]}),
    }
    polled = Polled(Account(1, 0), tls_edges=["edgtls_1"], event_subscriptions=["esb_1"], https_edges=False)
    events: list[Given] = []
    with scripted_service(polled.account) as service:
        for spoiled in [there] * 3 + [None] * 3 + [there] * 2 + [{}] * polls + [{} if is_deleted else there] * 2:
            polled.account.spoil = lambda request, found=spoiled: (
                missing if found is None else None if request.path == "/tunnels" else found.get(request.path, missing)
            )
            events += polled.poll(service)
    assert [event["type"] for event in events] == ["edge_changed", "source_changed"] * is_deleted


def test_a_service_that_does_not_respond_is_asked_once_in_a_poll() -> None:
    polled = Polled(Account())
    polled.account.spoil = lambda request: BREAK_OFF
    with scripted_service(polled.account) as service:
        polled.poll(service)
    assert len(service.received) == 1
    assert polled.reading.errors["https_edges"] == "not read, because of the error of tunnels"


def test_a_part_that_never_responds_does_not_hide_the_others() -> None:
    polled = Polled(Account())
    polled.account.spoil = lambda request: BREAK_OFF if request.path.startswith("/tunnels") else None
    with scripted_service(polled.account) as service:
        assert [polled.poll(service) for _again in range(2)] == [[]] * 2
        polled.account.edges["edghts_new"] = polled.account.edge("edghts_new")
        events = polled.poll(service)
    assert [event["type"] for event in events] == ["edge_changed", "route_changed"]


@pytest.mark.long(cores=0)
def test_a_delay_that_the_service_asks_for_is_kept() -> None:
    account = Account()
    with watched(account) as (listener, service):
        before = len(service.received)
        account.spoil = lambda request: as_json({"msg": "slow down"}, 429, Retry_After="3")
        listener.until(lambda: len(service.received) > before + 1)
        before = len(service.received)
        time.sleep(1)
        assert len(service.received) <= before + 1


def kept() -> tuple[int, int]:
    """How many files and connections are open, and how many clients are in memory."""
    gc.collect()
    return psutil.Process().num_fds(), sum(type(each).__name__ == "_StoppableClient" for each in gc.get_objects())


def test_many_polls_of_two_accounts_leave_nothing_behind() -> None:
    with watched(Account()) as (listener, _service), watched(Account()):
        listener.after_polls(3)
        files, clients = kept()
        listener.after_polls(12)
        more_files, more_clients = kept()
    assert (more_files <= files + 4, more_clients <= clients + 2) == (True, True)
