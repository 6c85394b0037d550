# SPDX-License-Identifier: GPL-3.0-or-later
"""No minute has more requests than `requests_per_minute`, whichever tasks, threads, and retries send them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import RequestError
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.waits import RequestsPerMinute
from scripted_service import Response, as_json, in_turn, scripted_service

FINE = as_json({"fine": True})


class Watch:
    """A clock that only waiting and the duration of requests advance, and the lines that a task displays."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.said: list[str] = []

    def pass_by(self, seconds: float) -> None:
        self.now += seconds

    def progress(self) -> Progress:
        return Progress(self.said.append, lambda: self.now, self.pass_by)


def connection(base_url: str, limit: int | None, retries: int = 0) -> Connection:
    return Connection(base_url, "ak_of_nobody", requests_per_minute=limit, retries=retries, timeout=5.0)


@given(
    limit=st.integers(1, 5),
    requests=st.lists(st.tuples(st.floats(0, 90), st.floats(0, 1), st.floats(0, 100)), max_size=30),
)
def test_no_minute_has_more_requests_wherever_in_its_exchange_a_request_arrives(
    limit: int, requests: list[tuple[float, float, float]]
) -> None:
    watch, arrived = Watch(), []
    this = RequestsPerMinute(connection(f"https://{object()}.example.com", limit), watch.progress())
    for duration, share, pause in requests:
        with this.slot():
            arrived.append(watch.now + share * duration)
            watch.pass_by(duration)
        watch.pass_by(pause)
    for start in arrived:
        assert sum(start <= moment < start + 60 - 1e-6 for moment in arrived) <= limit


def test_the_requests_of_all_tasks_of_a_process_count_but_not_those_of_another_account() -> None:
    watch = Watch()
    with scripted_service(in_turn(*[FINE] * 9)) as service, scripted_service(in_turn(FINE)) as other:
        for _item in range(3):
            for _request in range(3):
                Client(connection(service.base_url, 4), watch.progress()).call("GET", "/x")
        assert (len(service.received), watch.now) == (9, 1120)
        Client(connection(other.base_url, 4), watch.progress()).call("GET", "/x")
        assert watch.now == 1120


def test_a_task_says_what_it_waits_for() -> None:
    watch = Watch()
    with scripted_service(in_turn(FINE, FINE)) as service:
        client = Client(connection(service.base_url, 1), watch.progress())
        for _request in range(2):
            client.call("GET", "/x")
    assert watch.said[0] == "reading (5 s); waiting 55 s: requests_per_minute=1"
    assert client.patience.waited == 0


def test_retries_count_as_well() -> None:
    watch = Watch()
    with scripted_service(in_turn(Response(429, b"", {"Retry-After": "1"}), FINE)) as service:
        Client(connection(service.base_url, 1, retries=1), watch.progress()).call("GET", "/x")
        assert len(service.received) == 2
    assert watch.now >= 1060


def test_a_request_that_fails_returns_its_slot() -> None:
    watch = Watch()
    client = Client(connection("http://127.0.0.1:9", 1), watch.progress())
    for _request in range(3):
        with suppress(RequestError):
            client.call("GET", "/x")
    assert watch.now == 1120


@pytest.mark.parametrize("limit", [1, 3])
def test_threads_share_the_limit(limit: int) -> None:
    watch = Watch()
    with scripted_service(in_turn(*[FINE] * 8)) as service:
        client = Client(connection(service.base_url, limit), watch.progress())
        with ThreadPoolExecutor(max_workers=4) as pool:
            list(pool.map(lambda _number: client.call("GET", "/x"), range(8)))
        assert len(service.received) == 8
    assert watch.now >= 1000 + 60 * ((8 - 1) // limit)


def test_by_default_there_is_no_limit() -> None:
    watch = Watch()
    with scripted_service(in_turn(*[FINE] * 200)) as service:
        client = Client(connection(service.base_url, None), watch.progress())
        for _request in range(200):
            client.call("GET", "/x")
    assert watch.now == 1000
