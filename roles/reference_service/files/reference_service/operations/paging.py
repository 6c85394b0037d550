# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of a list: newest first, with a `limit` of at most 100. The next page starts after the last ID of a page."""

from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query, Response

from ..store import Document, Stored
from ..values.rejections import invalid
from .service import Call, as_json

Limit = Annotated[int | None, Query(ge=1, le=100)]
BeforeId = Annotated[str | None, Query(min_length=1)]
Shown = Callable[[Stored], Document]


def page_of(
    call: Call, kind: str, path: str, name: str, shown: Shown, before_id: str | None, limit: int | None
) -> Response:
    """Return one page of the objects at a path, as a list with this name."""
    before = call.store.number_of(kind, before_id) if before_id is not None else None
    if before_id is not None and before is None:
        raise invalid(f"before_id: no object ever had the ID {before_id!r}")
    size = limit or call.switches.page_size
    if before is not None and overlaps(call, size):
        before += 1
    found = call.store.newest_first(kind, before, size + 1)
    following = next_page(call, path, found[size - 1].id, size) if len(found) > size else None
    items, own = [shown(each) for each in found[:size]], call.responses.uri(path)
    return as_json(call.responses.listing(name, items, uri=own, next_page_uri=following))


def overlaps(call: Call, size: int) -> bool:
    """Return whether a page starts with the last object of the previous page. Pages of one object would never end."""
    return call.switches.overlapping_pages and size > 1


def next_page(call: Call, path: str, last_id: str, size: int) -> str:
    path = f"{path}?{urlencode({'before_id': last_id, 'limit': size})}"
    return call.responses.uri(path) if call.switches.next_page == "absolute" else f"{call.responses.base_path}{path}"
