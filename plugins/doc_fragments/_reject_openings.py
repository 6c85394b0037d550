# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The option `reject_openings` of modules that change who gets in."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  reject_openings:
    description:
      - Whether to fail before anything is written if somebody gets through who does not get through now, with any
        request that something takes now. Only what the task reads counts.
      - A list rejects only these kinds, V(unlocked) (something is no longer required), V(others) (others get in as
        well), V(reopened) (nobody got in), and V(new) (nothing took the request).
    type: raw
    default: false
"""
