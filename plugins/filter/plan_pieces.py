# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: plan_pieces
short_description: List the changes of a plan in short pieces, the dangerous ones first
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Lists the plan in the result of M(edgeops.ingress.estate), M(edgeops.ingress.https_edge_routes), or
    M(edgeops.ingress.event_sources), with one line for each object.
  - The lines are distributed over pieces, so that a task with a loop can display each of them on its own. For example,
    AWX shows only the first 1,024 characters of each event of a job, unless somebody opens the event.
  - The first lines contain the number of changes, the digest of the plan, and how many changes of each sort are shown.
    The next ones are the openings, which are the changes with C(opens) in RV(edgeops.ingress.estate#module:plan), and
    the deletions. All of them are always shown. Other changes follow, with replaced objects first. The last line says
    how many are omitted.
  - Openings are changes with which somebody gets through who does not get through now. What only takes requests that
    nothing takes now is among the other changes.
  - A line that is too long for a piece is continued on the next ones, which start with C(…).
  - Characters that are invisible or change the direction of the text are shown as escape sequences, such as C(\u202e).
    A backslash is shown as two.
positional: _input
options:
  _input:
    description:
      - The result of a task for one account, registered in check mode or in a real run. It can also be the result of a
        task that failed, if it has a plan.
    type: dict
    required: true
  limit:
    description:
      - Maximum number of bytes in which M(ansible.builtin.debug) displays the lines of a piece, at least 100. The
        header of the task and the names of the host and the item are displayed in addition.
    type: int
    default: 800
  most:
    description: Maximum number of changes to show that are neither openings nor deletions.
    type: int
    default: 20
seealso:
  - plugin: edgeops.ingress.plan_markdown
    plugin_type: filter
  - module: edgeops.ingress.estate
  - module: edgeops.ingress.https_edge_routes
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
- name: Plan the configuration of the shop
  edgeops.ingress.estate:
    https_edges:
      - hostports:
          - shop.example.com:443
        description: The shop
  check_mode: true
  register: planned

- name: List the changes
  ansible.builtin.debug:
    msg: "{{ item }}"
  loop: "{{ planned | edgeops.ingress.plan_pieces }}"
  loop_control:
    extended: true
    extended_allitems: false
    label: part {{ ansible_loop.index }} of {{ ansible_loop.length }}
"""

RETURN = r"""
_value:
  description: The pieces. Each is a list of lines.
  type: list
  elements: list
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plain import plain
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_pieces import plan_pieces as pieces
from ansible_collections.edgeops.ingress.plugins.plugin_utils._trust import untrusted


def plan_pieces(value: Any, limit: Any = 800, most: Any = 20) -> Any:
    try:
        return untrusted(pieces(plain(value), plain(limit), plain(most)))
    except ValueError as error:
        raise AnsibleFilterError(f"plan_pieces: {error}") from None
    except RecursionError:
        raise AnsibleFilterError("plan_pieces: the result contains too many nested values") from None


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"plan_pieces": plan_pieces}
