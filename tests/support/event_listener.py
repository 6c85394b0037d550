# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source with its queue, as ansible-rulebook runs it: it executes the file, and calls `main`."""

from __future__ import annotations

import asyncio
import json
import runpy
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from threading import enumerate as all_threads
from typing import Any

from collection_tree import CHECKOUT

PLUGIN = CHECKOUT / "extensions" / "eda" / "plugins" / "event_source" / "changes.py"
SECONDS = 20.0
INTERVAL = 0.1


def plugin_main() -> Any:
    return runpy.run_path(str(PLUGIN))["main"]


class FilteredQueue(asyncio.Queue[dict[str, Any]]):
    """A queue with a filter that changes events in place, as some do that give members other names."""

    async def put(self, event: dict[str, Any]) -> None:
        shown = json.loads(json.dumps(event))
        for state in (event["before"], event["after"]):
            if state is not None:
                state.clear()
        event.clear()
        await super().put(shown)


class Listener:
    """A running source. `events` are those that it has put into the queue, `error` the one that has ended it."""

    def __init__(self, arguments: dict[str, Any], polls: Callable[[], int], takes: int) -> None:
        self.events: list[dict[str, Any]] = []
        self.error: BaseException | None = None
        self._polls, self._left = polls, takes
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self.thread = Thread(target=self._loop.run_until_complete, args=[self._run(arguments)])
        self.thread.start()

    async def _run(self, arguments: dict[str, Any]) -> None:
        queue = FilteredQueue(maxsize=1)
        self._task = asyncio.ensure_future(plugin_main()(queue, arguments))
        consumer = asyncio.ensure_future(self._take(queue))
        with suppress(asyncio.CancelledError):
            try:
                await self._task
            except Exception as error:
                self.error = error
        consumer.cancel()
        with suppress(asyncio.CancelledError):
            await consumer
        while not queue.empty():
            self.events.append(queue.get_nowait())

    async def _take(self, queue: asyncio.Queue[dict[str, Any]]) -> None:
        while self._left:
            self.events.append(await queue.get())
            self._left -= 1

    def stop(self) -> None:
        if self._task is not None and self.thread.is_alive():
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._task.cancel)
        self.thread.join(SECONDS)
        assert not self.thread.is_alive()
        self._loop.close()

    def until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not is_so():
            assert time.monotonic() < end, self.events
            assert self.thread.is_alive(), self.error
            time.sleep(0.01)

    def after_polls(self, number: int = 1) -> list[dict[str, Any]]:
        """Return the events after at least so many whole polls from now."""
        start = self._polls()
        self.until(lambda: self._polls() >= start + number + 1)
        return self.events

    def types(self) -> list[str]:
        return [event["type"] for event in self.events]


def wait_for_threads() -> None:
    """Wait for requests that stopped sources have not waited for."""
    for thread in all_threads():
        if thread.name == "edgeops.ingress.changes":
            thread.join(SECONDS)


@contextmanager
def listening(polls: Callable[[], int], takes: int = -1, **arguments: Any) -> Iterator[Listener]:
    """Run a source until the end of the block, after its first poll. `polls` counts the polls, or what begins each.

    The queue is read so often; always, if `takes` is -1.
    """
    listener = Listener({"interval": INTERVAL, "requests_per_minute": 100_000, **arguments}, polls, takes)
    try:
        yield listener
    finally:
        listener.stop()
