# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress is displayed once something takes more than five seconds, and then every five seconds."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Request, RequestRejected
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.waits import Patience

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


def test_without_a_display_the_progress_only_waits() -> None:
    watch = Watch()
    Progress(None, lambda: watch.now, watch.sleep).wait(12, "")
    assert watch.now == 112


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
