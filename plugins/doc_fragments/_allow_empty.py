# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option `allow_empty` of modules that manage a single object."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  allow_empty:
    description:
      - Whether a new traffic module may let everyone in, because all declared lists of those who are let in are empty.
      - With V(false), the task fails, because the cause might be a variable that is not set. Since ansible-core 2.19,
        Ansible drops a member of a list that is V(default(omit\)).
    type: bool
    default: false
"""
