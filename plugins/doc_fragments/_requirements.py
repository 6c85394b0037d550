# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option `requirements` of modules that execute a plan. Its suboptions are on the page of exposure_info."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  requirements:
    description:
      - What requests need, as O(edgeops.ingress.exposure_info#module:requirements). The task fails before it writes
        anything if its plan does not meet all of them, or is incomplete.
    type: list
    elements: dict
    default: []
"""
