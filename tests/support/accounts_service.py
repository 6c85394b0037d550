# SPDX-License-Identifier: GPL-3.0-or-later
"""Many accounts below one address: a reference service that has, for each account, another key and another state.

Started with the name of a ready file and the names of the accounts. An account's API is below /NAME, and its control
calls are below /NAME/_control.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from reference_service.operations.service import Service
from reference_service.serving.app import assembled
from reference_service.serving.server import address_of, bound_socket, serve
from reference_service.store import Store

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

HOST = "127.0.0.1"


class Accounts:
    def __init__(self, names: list[str]) -> None:
        services = {name: Service(Store(":memory:"), (f"ak_of_{name}",), base_path=f"/{name}") for name in names}
        self._front_doors = {name: assembled(service) for name, service in services.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name, _slash, below = scope["path"].lstrip("/").partition("/")
        own: dict[str, Any] = {"path": f"/{below}"} if below.startswith("_control/") else {}
        await self._front_doors[name]({**scope, **own}, receive, send)


if __name__ == "__main__":
    ready_file, *names = sys.argv[1:]
    bound = bound_socket(HOST, 0)
    address = address_of(bound, HOST)
    announced = {"base_url": address, "control_url": f"{address}/{names[0]}/_control", "pid": os.getpid()}
    serve(Accounts(names), bound, announced, ready_file)  # type: ignore[arg-type]
