# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""What the modules can do, in Ansible's own terms. A module says itself where it differs."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
notes:
  - The module talks to the service from the host that it runs on, which is usually the controller, so let the play run
    on V(localhost) or delegate the task to it.
attributes:
  check_mode:
    description: Can run in check mode, and tells what it would change without changing it.
    support: full
  diff_mode:
    description: Shows in diff mode what changes, or would change.
    support: full
    details: Secrets are not shown, only that they change.
  idempotent:
    description: Changes nothing when it runs again with the same options.
    support: full
  action_group:
    description: Is in an action group, so that options can be given to all its modules at once by C(module_defaults).
    support: full
    membership:
      - edgeops.ingress.all
  platform:
    description: The systems that it runs on.
    support: full
    platforms: posix
"""
