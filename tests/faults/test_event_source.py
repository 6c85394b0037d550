# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source while the service or a list is not what it should be: nothing false, no request too many, and one
event for each outage that lasts.
"""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from event_listener import INTERVAL
from scripted_account import KEY, Account, listening_to, lists, watched
from scripted_service import BREAK_OFF, Received, Response, as_json, scripted_service

BAD = {
    "no connection": BREAK_OFF,
    "500": as_json({"msg": "broken"}, 500),
    "502 page": Response(502, b"<html>Bad gateway</html>", {"Content-Type": "text/html"}),
    "429": as_json({"msg": "slow down"}, 429),
    "401": as_json({"msg": "who are you"}, 401),
    "403": as_json({"msg": "not you"}, 403),
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


IN_TURN = [*(("everywhere", name) for name in ("no connection", "no list")), ("single", "502 page")]
OTHERS = [(where, name) for where in ("everywhere", "single") for name in BAD if (where, name) not in IN_TURN]


@pytest.mark.parametrize(
    ("where", "name"), [*IN_TURN, *(pytest.param(*each, marks=pytest.mark.long(cores=0)) for each in OTHERS)]
)
def test_a_bad_response_changes_nothing(where: str, name: str) -> None:
    account, bad = Account(), BAD[name]
    with watched(account) as (listener, _service):
        if where == "single":
            # The list has lost objects, and what confirms that is spoiled, too. Only a clear 404 is believed.
            if name == "404":
                pytest.skip("this is the response of a service without that object")
            account.hidden = {"tn_001", "edghts_001"}
            account.spoil = lambda request: bad if request.path.count("/") > 1 + ("edges" in request.path) else None
        else:
            account.spoil = lambda request: bad
        assert listener.after_polls(3) == []
        account.spoil, account.hidden = (lambda request: None), set()
        assert listener.after_polls(3) == []
        account.tunnels.pop("tn_000")
        listener.after_polls(3)
        assert listener.types()[:1] == ["tunnel_offline"]


LISTS = ("/tunnels", "/edges/https")
Spoil = Callable[[Account], Callable[[Received], "Response | None"]]


def only_lists(value: Any) -> Spoil:
    return lambda account: lambda request: as_json(value) if request.path in LISTS else None


def losing_at_random(account: Account) -> Callable[[Received], None]:
    chance, everything = random.Random(account.page), [*account.tunnels, *account.edges]

    def lose(request: Received) -> None:
        account.hidden = set(chance.sample(everything, 30))

    return lose


def without_routes(account: Account) -> Callable[[Received], Response | None]:
    edges = [account.edges["edghts_000"], {**account.edges["edghts_001"], "routes": []}]
    return lambda request: as_json({"https_edges": edges}) if request.path == "/edges/https" else None


def with_another_url(account: Account) -> Callable[[Received], None]:
    account.edges["edghts_000"] |= {"uri": "https://elsewhere.example.com/edges/https/edghts_000"}
    return lambda request: None


EMPTY = [{"tunnels": [], "https_edges": []}, {"tunnels": None, "https_edges": None}]
# How many objects there are of each kind, and of each page, and what spoils their lists.
HARMLESS: dict[str, tuple[int, int, Spoil]] = {
    **{f"{empty} for {objects}": (objects, 100, only_lists(empty)) for empty in EMPTY for objects in (3, 60)},
    "members that are lost at random": (50, 7, losing_at_random),
    "members that are lost at random on many pages": (50, 2, losing_at_random),
    "members that are lost at random on one page": (50, 100, losing_at_random),
    "a route that is missing for a moment": (3, 100, without_routes),
    "another spelling of the URL of the service": (3, 100, with_another_url),
}


@pytest.mark.parametrize(("objects", "page", "spoil"), HARMLESS.values(), ids=HARMLESS)
def test_lists_that_lack_what_exists_change_nothing(objects: int, page: int, spoil: Spoil) -> None:
    account = Account(objects, objects)
    account.page = page
    with watched(account, findings=False) as (listener, service):
        account.spoil = spoil(account)
        assert listener.after_polls(4) == []
        has_looked = any(request.path.startswith("/tunnels/tn_") for request in service.received)
        assert has_looked == (spoil not in (without_routes, with_another_url))


def test_the_first_list_may_lack_a_member() -> None:
    account = Account(9, 9)
    account.page = 3

    def lose(request: Received) -> None:
        lists_of = {"tn_004": lists(service_, "/tunnels"), "edghts_007": lists(service_)}
        account.hidden = {name for name, number in lists_of.items() if number <= 1}

    account.spoil = lose
    with scripted_service(account) as service_, listening_to(service_) as listener:
        listener.until(lambda: lists(service_, "/tunnels") > 2)
        assert listener.after_polls(2) == []


@pytest.mark.parametrize("what", ["tunnel", "edge", "route"])
def test_a_list_that_still_shows_what_was_deleted_does_not_create_it_again(what: str) -> None:
    account = Account()
    shown = {"tunnels": list(account.tunnels.values()), "https_edges": list(account.edges.values())}
    stale = 0

    def toggle(request: Received) -> Response | None:
        nonlocal stale
        if request.path not in ("/tunnels", "/edges/https"):
            return None
        stale += 1
        return as_json(shown) if stale // 2 % 2 else None

    with watched(account, findings=False) as (listener, _service):
        if what == "route":
            account.edges["edghts_001"] = {**account.edges["edghts_001"], "routes": []}
        else:
            (account.tunnels if what == "tunnel" else account.edges).popitem()
        account.spoil = toggle
        listener.after_polls(8)
    number = {"tunnel": ["tunnel_offline"], "edge": ["edge_changed", "route_changed"], "route": ["route_changed"]}
    assert listener.types() == number[what]


@pytest.mark.parametrize("is_restarted", [False, True])
def test_an_old_list_of_many_deleted_objects_creates_none_of_them_again(is_restarted: bool, tmp_path: Path) -> None:
    account, state = Account(60, 0), str(tmp_path / "state.json")
    old = as_json({"tunnels": list(account.tunnels.values())})
    with scripted_service(account) as service:
        with listening_to(service, state_file=state) as listener:
            listener.after_polls(1)
            for number in range(50):
                del account.tunnels[f"tn_{number:03}"]
            listener.until(lambda: len(listener.events) == 50)
            account.spoil = lambda request: old if not is_restarted and request.path == "/tunnels" else None
            listener.after_polls(3)
        account.spoil = lambda request: old if request.path == "/tunnels" else None
        with listening_to(service, state_file=state) as later:
            later.after_polls(3)
    assert (listener.types(), later.types()) == (["tunnel_offline"] * 50, [])


def test_routes_that_come_back_on_many_edges_are_created_once() -> None:
    account = Account(0, 45)
    whole = {name: list(edge["routes"]) for name, edge in account.edges.items()}
    with watched(account, findings=False) as (listener, _service):
        for routes in ({}, whole):
            before = len(listener.events)
            for name, edge in account.edges.items():
                account.edges[name] = {**edge, "routes": routes.get(name, [])}
            listener.until(lambda start=before: len(listener.events) >= start + 45)  # type: ignore[misc]
            listener.after_polls(3)
    assert [event["action"] for event in listener.events] == ["deleted"] * 45 + ["created"] * 45
    assert set(listener.types()) == {"route_changed"}


@pytest.mark.parametrize("reads_single", [True, False])
def test_many_objects_that_are_really_gone_are_soon_reported(reads_single: bool) -> None:
    account = Account(70, 0)
    account.reads_single = reads_single
    with watched(account) as (listener, service):
        for number in range(1, 70):
            account.tunnels.pop(f"tn_{number:03}")
        listener.until(lambda: len(listener.events) >= 69)
        listener.after_polls(2)
        assert listener.types() == ["tunnel_offline"] * 69
        assert sum(request.path.startswith("/tunnels/") for request in service.received) <= 69


SUBSCRIPTION = "/event_subscriptions/esb_1/sources"


@pytest.mark.parametrize(("polls", "is_deleted"), [(1, False), (100, True)], ids=["for a moment", "for good"])
def test_a_subscription_and_a_tls_edge_that_return_404(polls: int, is_deleted: bool) -> None:
    """For one poll, or for all that follow. If everything returns 404 that did not, it is an outage."""
    account = Account(1, 0)
    gone: list[str] = []
    missing = as_json({"error_code": "ERR_404", "msg": "no such object"}, 404)

    def others(request: Received) -> Response | None:
        if request.path.startswith("/tunnels") and gone:
            gone.append("poll")
        if request.path.startswith((SUBSCRIPTION, "/edges/tls")):
            if 2 <= len(gone) <= polls + 1:
                return missing
            if request.path.startswith(SUBSCRIPTION):
                return as_json({"sources": [{"type": "ip_policy_created.v0"}]})
            return as_json({"enabled": True, "ip_policy_ids": ["ipp_1"]}) if "ip_" in request.path else missing
        return None

    account.spoil = others
    parts = {"tls_edges": ["edgtls_1"], "event_subscriptions": ["esb_1"], "https_edges": False, "findings": False}
    with scripted_service(account) as service, listening_to(service, **parts) as listener:
        listener.until(lambda: lists(service, "/tunnels") > 2)
        account.spoil = lambda request: missing
        listener.after_polls(3)
        account.spoil = others
        assert listener.after_polls(2) == []
        gone.append("from now on")
        listener.after_polls(5)
    assert listener.types() == ["edge_changed", "source_changed"] * is_deleted


def test_a_service_that_does_not_respond_is_asked_once_in_a_poll() -> None:
    account = Account()
    with watched(account, report_failure_after=0.4) as (listener, service):
        account.spoil = lambda request: BREAK_OFF
        listener.until(lambda: "polling_failed" in listener.types())
        before = len(service.received)
        time.sleep(1)
        assert len(service.received) - before <= 1 / INTERVAL + 2
    assert "not read, because of the error of" in json.dumps(listener.events)


def test_a_part_that_never_responds_does_not_hide_the_others() -> None:
    account = Account()
    account.spoil = lambda request: BREAK_OFF if request.path.startswith("/tunnels") else None
    with scripted_service(account) as service, listening_to(service) as listener:
        listener.until(lambda: lists(service) > 2)
        account.edges["edghts_new"] = account.edge("edghts_new")
        listener.until(lambda: len(listener.events) >= 2)
    assert listener.types() == ["edge_changed", "route_changed"]


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


FORBIDDEN = as_json({"error_code": "ERR_403", "msg": "not yours"}, 403)


def forbids_the_subscription(request: Received) -> Response | None:
    return FORBIDDEN if "event_sub" in request.path else None


def test_a_long_outage_is_one_event_and_so_is_its_end() -> None:
    account = Account()
    with watched(account, report_failure_after=0.5) as (listener, _service):
        account.spoil = lambda request: as_json({"msg": f"broken {KEY}"}, 500) if "edges" in request.path else None
        listener.until(lambda: len(listener.events) > 0)
        listener.after_polls(3)
        assert listener.types() == ["polling_failed"]
        [failed] = listener.events
        assert failed["before"] is None
        assert list(failed["after"]["errors"]) == ["https_edges"]
        assert KEY not in json.dumps(failed)
        # The other part is still watched.
        account.tunnels["tn_new"] = account.tunnel("tn_new")
        listener.after_polls(3)
        assert listener.types() == ["polling_failed", "tunnel_online"]
        account.spoil = lambda request: None
        listener.until(lambda: len(listener.events) > 2)
        listener.after_polls(2)
        assert listener.types() == ["polling_failed", "tunnel_online", "polling_recovered"]
        assert listener.events[2]["before"] == failed["after"]


def test_an_outage_is_reported_even_if_a_part_never_worked() -> None:
    account = Account()
    account.spoil = forbids_the_subscription
    with watched(account, report_failure_after=0.3, event_subscriptions=["esb_1"]) as (listener, _service):
        listener.until(lambda: len(listener.events) == 1)
        for number in range(2):
            account.spoil = lambda request: BREAK_OFF
            listener.until(lambda count=number: len(listener.events) == 2 + count)  # type: ignore[misc]
            account.spoil = forbids_the_subscription
            listener.after_polls(3)
        account.spoil = lambda request: as_json({"sources": []}) if "event_sub" in request.path else None
        listener.until(lambda: len(listener.events) == 4)
    assert listener.types() == ["polling_failed"] * 3 + ["polling_recovered"]
    assert list(listener.events[0]["after"]["errors"]) == ["event_subscriptions/esb_1"]
    for event, following in zip(listener.events, listener.events[1:], strict=False):
        assert following["before"] == event["after"]
        assert following["after"] is None or len(following["after"]["errors"]) > 1


def test_parts_that_fail_in_turn_are_not_an_outage() -> None:
    account = Account()
    with watched(account, report_failure_after=1.0) as (listener, service):

        def in_turn(request: Received) -> Response | None:
            is_even = lists(service, "/tunnels") % 2 == 0
            return FORBIDDEN if request.path == ("/tunnels" if is_even else "/edges/https") else None

        account.spoil = in_turn
        assert listener.after_polls(20) == []


def test_the_time_while_nobody_polled_does_not_count(tmp_path: Path) -> None:
    account, state = Account(), str(tmp_path / "state.json")
    with scripted_service(account) as service:
        with listening_to(service, state_file=state) as listener:
            listener.after_polls(1)
            account.spoil = lambda request: BREAK_OFF
            listener.after_polls(1)
        for later in ([], ["polling_failed"]):
            seconds = 1.0 if not later else 0.3
            with listening_to(service, state_file=state, report_failure_after=seconds) as again:
                again.after_polls(2 if not later else 8)
            assert again.types() == later
        account.spoil = lambda request: None
        with listening_to(service, state_file=state) as again:
            again.until(lambda: len(again.events) == 1)
        assert again.types() == ["polling_recovered"]
