# SPDX-License-Identifier: GPL-3.0-or-later
"""Every playbook of the tests fails on a deprecation warning."""

from __future__ import annotations

import pytest

from playbook_run import Ansible

pytestmark = pytest.mark.every_core

PLUGIN = """
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display

class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        Display().deprecated("What this task uses", version="99.0", collection_name="ansible.builtin")
        return {}
"""


def test_a_run_with_a_deprecation_warning_fails(ansible: Ansible) -> None:
    (ansible.folder / "action_plugins").mkdir()
    (ansible.folder / "action_plugins" / "use_something_deprecated.py").write_text(PLUGIN, encoding="utf-8")
    with pytest.raises(AssertionError, match="DEPRECATION WARNING"):
        ansible.tasks("- use_something_deprecated:")
