# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses something that will stop working."""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase
from ansible.utils.display import Display


class ActionModule(ActionBase):
    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        result: dict[str, Any] = super().run(tmp, task_vars)
        Display().deprecated("What this task uses", version="99.0", collection_name="ansible.builtin")
        return result
