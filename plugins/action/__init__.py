# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads the action plugin and the definitions of all modules in the process that forks Ansible's workers.

Ansible's collection loader does not cache bytecode. Without this, each worker would compile the core and the module
that its task names, which takes longer than the rest of the task. It also lets this process say how far the tasks of
its workers got when it is interrupted.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path

_PLUGINS = "ansible_collections.edgeops.ingress.plugins"


def _preload() -> None:
    """Import what tasks need. What cannot be imported is left to the tasks that need it, whose errors say why."""
    modules = sorted((Path(__file__).parents[1] / "modules").glob("*.py"))
    for name in ("action.api", *(f"modules.{path.stem}" for path in modules)):
        with contextlib.suppress(Exception):
            importlib.import_module(f"{_PLUGINS}.{name}")
    with contextlib.suppress(Exception):
        importlib.import_module(f"{_PLUGINS}.plugin_utils._interruptions").INTERRUPTIONS.open()


# Editors, linters, and documentation builders import this package as well, but run no tasks.
if "ansible.executor.task_queue_manager" in sys.modules:
    _preload()
