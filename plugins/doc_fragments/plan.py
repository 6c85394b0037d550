# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options about the plan of many objects."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  expect_plan:
    description:
      - The RV(plan_digest) of an earlier run, usually one in check mode that somebody has approved.
      - If the plan has another digest, or an object cannot be planned, the task fails before it writes anything.
      - Operations that are planned later, because the service has changed, are not sent either.
      - If omitted, every plan is executed.
    type: str
    version_added: 1.1.0
  undeclared:
    description:
      - How much the return value RV(undeclared) contains about live objects that are neither declared nor purged.
      - With V(names), their names and the reasons. In an account with many other objects, V(none) makes the result
        smaller.
      - With V(declarations), it also contains a declaration of each object. Of a large account, this takes time and
        prints much. To export an account, use M(edgeops.ingress.estate_info) instead.
    type: str
    choices: [names, declarations, none]
    default: names
    version_added: 1.1.0
"""
