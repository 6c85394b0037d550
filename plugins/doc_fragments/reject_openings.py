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
      - Whether to fail before anything is written, in check mode as well, if the change lets somebody through who does
        not get through now. The error lists these requests.
      - C(true) rejects all kinds of openings but V(new). A list rejects only the kinds that it contains.
      - V(unlocked) is a request for which something is no longer required, such as a login. V(others) is one that lets
        others through as well, such as another network or another domain. V(reopened) is one that nobody got through
        with. V(new) is one that nothing took.
      - The task knows only what it reads. Whoever gets through on edges that it does not read is not compared.
    type: raw
    default: false
    version_added: 1.1.0
"""
