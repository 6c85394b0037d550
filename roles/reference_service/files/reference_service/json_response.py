# SPDX-License-Identifier: GPL-3.0-or-later
"""Responses as bytes. `responses.py` has prepared them, so the serialization of the framework is not needed."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.responses import Response


def as_json(content: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")


def no_content() -> Response:
    return Response(status_code=204)
