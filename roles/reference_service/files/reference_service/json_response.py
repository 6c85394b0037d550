# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers as bytes. They are made by answers.py already, so the framework's own serialising is left out."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.responses import Response


def as_json(content: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")


def no_content() -> Response:
    return Response(status_code=204)
