# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option that executes only an approved plan."""

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
"""
