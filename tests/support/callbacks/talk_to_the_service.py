# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a request in the process that all workers are forked from, as an inventory or a lookup of a play does."""

from __future__ import annotations

import os
from typing import Any

from ansible.plugins.callback import CallbackBase

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import Connection

DOCUMENTATION = r"""
name: talk_to_the_service
type: notification
short_description: Make a request before the workers are started
description:
  - Makes a request with the connection that the environment names, and keeps it.
"""


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "talk_to_the_service"
    CALLBACK_NEEDS_ENABLED = True

    def v2_playbook_on_start(self, playbook: Any) -> None:
        options = {"base_url": os.environ["INGRESS_BASE_URL"], "api_key": os.environ["INGRESS_API_KEY"]}
        Client(Connection.of(options)).get("/tunnels")
