# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The capabilities of the modules. A module that differs overrides the entry in its own documentation."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
requirements:
  - python >= 3.9
notes:
  - The module sends requests from the host on which it runs, usually the control node. Run the play on V(localhost), or
    delegate the task to it.
  - The examples omit the connection options. You can set them for all modules in the C(module_defaults) of
    C(group/edgeops.ingress.all).
attributes:
  check_mode:
    description: Predicts changes in check mode, without making them.
    support: full
  diff_mode:
    description: Shows in diff mode what is changed.
    support: full
    details: Secrets are masked. The diff only shows that they change.
  idempotent:
    description: Changes nothing if it runs again with the same options.
    support: full
  action_group:
    description: Belongs to an action group, for use in C(module_defaults).
    support: full
    membership:
      - edgeops.ingress.all
  platform:
    description: The operating systems on which it runs.
    support: full
    platforms: posix
"""

    # A module extends this before the entries above, because the first of two fragments counts.
    INFO = r"""
attributes:
  check_mode:
    details: This module changes nothing.
  diff_mode:
    support: N/A
    details: This module changes nothing.
"""
