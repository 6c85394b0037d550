# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes how long each task of a play took, from its start to that of the next, a line for each."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from ansible.plugins.callback import CallbackBase

DOCUMENTATION = """
name: task_seconds
type: aggregate
short_description: seconds of each task
description: Writes the action of each task, and the seconds that it took.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "task_seconds"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        self._action, self._started = "", 0.0
        self._lines: list[str] = []

    def v2_playbook_on_task_start(self, task: Any, is_conditional: bool) -> None:
        self._end_of_task()
        self._action, self._started = task.action, time.monotonic()

    def v2_playbook_on_stats(self, stats: Any) -> None:
        self._end_of_task()
        Path(os.environ["TASK_SECONDS"]).write_text("\n".join(self._lines), encoding="utf-8")

    def _end_of_task(self) -> None:
        if self._action:
            self._lines.append(json.dumps([self._action, time.monotonic() - self._started]))
