# SPDX-License-Identifier: GPL-3.0-or-later
"""The event source: polls an account, and puts what has changed into the queue of ansible-rulebook.

Events are saved before they are put into the queue, together with what is remembered from then on. So a restart neither
omits nor repeats them, except for the one that was being put there when the process was killed.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from ...module_utils._definition import Options
from ...module_utils._entry import masks_of
from ...module_utils._errors import IngressError, Request
from ...module_utils._model.masking import Masks
from ...module_utils._transport.client import Client
from ...module_utils._transport.connection import Connection
from ...module_utils._transport.exchange import REQUESTS_MISSING
from ...module_utils._transport.progress import MINUTE, Progress, recall
from .background import finished_in_thread, in_thread
from .definition import DEFINITION, account_of, options_of, owner_of
from .harmless import harmless_text
from .memory import Event, Memory, Moment, next_memory
from .objects import Reading
from .reading import read_account
from .state_file import StateFile

_log = logging.getLogger("edgeops.ingress.changes")
_LONGEST_DELAY = 3600.0
_OF_ANSIBLE_RULEBOOK = ("eda_feedback_queue",)
"""Arguments that ansible-rulebook adds to those of the rulebook."""


async def run(queue: Any, arguments: Mapping[str, Any]) -> None:
    """Deliver events until this is cancelled. Raises IngressError or UnusableStateFile if it cannot start."""
    if REQUESTS_MISSING is not None:
        raise IngressError(f"requests is required; install it for the Python of ansible-rulebook, {sys.executable}")
    options = options_of({str(name): value for name, value in arguments.items() if name not in _OF_ANSIBLE_RULEBOOK})
    source = _Source(queue, options)
    try:
        await source.run()
    finally:
        source.stop()


class _Stopped(Exception):
    """The source was stopped while its thread was waiting."""


class _StoppableClient(Client):
    """Sends no more requests once the source is stopped, because another one may already use the account."""

    def __init__(self, sleep: Callable[[float], None], options: Options, masks: Masks, state: StateFile | None) -> None:
        super().__init__(Connection.of(options), Progress(sleep=sleep), masks)
        self._sleep, self._state = sleep, state

    def _send(self, request: Request, url: str, body: Any, may_be_empty: bool) -> tuple[int, Any]:
        self._sleep(0)
        if self._state is not None:
            self._state.request()
        return super()._send(request, url, body, may_be_empty)


class _Source:
    def __init__(self, queue: Any, options: Options) -> None:
        self._queue, self._options = queue, options
        self._account = account_of(options)
        self._state: StateFile | None = None
        if options["state_file"]:
            seconds, sender = MINUTE + options["timeout"], Connection.of(options)
            self._state = StateFile(options["state_file"], owner_of(options), seconds, sender)
        self._memory = Memory()
        self._previous = Reading()
        self._stopped = threading.Event()

    async def run(self) -> None:
        events: list[Event] = []
        if self._state is not None:
            self._memory, events = await finished_in_thread(self._state.open)
            recall(Connection.of(self._options), Progress(), self._state.requests())
        await self._deliver(events)
        while True:
            started = time.monotonic()
            reading, memory, events = await in_thread(self._poll)
            self._log_errors(reading.errors)
            if self._state is not None and (events or memory is not self._memory or self._state.is_long):
                await finished_in_thread(self._state.save, memory, events)
            self._memory, self._previous = memory, reading
            await self._deliver(events)
            delay = self._options["interval"] - (time.monotonic() - started)
            await asyncio.sleep(max(delay, min(reading.retry_after, _LONGEST_DELAY), 0.0))

    def stop(self) -> None:
        self._stopped.set()
        if self._state is not None:
            self._state.close()

    def _sleep(self, seconds: float) -> None:
        """Let a thread wait. Raises _Stopped immediately when the source is stopped."""
        if self._stopped.wait(seconds):
            raise _Stopped

    def _poll(self) -> tuple[Reading, Memory, list[Event]]:
        # Another client each time, because the time that one waits for retries is limited.
        masks = masks_of(DEFINITION, self._options)
        client = _StoppableClient(self._sleep, self._options, masks, self._state)
        reading = read_account(client, self._options, self._memory.parts, self._memory.gone, self._previous)
        moment = Moment(self._account, time.time())
        return (reading, *next_memory(self._memory, reading, self._options, moment))

    async def _deliver(self, events: list[Event]) -> None:
        for event in events:
            await self._queue.put(deepcopy(event))  # because filters change events, whose states are remembered
            if self._state is not None:
                self._state.delivered(event)
            await asyncio.sleep(0)  # lets ansible-rulebook process it

    def _log_errors(self, errors: Mapping[str, str]) -> None:
        for name, error in errors.items():
            if name not in self._previous.errors:
                _log.warning("%s: %s cannot be read: %s", self._account, name, " ".join(harmless_text(error).split()))
        for name in self._previous.errors.keys() - errors.keys():
            _log.warning("%s: %s can be read again", self._account, name)
