# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task displays while it works and waits, once that takes more than five seconds, and then every five seconds;
and that no minute has more requests than `requests_per_minute`.
"""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Request, RequestRejected
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import (
    Patience,
    Progress,
    RequestsPerMinute,
)

pytestmark = pytest.mark.every_core


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
    assert watch.said == [
        "reading (5 s); waiting 7 s: too many requests",
        "reading (10 s); waiting 2 s: too many requests",
    ]


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


INTERRUPTED = "Interrupted after {} objects"
MANY = ["route a: the route is closed", "route b: 1 request done", "c", "d", "e"]
PARTS = "Not finished: route a: the route is closed; route b: 1 request done; c; and 2 more."
# What is planned, done, and partly done, and what is said when a task is interrupted then.
SAID: list[tuple[int, int, list[str], str]] = [
    (0, 0, [], ""),
    (40, 12, [], f"{INTERRUPTED.format('12 of 40')}, of which 1 failed."),
    (9, 0, MANY, f"{INTERRUPTED.format('0 of 9')}. {PARTS}"),
    (2, 0, [], f"{INTERRUPTED.format('0 of 2')}."),
]


@pytest.mark.parametrize(("planned", "done", "unfinished", "said"), SAID)
def test_an_interrupted_task_says_what_is_done(planned: int, done: int, unfinished: list[str], said: str) -> None:
    progress = Watch().progress()
    progress.unfinished = lambda: unfinished
    progress.add_planned(planned)
    for number in range(done):
        progress.object_done(failed=number < 1)
    with progress._lock:  # as if the signal had come in the middle of object_done
        assert progress.interrupted() == said


_accounts = itertools.count()


def limit_of(watch: Watch, limit: int, base_url: str = "") -> RequestsPerMinute:
    """The limit of a task for an account, by default one of its own."""
    return RequestsPerMinute(
        Connection(base_url or f"https://{next(_accounts)}.example", "key", requests_per_minute=limit), watch.progress()
    )


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
    this = limit_of(watch, limit)
    for duration, share, pause in requests:
        with this.slot():
            arrived.append(watch.now + share * duration)
            watch.sleep(duration)
        watch.sleep(pause)
    for start in arrived:
        assert sum(start <= moment < start + 60 - 1e-6 for moment in arrived) <= limit


def test_the_requests_of_all_tasks_of_a_process_count_but_not_those_of_another_account() -> None:
    watch = Watch()
    for _task in range(3):
        send(limit_of(watch, 4, "https://one.example"), 3)
    assert watch.now == 220
    send(limit_of(watch, 4, "https://two.example"))
    assert watch.now == 220
    assert watch.said[0] == "reading (5 s); waiting 55 s: requests_per_minute=4"


def test_a_request_that_fails_returns_its_slot() -> None:
    watch = Watch()
    this = limit_of(watch, 1)
    for _request in range(3):
        with suppress(ValueError), this.slot():
            raise ValueError
    assert watch.now == 220


@pytest.mark.parametrize("limit", [1, 3])
def test_threads_share_the_limit(limit: int) -> None:
    watch = Watch()
    this = limit_of(watch, limit)
    with ThreadPoolExecutor(max_workers=4) as pool:
        list(pool.map(lambda _number: send(this), range(8)))
    assert watch.now >= 100 + 60 * ((8 - 1) // limit)
