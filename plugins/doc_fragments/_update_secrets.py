# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option `update_secrets`."""

from __future__ import annotations


class ModuleDocFragment:
    # A module extends this before `attributes`, because the first of two fragments counts.
    DOCUMENTATION = r"""
options:
  update_secrets:
    description:
      - When to send secrets that cannot be compared, because the service does not return them.
      - With V(on_create), an existing secret is assumed to match, and a new value is sent only with another change to
        the same traffic module. The return value RV(secrets_not_compared) says if there are any.
      - With V(always), declared secrets are sent in every run, and the task is always changed. Secrets that the service
        returns are always compared.
    type: str
    choices: [on_create, always]
    default: on_create
attributes:
  idempotent:
    support: partial
    details: With O(update_secrets=always), declared secrets that the service does not return are sent in every run.
"""
