# SPDX-License-Identifier: GPL-3.0-or-later
"""One task of a module, without Ansible's way of starting it: its arguments are checked and its work is done here."""

from __future__ import annotations

import importlib
import time
from collections.abc import Mapping
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils._definition import PluginDefinition
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked, result_of
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from reference_service_process import API_KEY, ReferenceService
from scripted_service import Instead, standing_before

Given = dict[str, Any]
"""The options of a task, an object of a service, or a result, of which a test knows the members."""

WITH_CONCURRENCY = ("https_edge_routes", "event_sources", "estate")
WRITES = ("POST", "PUT", "PATCH", "DELETE")


def work_of(module: str) -> PluginDefinition:
    return importlib.import_module(f"ansible_collections.edgeops.ingress.plugins.modules.{module}").DEFINITION


def applied(module: str, options: Mapping[str, Any], check: bool = False, progress: Progress | None = None) -> Given:
    """The result of a task as Ansible gets it, without patience unless its `progress` has some."""
    work = work_of(module)
    arguments = checked(work, options)
    impatient = Progress(sleep=lambda seconds: time.sleep(min(seconds, 0.02)))
    result = result_of(work, arguments.options, arguments.option_errors, check, True, progress or impatient)
    return masked(result, work, arguments)


def apply(declared: Mapping[str, Any], base_url: str, check: bool = False, **options: Any) -> Given:
    """One run of an estate, by way of something that gets between it and the service, without patience."""
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


class Tasks:
    """Runs tasks against a service and counts, by its journal, what each of them sent."""

    def __init__(self, service: ReferenceService) -> None:
        self.service = service

    def run(self, module: str, check: bool = False, instead: Instead | None = None, **options: Any) -> Given:
        """The task's result, which may be a failure, with `sent` in it: the requests that the service got.

        What stands before the service responds `instead`; `received` are all requests that came that far.
        """
        if instead is not None:
            with standing_before(self.service.base_url, instead) as between:
                result = self.run(module, check, **{**options, "base_url": between.base_url})
            return {**result, "received": between.received}
        work = work_of(module)
        connection = {"base_url": self.service.base_url, "api_key": self.service.api_key, "retries": 0, "timeout": 20.0}
        if module in WITH_CONCURRENCY:
            connection["concurrency"] = 1  # so that requests have one order
        arguments = checked(work, {**connection, **options})
        before = self.service.journal()
        seen = before[-1]["number"] if before else 0
        result = result_of(work, arguments.options, arguments.option_errors, check, diff_mode=True)
        return {**result, "sent": self.service.journal(after=seen)}

    def done(self, module: str, check: bool = False, instead: Instead | None = None, **options: Any) -> Given:
        """The result of a task that has to succeed."""
        result = self.run(module, check, instead, **options)
        assert not result.get("failed"), result["msg"]
        return result

    def failed(self, module: str, check: bool = False, instead: Instead | None = None, **options: Any) -> Given:
        """The result of a task that has to fail."""
        result = self.run(module, check, instead, **options)
        assert result.get("failed"), result
        return result


def methods(result: Given) -> list[str]:
    return [request["method"] for request in result["sent"]]


def received(result: Given, *which: str) -> list[str]:
    """The requests that came as far as what stands before the service, as `METHOD path`; of some methods, or all."""
    return [f"{one.method} {one.path}" for one in result["received"] if one.method in (which or (*WRITES, "GET"))]


def writes(result: Given) -> list[str]:
    """The requests of a task that write, as `METHOD path`."""
    return [f"{request['method']} {request['path']}" for request in result["sent"] if request["method"] in WRITES]


def accepted_writes(result: Given) -> list[str]:
    """Those of them that the service carried out."""
    return writes({"sent": [request for request in result["sent"] if request["status"] in range(200, 300)]})
