# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the result of every task to the file that RECORDED_RESULTS names, one JSON object a line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = r"""
name: record_results
type: notification
short_description: Write the results of tasks to a file
description:
  - Writes one JSON object for each result, with C(host), C(task), C(action), C(failed) and C(result).
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "record_results"
    CALLBACK_NEEDS_ENABLED = True

    def v2_runner_on_ok(self, result: Any, failed: bool = False) -> None:
        record = {
            "host": result._host.get_name(),
            "task": result._task.name,
            "action": result._task.action,
            "failed": failed,
            "result": result._result,
        }
        with Path(os.environ["RECORDED_RESULTS"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def v2_runner_on_failed(self, result: Any, ignore_errors: bool = False) -> None:
        self.v2_runner_on_ok(result, failed=True)

    v2_runner_on_unreachable = v2_runner_on_failed
