# SPDX-License-Identifier: GPL-3.0-or-later
"""One run of an estate, by way of something that gets between it and the service, without patience."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from module_task import work_of
from reference_service_process import API_KEY


def apply(declared: Mapping[str, Any], base_url: str, check: bool = False, **options: Any) -> dict[str, Any]:
    """The result of a run of an estate."""
    work = work_of("estate")
    connection = {"base_url": base_url, "api_key": API_KEY, "timeout": 20.0, "concurrency": 1}
    arguments = checked(work, {**connection, **declared, **options})
    assert not [*arguments.option_errors, *work.option_errors(arguments.options, check)]
    impatient = Progress(sleep=lambda seconds: time.sleep(min(seconds, 0.02)))
    return masked(
        entry.result_of(work, arguments.options, arguments.option_errors, check, True, impatient), work, arguments
    )


def left_to_do(declared: Mapping[str, Any], base_url: str) -> list[str]:
    """What is wrong with the next two runs, of which the first has to finish and the second to change nothing."""
    finishing = apply(declared, base_url)
    if finishing.get("failed"):
        return [f"the next run failed: {finishing['msg']}"]
    if apply(declared, base_url, check=True)["changed"]:
        return ["the run after the next would change something"]
    return []
