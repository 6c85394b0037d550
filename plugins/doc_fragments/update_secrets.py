# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option `update_secrets`."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  update_secrets:
    description:
      - What to do about secrets that the service holds and does not show, so that they can't be compared.
      - With V(on_create), a secret that is in place counts as the declared one. A new value of it is sent only along
        with another change of the same module.
      - With V(always), secrets that are declared are sent in every run, and the task is changed every time.
      - Secrets that the service does show are compared like everything else, whatever this says.
    type: str
    choices:
      - on_create
      - always
    default: on_create
"""
