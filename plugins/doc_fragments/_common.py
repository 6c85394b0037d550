# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""The options that several modules have in common: about the plan of many objects, and others."""

from __future__ import annotations


class ModuleDocFragment:
    SET = r"""
options:
  expect_plan:
    description:
      - The RV(plan_digest) of an earlier run, usually one in check mode that somebody has approved.
      - If the plan has another digest, or an object cannot be planned, the task fails before it writes anything.
      - Operations that are planned later, because the service has changed, are not sent either.
    type: str
  undeclared:
    description:
      - How much the result contains about live objects that are neither declared nor purged.
      - With V(counts), RV(undeclared_counts), and the names of the first 20 of them in RV(undeclared), each with the
        reason. With V(names), the names of all of them. With V(none), nothing.
      - With V(declarations), RV(undeclared) also contains a declaration of each object. Of a large account, this takes
        time. To export an account, use M(edgeops.ingress.estate_info) instead.
    type: str
    choices: [counts, names, declarations, none]
    default: counts
  unchanged:
    description:
      - How much the result contains about objects that are declared and that the task does not change.
      - With V(names), only what identifies each of them, such as its ID. With V(states), the same as of the others.
    type: str
    choices: [names, states]
    default: names
  max_deletions:
    description:
      - Maximum number of deletions, V(0) or more. If the plan contains more, the task fails before it writes anything,
        in check mode as well.
      - Deletions of edges (with their routes), routes, traffic modules, event sources, and objects count, and each
        hostport that an edge gives up.
      - Deletions that are planned later count as well. Those that exceed the maximum are not sent.
    type: int
    default: 10
  concurrency:
    description:
      - Maximum number of requests at a time, from V(1) to V(32). What depends on something else is sent after it.
    type: int
    default: 4
"""

    ALLOW_EMPTY = r"""
options:
  allow_empty:
    description:
      - Whether a traffic module may let everyone in, because all lists of those who are let in are or become empty.
      - With V(false), the task fails, because the cause might be a variable that is not set. Since ansible-core 2.19,
        Ansible drops a member of a list that is V(default(omit\)).
    type: bool
    default: false
"""

    REJECT_OPENINGS = r"""
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

    REQUIREMENTS = r"""
options:
  requirements:
    description:
      - What requests need, as O(edgeops.ingress.exposure_info#module:requirements). The task fails before it writes
        anything if its plan does not meet all of them, or is incomplete.
    type: list
    elements: dict
    default: []
"""

    STATE = r"""
options:
  state:
    description:
      - Whether the object should exist. V(present) creates it, or updates it to match the options. V(absent) deletes
        it.
    type: str
    choices: [present, absent]
    default: present
"""

    STATE_OF_TRAFFIC_MODULE = r"""
options:
  state:
    description:
      - Whether the traffic module should be set. V(present) sets it to match the options. V(absent) removes it.
    type: str
    choices: [present, absent]
    default: present
"""

    # A module extends this before `attributes`, because the first of two fragments counts.
    UPDATE_SECRETS = r"""
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
