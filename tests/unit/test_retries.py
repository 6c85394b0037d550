# SPDX-License-Identifier: GPL-3.0-or-later
"""When requests are sent and retried: after how long, and not more in a minute than `requests_per_minute`; what a task
displays meanwhile; and when a delivery has not begun, so that nothing was sent.
"""

from __future__ import annotations

import itertools
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Request, RequestRejected
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import retries
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.delivery import Delivery
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import (
    Patience,
    Progress,
    RequestsPerMinute,
    recall,
)

pytestmark = pytest.mark.every_core

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)

PASSING = [408, 429, 500, 502, 503, 504, 599]
LASTING = [200, 301, 400, 401, 403, 404, 405, 409, 422, 501]


def test_what_is_repeated() -> None:
    """No POST and no PATCH, and nothing that failed for good."""
    assert set(retries.REPEATABLE_METHODS) == {"GET", "PUT", "DELETE"}
    assert [status for status in (*PASSING, *LASTING) if retries.is_passing(status)] == PASSING


def test_what_proves_that_a_write_has_ended() -> None:
    """No response, a part of one, and none in time are None. An error page can come from a proxy in between."""
    others = (200, 201, 202, 204, 408, 500, 501, 502, 503, 504, 505, 507, 508, 520, 524, 599)
    assert [status for status in others if retries.has_ended(status, is_explained=True)] == [500, 503]
    assert not any(retries.has_ended(status, is_explained=False) for status in (None, *others))


@given(st.integers(0, 5000), st.floats(0, 1))
def test_every_wait_is_positive_spread_and_bounded(attempt: int, chance: float) -> None:
    assert 0 < retries.backoff(attempt, 0) <= retries.backoff(attempt, chance) <= retries.backoff(attempt, 1) <= 30


HEADERS: dict[str | None, float | None] = {
    **dict.fromkeys([None, "", "soon", "-1", "1.5", "²", "١٢"]),
    **dict.fromkeys(["12", " 12 "], 12),
    "0": 0,
    "Fri, 02 Jan 2026 03:04:35 GMT": 30,
    "Fri, 02 Jan 2026 03:04:35 -0000": 30,
    "Fri, 02 Jan 2026 05:04:35 +0200": 30,
    "Fri, 02 Jan 2026 03:00:00 GMT": 0,
    "Fri, 02 Jan 2026 03:04:35 +99999999999999999999": None,
    "99999999999999999999 Jan 2026 03:04:35 GMT": None,
}


def test_the_header_retry_after_is_converted_to_seconds() -> None:
    assert {header: retries.retry_after(header, NOW) for header in HEADERS} == HEADERS


DATES = st.from_regex(
    r"[A-Za-z]{3}, [0-9]{1,3} Jan [0-9]{1,6} [0-9]{1,3}:[0-9]{1,3}:[0-9]{1,3} [+-]?[0-9A-Z]{1,20}", fullmatch=True
)


@given(st.one_of(st.text(max_size=40), DATES))
def test_retry_after_of_any_text_is_a_wait_or_nothing(header: str) -> None:
    seconds = retries.retry_after(header, NOW)
    assert seconds is None or seconds >= 0


def test_a_delivery_does_not_begin_once_its_time_is_over_and_if_it_has_begun_it_stays_so() -> None:
    late = Delivery(seconds=0)
    late.has_connected = True
    assert not late.may_have_begun()
    with pytest.raises(TimeoutError):
        late.begin()
    assert not late.may_have_begun()
    delivery = Delivery(seconds=60)
    assert delivery.may_have_begun(), "connections that record nothing, as of another urllib3, prove nothing"
    delivery.has_connected = True
    delivery.begin()
    assert not delivery.is_over()
    delivery.ends = 0.0
    assert delivery.is_over()
    delivery.begin()
    assert delivery.may_have_begun()


@pytest.mark.parametrize(("seconds", "timeout", "limited"), [(60, 30, 30), (30, 60, 30), (30, None, 30)])
def test_a_socket_waits_no_longer_than_the_delivery(seconds: float, timeout: float | None, limited: float) -> None:
    with socket.socket() as sock:
        sock.settimeout(timeout)
        Delivery(seconds=seconds).limit(sock)
        assert sock.gettimeout() == pytest.approx(limited, abs=1)
        with pytest.raises(TimeoutError):
            Delivery(seconds=0).limit(sock)


class Watch:
    """A clock that advances only when a test sets it, and what was said so far."""

    def __init__(self) -> None:
        self.now = 100.0
        self.said: list[str] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def progress(self) -> Progress:
        return Progress(self.said.append, lambda: self.now, self.sleep)


# How many objects are planned and done, the seconds for each, and what is said.
STEPS: list[tuple[int, int, float, list[str]]] = [
    (3, 3, 1.5, []),
    (20, 12, 1, [f"processed {done} of 20 objects, 1 failed, about {20 - done} s left" for done in (5, 10)]),
    (5, 5, 1, ["processed 5 of 5 objects, 1 failed"]),
]


@pytest.mark.parametrize(("planned", "done", "seconds", "said"), STEPS)
def test_a_long_task_says_how_far_it_is(planned: int, done: int, seconds: float, said: list[str]) -> None:
    watch = Watch()
    progress = watch.progress()
    progress.add_planned(planned)
    for number in range(done):
        watch.sleep(seconds)
        progress.object_done(failed=number == 2)
    assert watch.said == said


def test_a_long_wait_says_what_for() -> None:
    watch = Watch()
    progress = watch.progress()
    progress.wait(12, "too many requests")
    assert watch.now == 112
    assert watch.said == [f"reading ({at} s); waiting {left} s: too many requests" for at, left in ((5, 7), (10, 2))]


def test_after_a_minute_a_rate_limit_says_how_long_it_can_last() -> None:
    watch = Watch()
    connection = Connection("http://127.0.0.1:9", "key", retry_max_wait=200)
    patience = Patience(connection, watch.progress(), Masks(list))
    error = RequestRejected("too many", Request("GET", "/tunnels", status=429, retry_after=40.0))
    for retry in range(3):
        patience.wait(error, retry)
    hints = [line.rpartition("429")[2].partition("too many")[2] for line in watch.said]
    limit = ". At most 80 s more; to wait less, decrease `retry_max_wait`."
    assert dict.fromkeys(hints) == dict.fromkeys(["", limit]), watch.said


UNDER_WAY = " Requests that were under way may have changed more."
# What is planned, done, and partly done, and what is said when a task is interrupted then.
SAID = [
    (0, 0, "", ""),
    (40, 12, "", f"Interrupted after 12 of 40 objects, of which 1 failed.{UNDER_WAY}"),
    (9, 0, "abcde", f"Interrupted after 0 of 9 objects. Not finished: a; b; c; and 2 more.{UNDER_WAY}"),
]


@pytest.mark.parametrize(("planned", "done", "unfinished", "said"), SAID)
def test_an_interrupted_task_says_what_is_done(planned: int, done: int, unfinished: str, said: str) -> None:
    progress = Watch().progress()
    progress.unfinished = lambda: unfinished
    progress.add_planned(planned)
    for number in range(done):
        progress.object_done(failed=number < 1)
    with progress._lock:  # as if the signal had come in the middle of object_done
        assert progress.interrupted() == said


_accounts = itertools.count()


def connected(limit: int) -> Connection:
    """A connection to an account of its own."""
    return Connection(f"https://{next(_accounts)}.example", "key", requests_per_minute=limit)


def send(this: RequestsPerMinute, number: int = 1) -> None:
    for _request in range(number):
        with this.slot():
            pass


@given(
    limit=st.integers(1, 5),
    requests=st.lists(st.tuples(st.floats(0, 90), st.floats(0, 1), st.floats(0, 100)), max_size=30),
)
def test_no_minute_has_more_requests_wherever_in_its_exchange_a_request_arrives(
    limit: int, requests: list[tuple[float, float, float]]
) -> None:
    watch, arrived = Watch(), []
    this = RequestsPerMinute(connected(limit), watch.progress())
    for duration, share, pause in requests:
        with this.slot():
            arrived.append(watch.now + share * duration)
            watch.sleep(duration)
        watch.sleep(pause)
    for start in arrived:
        assert sum(start <= moment < start + 60 - 1e-6 for moment in arrived) <= limit


def test_the_requests_of_all_tasks_of_a_process_count_but_not_those_of_another_account() -> None:
    watch, connection = Watch(), connected(4)
    for _task in range(3):
        send(RequestsPerMinute(connection, watch.progress()), 3)
    assert watch.now == 220
    send(RequestsPerMinute(connected(4), watch.progress()))
    assert watch.now == 220
    assert watch.said[0] == "reading (5 s); waiting 55 s: requests_per_minute=4"


def test_a_request_that_fails_returns_its_slot() -> None:
    watch = Watch()
    this = RequestsPerMinute(connected(1), watch.progress())
    for _request in range(3):
        with suppress(ValueError), this.slot():
            raise ValueError
    assert watch.now == 220


@pytest.mark.parametrize(
    ("sent", "recalled", "allowed", "waits"),
    [
        (0, [[50.0, 10.0]], 2, 10.0),
        (0, [[10.0], [50.0, 40.0]], 1, 10.0),
        (0, [[10.0, 20.0], [30.0, 40.0, 50.0, 60.0]], 0, 30.0),
        (2, [[30.0], [5.0, 20.0]], 0, 20.0),
        (4, [[30.0, 20.0]], 0, 60.0),
    ],
)
def test_the_requests_in_all_state_files_count(
    sent: int, recalled: list[list[float]], allowed: int, waits: float
) -> None:
    watch, connection = Watch(), connected(4)
    this = RequestsPerMinute(connection, watch.progress())
    before = watch.now
    send(this, sent)
    for seconds in recalled:
        recall(connection, watch.progress(), seconds)
    send(this, allowed)
    assert watch.now == before
    send(this)
    assert watch.now == before + waits


def test_threads_share_the_limit() -> None:
    watch = Watch()
    this = RequestsPerMinute(connected(3), watch.progress())
    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(lambda _number: send(this), range(8)))
    assert watch.now >= 100 + 60 * 2
