# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: event_types
short_description: The events that a subscription can have as its sources
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Names the events of the platform's catalogue, or tells with each of them which fields it has.
  - It reads what this collection knows and asks no service, so it needs neither an address nor a key.
options:
  _terms:
    description:
      - Names of events, or patterns in which V(*) stands for anything. An event has to match one of them. A list stands
        for its members.
      - If omitted, all events are meant. An empty list is an error.
      - A name or a pattern is an error if no event matches it, or none of O(family) and O(resource).
  family:
    description:
      - Only events of this family. V(traffic) events tell what passes an edge, V(audit) events what changes in the
        account.
      - Left out, both are meant.
    type: str
    choices:
      - audit
      - traffic
  resource:
    description:
      - Only events of this resource, such as V(ip_policy), V(agent_session) or V(http_request).
      - Left out, the resource makes no difference.
    type: str
  fields:
    description:
      - Whether to bring more than the names, which is what the event is about and the fields it has.
    type: bool
    default: false
seealso:
  - module: edgeops.ingress.event_source
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
- name: All that happens to IP policies is to be told to a subscription
  edgeops.ingress.event_sources:
    subscription_id: esb_2fQmJ8sYv1
    types: "{{ query('edgeops.ingress.event_types', resource='ip_policy') }}"

- name: Show the names of all events of deletion
  ansible.builtin.debug:
    msg: "{{ query('edgeops.ingress.event_types', '*_deleted.v0') }}"

- name: Show which fields of an HTTP request can be used in a filter
  ansible.builtin.debug:
    msg: >-
      {{ lookup('edgeops.ingress.event_types', 'http_request_complete.v0', fields=true).fields
         | selectattr('filterable') | map(attribute='name') }}
"""

RETURN = r"""
_raw:
  description:
    - The names of the events, in the order of the catalogue. With O(fields=true), a dictionary for each, with C(name),
      C(family), C(resource) and C(fields).
    - C(fields) is a list of dictionaries with C(name), C(type) and C(filterable), and null for events of which the
      fields are not known. C(type) is that of the catalogue, such as V(string), V(int64) or V(List<string>).
  type: list
  elements: raw
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import InvalidInput
from ansible_collections.edgeops.ingress.plugins.module_utils._model.event_catalog import (
    lookup_option_errors,
    matching_events,
    terms_of,
)


class LookupModule(LookupBase):
    def run(self, terms: Sequence[Any], variables: dict[str, Any] | None = None, **kwargs: Any) -> list[Any]:
        self.set_options(var_options=variables, direct=kwargs)
        try:
            # Ansible takes what is no boolean for false.
            if found := lookup_option_errors(
                kwargs, [name for name in self.get_options() if name != "_terms"], ["fields"]
            ):
                raise InvalidInput(found)
            events = matching_events(terms_of(terms), self.get_option("family"), self.get_option("resource"))
        except InvalidInput as error:
            raise AnsibleLookupError("; ".join(error.option_errors)) from None
        return [asdict(event) if self.get_option("fields") else event.name for event in events]
