# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module of the same name in-process. Generated: run `make format` after adding a module."""

from __future__ import annotations

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.tls_edge_info import DEFINITION
from ansible_collections.edgeops.ingress.plugins.plugin_utils._in_process import InProcessAction


class ActionModule(InProcessAction):
    definition = DEFINITION


main = ActionModule.main
