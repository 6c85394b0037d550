# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of an estate, by way of something that gets between it and the service, without patience."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from module_task import applied
from reference_service_process import API_KEY


def apply(declared: Mapping[str, Any], base_url: str, check: bool = False, **options: Any) -> dict[str, Any]:
    connection = {"base_url": base_url, "api_key": API_KEY, "timeout": 20.0, "concurrency": 1}
    result = applied("estate", {**connection, **declared, **options}, check)
    assert "option_errors" not in result, result
    return result


def left_to_do(declared: Mapping[str, Any], base_url: str) -> list[str]:
    """What is wrong with the next two runs, of which the first has to finish and the second to change nothing."""
    finishing = apply(declared, base_url)
    if finishing.get("failed"):
        return [f"the next run failed: {finishing['msg']}"]
    if apply(declared, base_url, check=True)["changed"]:
        return ["the run after the next would change something"]
    return []
