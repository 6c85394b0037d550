# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts a bug into the core, in the process that forks the workers: every DELETE raises what nobody expects."""

from __future__ import annotations

from typing import Any

from ansible.plugins.callback import CallbackBase

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.client import Client

DOCUMENTATION = r"""
name: break_the_core
type: notification
short_description: Put a bug into the core
description:
  - Lets every DELETE raise an error whose message holds the key.
"""

_call = Client.call


def _broken(self: Client, method: str, path: str, body: Any = None, **how: Any) -> tuple[int, Any]:
    if method == "DELETE":
        raise LookupError(f"a bug, with {self._connection.api_key} in its message")
    return _call(self, method, path, body, **how)


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "break_the_core"
    CALLBACK_NEEDS_ENABLED = True

    def __init__(self) -> None:
        super().__init__()
        # Here, and not on import: Ansible imports all callbacks that it finds, and makes only those that are enabled.
        Client.call = _broken  # type: ignore[method-assign]
