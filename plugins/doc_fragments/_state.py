# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option `state`, for objects and for traffic modules."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  state:
    description:
      - Whether the object should exist. V(present) creates it, or updates it to match the options. V(absent) deletes
        it.
    type: str
    choices: [present, absent]
    default: present
"""

    TRAFFIC_MODULE = r"""
options:
  state:
    description:
      - Whether the traffic module should be set. V(present) sets it to match the options. V(absent) removes it.
    type: str
    choices: [present, absent]
    default: present
"""
