# SPDX-License-Identifier: GPL-3.0-or-later
"""What a task waits for, together with others and for others, and what it says about that. Nothing really waits."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Request, RequestError
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import WRITES, Given, Tasks, applied, received
from places import EDGE, HOSTPORT, TLS_EDGE, seed_edge, seed_tls_edge
from scripted_service import Received, Response, as_json, forwarding, in_turn, scripted_service


class Watch(Progress):
    """Its clock stands still until it is moved, so that whatever happens, happens at the same moment."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waited: list[tuple[float, str]] = []
        super().__init__(clock=lambda: self.now)

    def wait(self, seconds: float, reason: str) -> None:
        self.waited.append((seconds, reason))


def client(watch: Watch, base_url: str = "http://127.0.0.1:9", **options: Any) -> Client:
    settings = {"retries": 5, "timeout": 5.0, **options}
    return Client(Connection(base_url=base_url, api_key="ak_of_nobody", **settings), watch)


def asking_for(seconds: float | None, status: int = 503) -> RequestError:
    return RequestError(f"wait for {seconds}", Request("GET", "/x", status=status, retry_after=seconds))


def test_threads_that_wait_together_make_the_task_wait_once() -> None:
    watch = Watch()
    this = client(watch, retry_max_wait=24.0).patience
    for seconds in (10, 10, 2):
        this.wait(asking_for(seconds), 0)
    assert (this.waited, this.retries, len(watch.waited)) == (10, 3, 3)
    watch.now = 4
    this.wait(asking_for(10), 0)
    assert this.waited == 14
    watch.now = 100
    this.wait(asking_for(10), 0)
    assert this.waited == 24
    this.wait(asking_for(9), 0)
    with pytest.raises(RequestError, match="wait for 11"):
        this.wait(asking_for(11), 0)
    assert (this.waited, this.retries) == (24, 6)


@pytest.mark.parametrize(("retries", "error", "retry"), [(1, (10,), 0), (1, (1,), 1), (0, (1, 429), 0)])
def test_what_is_not_waited_for_counts_as_nothing(retries: int, error: tuple[Any, ...], retry: int) -> None:
    """Rate limits are retried beyond `retries` unless it is 0."""
    watch = Watch()
    this = client(watch, retry_max_wait=9.0, retries=retries).patience
    with pytest.raises(RequestError) as caught:
        this.wait(asking_for(*error), retry)
    assert caught.value.request.retries == retry
    assert (this.waited, this.retries, this.last_failure, watch.waited) == (0, 0, "", [])
    client(watch, retries=1).patience.wait(asking_for(1, 429), 7)


def test_a_request_waits_as_long_as_another_thread_was_asked_to() -> None:
    watch = Watch()
    with scripted_service(in_turn(as_json({}))) as service:
        this = client(watch, service.base_url)
        this.call("GET", "/x")
        assert watch.waited == []
        this.patience.wait(asking_for(30), 0)
        this.patience.wait(asking_for(20), 0)
        this.patience.wait(asking_for(None), 0)
        watch.now, watch.waited = 12, []
        this.call("GET", "/x")
        assert watch.waited == [(18, "GET /x: wait for None")]
        watch.now, watch.waited = 30, []
        this.call("GET", "/x")
        assert watch.waited == []


@pytest.mark.parametrize(
    ("responses", "seconds", "message"),
    [
        ((7,), 7.0, "Retried 1 request and waited 7 seconds in total. Last error: "),
        ((2, 3), 5.0, "Retried 2 requests and waited 5 seconds in total. Last error: "),
        ((2, 2), 4.0, None),
    ],
)
@pytest.mark.parametrize("status", [200, 403])
def test_a_task_that_waited_long_says_so(
    tasks: Tasks, responses: tuple[int, ...], seconds: float, message: str | None, status: int
) -> None:
    """Whether it succeeds or fails in the end."""

    class Moving(Watch):
        def wait(self, seconds: float, reason: str) -> None:
            self.now += seconds

    asking = [as_json({"msg": "slow down"}, 429, Retry_After=str(each)) for each in responses]
    with scripted_service(in_turn(*asking, as_json({"tunnels": []}, status))) as service:
        options = {"base_url": service.base_url, "api_key": "ak_of_nobody"}
        result = applied("tunnel_info", options, progress=Moving())
    assert result.get("failed", False) == (status == 403)
    assert (result["retries"], result["seconds_waited"]) == (len(responses), seconds)
    if message is None:
        assert "warnings" not in result
    else:
        [warning] = result["warnings"]
        assert warning.startswith(message)
        assert "slow down" in warning


class Counting(Progress):
    """Notes what is reported to it."""

    def __init__(self) -> None:
        super().__init__()
        self.planned: list[int] = []
        self.failures: list[bool] = []

    def add_planned(self, number: int) -> None:
        self.planned.append(number)

    def object_done(self, failed: bool) -> None:
        self.failures.append(failed)


def test_progress_counts_failures_as_such(tasks: Tasks) -> None:
    """An edge that is changed, one that cannot be created, and its two routes that are not tried."""
    seed_edge(tasks)
    tasks.service.switches(rejected_creations="edges")
    routes = [{"match_type": "exact_path", "match": f"/{number}"} for number in range(2)]
    rejected = {"hostports": ["refused.example.com:443"], "routes": routes}
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0, "concurrency": 1}
    edges = [{"hostports": [HOSTPORT], "description": "fine"}, rejected]
    progress = Counting()
    applied("estate", {**connection, "https_edges": edges}, progress=progress)
    assert (progress.planned, progress.failures) == ([4], [False, True, True, True])


REJECTED_DEPTHS = {
    "brackets": b"[" * 100_000 + b"]" * 100_000,
    "brackets as the message": b'{"msg":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "some brackets as the message": b'{"msg":' + b"[" * 900 + b"]" * 900 + b"}",
}


@pytest.mark.parametrize("body", REJECTED_DEPTHS.values(), ids=REJECTED_DEPTHS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_deeply_nested_rejection_is_a_rejection(body: bytes, method: str) -> None:
    with scripted_service(in_turn(Response(400, body))) as service, pytest.raises(RequestError) as caught:
        client(Watch(), service.base_url, retries=0).call(method, "/x")
    assert caught.value.request.status == 400
    assert str(caught.value).startswith(f"{method} /x: the service returned 400")


TERMINATION = {"edge_id": TLS_EDGE, "min_version": "1.3"}
# The write, and whether it takes effect though the service returns 503.
WRITES_OF_PLANS: list[tuple[str, Given, bool]] = [
    *(("https_edge", {"id": EDGE, "state": "absent"}, takes_effect) for takes_effect in (False, True)),
    ("https_edge", {"id": EDGE, "description": "new"}, False),
    ("https_edge", {"hostports": ["new.example.com:443"]}, False),
    *(("tls_edge_tls_termination", TERMINATION, takes_effect) for takes_effect in (False, True)),
]


@pytest.mark.parametrize("retries", [0, 2])
@pytest.mark.parametrize(("module", "options", "takes_effect"), WRITES_OF_PLANS)
def test_a_write_is_sent_once_and_as_often_as_it_may_be_retried(
    tasks: Tasks, module: str, options: Given, takes_effect: bool, retries: int
) -> None:
    """The client retries some methods by itself. The plan, which reads in between, does not retry these once more."""
    seed_edge(tasks)
    seed_tls_edge(tasks)
    to_the_service = forwarding(tasks.service.base_url)

    def failing(request: Received) -> Response | None:
        if request.method != "GET" and takes_effect:
            to_the_service(request)
        return Response(503) if request.method != "GET" else None

    result = tasks.run(module, instead=failing, **options, retries=retries)
    assert (len(received(result, *WRITES)), result["retries"]) == (retries + 1, retries)
    is_seen = takes_effect and retries > 0
    assert (bool(result.get("failed")), is_seen or result["error"]["retries"] == retries) == (not is_seen, True)
