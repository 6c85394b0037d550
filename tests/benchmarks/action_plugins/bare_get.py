# SPDX-License-Identifier: GPL-3.0-or-later
"""The limit: an action that only reads its edge and returns one of its routes. No task that reads an edge can take
less.
"""

from __future__ import annotations

import os
from typing import Any

import requests
from ansible.plugins.action import ActionBase

_session = requests.Session()


class ActionModule(ActionBase):
    def run(self, tmp: Any = None, task_vars: dict[str, Any] | None = None) -> dict[str, Any]:
        _session.headers.update({"Authorization": f"Bearer {os.environ['INGRESS_API_KEY']}", "Svc-Version": "2"})
        url = f"{os.environ['INGRESS_BASE_URL']}/edges/https/{self._task.args['edge_id']}"
        routes = _session.get(url, timeout=60).json()["routes"]
        found = next(route for route in routes if route["match"] == self._task.args["match"])
        return {"changed": False, "https_edge_route": found}
