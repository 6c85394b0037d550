# SPDX-License-Identifier: GPL-3.0-or-later
"""A module's main function as Ansible starts it, with its arguments on the standard input and its result on the
standard output; what Ansible would write to the system's log is kept.
"""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout, suppress
from typing import Any
from unittest import mock

from ansible import release
from ansible.module_utils import basic

from ansible_collections.edgeops.ingress.plugins.filter.plan_markdown import plan_markdown
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import run
from module_task import Tasks, work_of

# Before 2.21 a module shows its arguments without being asked, and takes this for an option that it does not know.
_SHOW_INVOCATION = {"_ansible_inject_invocation": True} if release.__version__ >= "2.21" else {}


def printed_and_logged(module: str, **arguments: Any) -> tuple[dict[str, Any], str]:
    """The result that a module prints, and what it logs."""
    logged: list[str] = []

    def log(self: Any, msg: Any, log_args: Any = None) -> None:
        logged.append(f"{msg} {log_args}")

    printed = io.StringIO()
    given = {**arguments, "_ansible_diff": True, **_SHOW_INVOCATION}
    sent = json.dumps({"ANSIBLE_MODULE_ARGS": given}).encode()
    with (
        # Private, but the same in all versions; the public way to do this is not in the oldest.
        mock.patch.object(basic, "_ANSIBLE_ARGS", sent),
        mock.patch.object(basic, "_ANSIBLE_PROFILE", "legacy", create=True),
        mock.patch.object(basic.AnsibleModule, "log", log),
        redirect_stdout(printed),
        suppress(SystemExit),
    ):
        run(work_of(module))
    result: dict[str, Any] = json.loads(printed.getvalue())
    return result, "\n".join(logged)


def visible(result: dict[str, Any]) -> str:
    """What leaves a task, as people see it: its result, and its plan as a page."""
    shown = {name: value for name, value in result.items() if name not in ("sent", "received")}
    return json.dumps(shown) + (plan_markdown(shown) if "plan" in shown else "")


def visible_of_process(tasks: Tasks, module: str, **options: Any) -> str:
    """What a module prints and logs, with its arguments."""
    connection = {"base_url": tasks.service.base_url, "api_key": tasks.service.api_key, "retries": 0}
    printed, logged = printed_and_logged(module, **{**connection, **options})
    assert "module_args" in printed["invocation"]
    return json.dumps(printed) + logged
