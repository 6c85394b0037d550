# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes for which an order is hard to find, and services that do not do what they answer."""

from __future__ import annotations

import time
from typing import Any

from module_task import Tasks

BACKEND = {"backend": {"backend_id": "bkd_one"}}
PREFIX = {"match_type": "path_prefix"}


def certificates(name: str) -> dict[str, Any]:
    return {"mutual_tls": {"certificate_authority_ids": [f"ca_{name}"]}}


def restriction(name: str) -> dict[str, Any]:
    return {"ip_restriction": {"ip_policy_ids": [f"ipp_{name}"]}}


def test_many_routes_that_have_to_be_closed_are_planned_in_time(tasks: Tasks) -> None:
    """Each of them is closed while its own restriction and the certificates of its edge are replaced."""
    numbers, matches = range(40), [f"/r{number}" for number in range(10)]
    live = [{**PREFIX, "match": match, **BACKEND, **restriction("one")} for match in matches]
    edges = [{"id": f"edghts_{one}", "hostports": [f"e{one}.example.com:443"], "routes": live} for one in numbers]
    tasks.service.seed(https_edges=[{**edge, **certificates("one")} for edge in edges])
    routes = [{**PREFIX, "match": match, **restriction("two")} for match in matches]
    declared = [{"id": f"edghts_{one}", **certificates("two"), "routes": routes} for one in numbers]
    started = time.process_time()
    result = tasks.done("estate", check=True, https_edges=declared)
    assert time.process_time() - started < 12
    assert sum(one["reason"].startswith("closes the route") for one in result["operations"]) == 400
