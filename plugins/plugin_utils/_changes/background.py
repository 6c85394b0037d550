# SPDX-License-Identifier: GPL-3.0-or-later
"""Work in threads, which must block neither the event loop nor the end of the process.

The threads of `asyncio.to_thread` would: Python waits for them before it exits, even for a request that takes minutes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

Result = TypeVar("Result")


async def in_thread(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function in a thread of its own, and return its result. If this is cancelled, the result is ignored."""
    future: Future[Result] = Future()
    future.set_running_or_notify_cancel()  # From now on, it is not cancelled together with what waits for it.

    def work() -> None:
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=work, name="edgeops.ingress.changes", daemon=True).start()
    return await asyncio.wrap_future(future)


async def finished_in_thread(function: Callable[..., Result], *arguments: Any) -> Result:
    """Do the same, but wait for the end of the function even if this is cancelled."""
    task = asyncio.ensure_future(in_thread(function, *arguments))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        with suppress(Exception):
            await task
        raise
