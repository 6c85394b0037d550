# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes how long each task of a play took, from its start to that of the next."""

from __future__ import annotations

import itertools
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
description: Writes the seconds that each task took.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "task_seconds"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        self._moments: list[float] = []

    def v2_playbook_on_task_start(self, task: Any, is_conditional: bool) -> None:
        self._moments.append(time.monotonic())

    def v2_playbook_on_stats(self, stats: Any) -> None:
        moments = itertools.pairwise([*self._moments, time.monotonic()])
        Path(os.environ["TASK_SECONDS"]).write_text(json.dumps([end - start for start, end in moments]))
