# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes before an object is created by POST: a wait, and a refusal, where the switches ask for them."""

from __future__ import annotations

import asyncio
from typing import Literal

from .refusals import Refusal
from .service import Call

Created = Literal["edges", "routes", "sources"]

_CODES: dict[Created, str] = {"edges": "ERR_EDGE_LIMIT", "routes": "ERR_ROUTE_LIMIT", "sources": "ERR_SOURCE_LIMIT"}


async def wait_to_create(call: Call) -> None:
    """Before the transaction begins, so that others are served meanwhile and don't see the object yet."""
    await asyncio.sleep(call.switches.slow_creations_ms / 1000)


def check_creation(call: Call, created: Created) -> None:
    """Raises Refusal if this account may have no more of these. Whether their parent is there is known by then."""
    if call.switches.refused_creations in (created, "all"):
        message = f"This account has as many {created} as it may have. Delete one, or ask for a higher limit."
        raise Refusal(call.switches.creation_refusal, _CODES[created], message)
