# SPDX-License-Identifier: GPL-3.0-or-later
"""A service before another one whose lists move while their pages are read: they are cut by offsets, and somebody else
adds and deletes meanwhile.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import requests

from module_task import Tasks
from scripted_service import Received, Response, as_json, forwarding

PAGE = 2


@dataclass
class ShiftingLists:
    """The script. `meanwhile` is called before each page but the first of a list, and may change the listed objects."""

    tasks: Tasks
    chance: random.Random
    meanwhile: Callable[[], None]
    shifts: int = 0
    missed: int = 0
    deleted: list[str] = field(default_factory=list)
    _to_the_service: Any = None

    def __post_init__(self) -> None:
        self._to_the_service = forwarding(self.tasks.service.base_url)

    def __call__(self, request: Received) -> Response:
        path, _mark, query = request.path.partition("?")
        for end, key, link in (("/edges/https", "https_edges", "next_page_uri"), ("/sources", "sources", "uri")):
            if request.method == "GET" and path.endswith(end):
                return self._page(path, query, key, link)
        if request.method == "DELETE":
            self.deleted.append(path)
        response: Response = self._to_the_service(request)
        return response

    def _page(self, path: str, query: str, key: str, link: str) -> Response:
        offset = int(query.partition("offset=")[2] or 0)
        if offset:
            self.meanwhile()
            # What was added or deleted before this page moves its members to the one before or after.
            shift = self.chance.choice([-1, -1, 0, 0, 1])
            self.shifts += bool(shift)
            self.missed += shift > 0
            offset = max(0, offset + shift)
        members = self._members(path, key)
        following = offset + PAGE
        more = f"{path}?offset={following}" if following < len(members) else None
        return as_json({key: members[offset:following], link: more})

    def _members(self, path: str, key: str) -> list[Any]:
        headers = {"Authorization": f"Bearer {self.tasks.service.api_key}", "Svc-Version": "2"}
        with requests.Session() as session:
            session.trust_env = False
            response = session.get(self.tasks.service.base_url + path, headers=headers, timeout=30)
        members: list[Any] = response.json()[key]
        return members
