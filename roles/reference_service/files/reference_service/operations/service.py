# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the running service, and what the processing of one request needs of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request, Response

from ..responses.formatting import Responses
from ..store import Store, Stored
from ..switches import Switches, from_values
from ..values.rejections import not_found
from .rate_limit import RateLimit


@dataclass
class Service:
    store: Store
    api_keys: tuple[str, ...]
    base_path: str = ""
    version_header: str = "Svc-Version"
    rate_limit: RateLimit = field(default_factory=RateLimit)

    def __post_init__(self) -> None:
        self.switches = from_values(self.store.setting("switches") or {})

    def set_switches(self, switches: Switches) -> None:
        self.switches = switches
        self.store.set_setting("switches", switches.model_dump(exclude_unset=True))
        self.rate_limit.forget()

    def reset(self) -> None:
        self.store.clear()
        self.set_switches(Switches())


@dataclass(frozen=True)
class Call:
    """What an operation needs: the state, the switches, the IDs in its path, and the format of its response."""

    store: Store
    switches: Switches
    path: Mapping[str, str]
    responses: Responses

    def held(self, kind: str, name: str = "id") -> Stored:
        """Return the object whose ID has this name in the path of the request.

        Read it inside the operation, so that no other write can come in between. Raises `Rejection` (404) if it does
        not exist, or is a route of another edge.
        """
        found = self.store.get(kind, self.path[name])
        if found is None or (kind == "route" and found.parent != self.path["edge_id"]):
            raise not_found(kind, self.path[name])
        return found


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


ThisService = Annotated[Service, Depends(_service)]


async def _call(request: Request, service: ThisService) -> Call:
    origin = f"{request.url.scheme}://{request.url.netloc}"
    responses = Responses(service.switches, origin, service.base_path)
    return Call(service.store, service.switches, request.path_params, responses)


ThisCall = Annotated[Call, Depends(_call)]


def as_json(content: Any, status: int = 200) -> Response:
    # `Responses` has prepared it, so the serialization of the framework is not needed.
    return Response(orjson.dumps(content), status, media_type="application/json")


def no_content() -> Response:
    return Response(status_code=204)
