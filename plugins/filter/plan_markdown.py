# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: plan_markdown
short_description: Convert a plan to Markdown for a pull request or a chat, or to lines for a log
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Converts the plan in the result of M(edgeops.ingress.estate), M(edgeops.ingress.https_edge_routes), or
    M(edgeops.ingress.event_sources) to Markdown that people can read before they approve it.
  - The Markdown contains the number of changes, the digest of the plan, a table of the objects, and folded details of
    each object. It also lists objects that failed, are not declared, or were not examined.
  - Anyone who can name an object of the service can put any string into its name. This filter shows such strings as
    code, so they cannot contain links, images, HTML, mentions, or other markup. Characters that are invisible or change
    the direction of the text are shown as escape sequences, such as C(\u202e). A backslash is shown as two.
  - With O(pieces), the plan becomes lines instead, one for each object. They are distributed over pieces, so that a
    task with a loop can display each of them on its own. For example, AWX shows only the first 1,024 characters of each
    event of a job, unless somebody opens the event.
  - The first lines contain the number of changes, the digest of the plan, and how many changes of each sort are shown.
    The next ones are the openings, which are the changes with C(opens) in RV(edgeops.ingress.estate#module:plan), and
    the deletions. All of them are always shown. Other changes follow, with replaced objects first. The last line says
    how many are omitted.
  - Openings are changes with which somebody gets through who does not get through now. What only takes requests that
    nothing takes now is among the other changes.
  - A line that is too long for a piece is continued on the next ones, which start with C(…).
positional: _input
options:
  _input:
    description:
      - The result of a task, registered in check mode or in a real run. It can also be the result of a task that
        failed, if it has a plan.
      - To show the plans of several accounts, use a dictionary with the names of the accounts as keys and the results
        as values. Each account has a section with its own digest. O(pieces) requires the result for one account.
    type: dict
    required: true
  title:
    description: The heading.
    type: str
    default: Plan
  limit:
    description:
      - Maximum number of characters. The comments of a pull request on GitHub can have 65536.
      - If the Markdown would be longer, objects are omitted, and the Markdown says how many. The number of changes and
        the digest are always included, so the filter fails if the limit is too small for them.
    type: int
    default: 60000
  pieces:
    description:
      - Maximum number of bytes in which M(ansible.builtin.debug) displays the lines of a piece, at least 100. For AWX,
        use V(800). The header of the task and the names of the host and the item are displayed in addition.
      - If set, the filter returns pieces instead of Markdown, and ignores O(title) and O(limit).
    type: int
  most:
    description: Maximum number of changes to show in O(pieces) that are neither openings nor deletions.
    type: int
    default: 20
notes:
  - The details are folded with the HTML element C(details). A chat that does not support it displays its tags.
  - Only the beginning of long names and messages is shown, with the number of the remaining characters.
seealso:
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

- name: Write the plan to a file, for a comment on the pull request
  ansible.builtin.copy:
    dest: "{{ playbook_dir }}/plan.md"
    mode: "0644"
    content: "{{ planned | edgeops.ingress.plan_markdown(title='Plan for the shop') }}"

- name: Write the plans of all hosts of the play to one file, if each host is an account
  ansible.builtin.copy:
    dest: "{{ playbook_dir }}/plans.md"
    mode: "0644"
    content: "{{ plans | edgeops.ingress.plan_markdown(limit=30000) }}"
  run_once: true
  vars:
    plans: "{{ dict(ansible_play_hosts | zip(ansible_play_hosts | map('extract', hostvars, 'planned'))) }}"

- name: List the changes in events of the job that are short enough for AWX
  ansible.builtin.debug:
    msg: "{{ item }}"
  loop: "{{ planned | edgeops.ingress.plan_markdown(pieces=800) }}"
  loop_control:
    extended: true
    extended_allitems: false
    label: part {{ ansible_loop.index }} of {{ ansible_loop.length }}
"""

RETURN = r"""
_value:
  description:
    - The plan as Markdown, which is a string that ends with a line break. With O(pieces), a list of pieces, each of
      which is a list of lines.
  type: raw
"""

from collections.abc import Callable
from typing import Any

from ansible.errors import AnsibleFilterError

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.plugin_utils._ansible_values import plain, untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_markdown.document import plan_markdown as markdown
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plan_pieces import plan_pieces


def plan_markdown(value: Any, limit: Any = 60000, title: Any = "Plan", pieces: Any = None, most: Any = 20) -> Any:
    try:
        if pieces is not None:
            return untrusted(plan_pieces(plain(value), plain(pieces), plain(most)))
        return untrusted(markdown(plain(value), plain(limit), plain(title)))
    except ValueError as error:
        raise AnsibleFilterError(f"plan_markdown: {error}") from None
    except RecursionError:
        raise AnsibleFilterError("plan_markdown: the result contains too many nested values") from None


class FilterModule:
    def filters(self) -> dict[str, Callable[..., Any]]:
        return {"plan_markdown": plan_markdown}
