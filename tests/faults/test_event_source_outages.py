# SPDX-License-Identifier: GPL-3.0-or-later
"""What the event source says of outages: each that lasts is one event, and so is the end."""

from __future__ import annotations

import json
from pathlib import Path

from scripted_account import KEY, Account, listening_to, lists, watched
from scripted_service import BREAK_OFF, Received, Response, as_json, scripted_service

SUBSCRIPTION = {"event_subscriptions": ["esb_1"]}
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
    with watched(account, report_failure_after=0.3, **SUBSCRIPTION) as (listener, _service):
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
