# SPDX-License-Identifier: GPL-3.0-or-later
"""What precedes the creation of an object: a delay and a rejection, if the switches ask for them."""

from __future__ import annotations

import asyncio
from typing import Literal

from .rejection_codes import Code
from .rejections import Rejection
from .service import Call

Created = Literal["edges", "routes", "sources", "objects"]

_CODES: dict[Created, Code] = {
    "edges": Code.EDGE_LIMIT,
    "routes": Code.ROUTE_LIMIT,
    "sources": Code.SOURCE_LIMIT,
    "objects": Code.OBJECT_LIMIT,
}


async def wait_to_create(call: Call) -> None:
    """Wait before the transaction starts, so that other requests are processed and do not see the object yet."""
    await asyncio.sleep(call.switches.slow_creations_ms / 1000)


def check_creation(call: Call, created: Created) -> None:
    """Raise `Rejection` if the account has reached its limit of these objects. Check the parent before."""
    if call.switches.rejected_creations in (created, "all"):
        message = f"This account has reached its limit of {created}. Delete one, or ask for a higher limit."
        raise Rejection(call.switches.creation_rejection, _CODES[created], message)
