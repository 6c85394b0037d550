# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module of the same name in-process. Generated: run `make format` after adding a module."""

from __future__ import annotations

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.https_edge import DEFINITION
from ansible_collections.edgeops.ingress.plugins.plugin_utils._in_process import action_of

ActionModule = action_of(DEFINITION)
main = ActionModule.main
