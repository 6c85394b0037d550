# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: event_types
short_description: List event types and their fields
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Lists the event types of the event catalog and, with O(fields=true), the fields of each.
  - The catalog is part of this collection, so the lookup sends no requests, and needs neither a URL nor an API key.
options:
  _terms:
    description:
      - Names of event types, or patterns in which V(*) matches any characters. The lookup returns the event types that
        match at least one of them. A list is replaced by its members.
      - If omitted, all event types match. An empty list is an error. Do not use C(with_edgeops.ingress.event_types),
        because Ansible passes an empty list to it as if the terms were omitted. Use C(loop) with C(query).
      - If a name or a pattern matches no event type of the selected O(family) and O(resource), the lookup fails.
  family:
    description:
      - The family of the event types. V(traffic) events describe the traffic of edges, and V(audit) events describe
        changes to the account.
      - If omitted, event types of both families are returned.
    type: str
    choices: [audit, traffic]
  resource:
    description:
      - The resource of the event types, such as V(ip_policy), V(agent_session), or V(http_request).
      - If omitted, event types of all resources are returned.
    type: str
  fields:
    description: Whether to return the details of each event type, which include its fields, instead of its name only.
    type: bool
    default: false
seealso:
  - module: edgeops.ingress.event_source
  - module: edgeops.ingress.event_sources
"""

EXAMPLES = r"""
- name: Send all events about IP policies to a subscription
  edgeops.ingress.event_sources:
    subscription_id: esb_2fQmJ8sYv1
    types: "{{ query('edgeops.ingress.event_types', resource='ip_policy') }}"

- name: Show the event types of all deletions
  ansible.builtin.debug:
    msg: "{{ query('edgeops.ingress.event_types', '*_deleted.v0') }}"

- name: Show the fields of an HTTP request that can be used in a filter
  ansible.builtin.debug:
    msg: >-
      {{ lookup('edgeops.ingress.event_types', 'http_request_complete.v0', fields=true).fields
         | selectattr('filterable') | map(attribute='name') }}
"""

RETURN = r"""
_raw:
  description:
    - The names of the event types, in the order of the event catalog. With O(fields=true), a dictionary for each event
      type, with C(name), C(family), C(resource), and C(fields).
    - C(fields) is a list of dictionaries with C(name), C(type), and C(filterable), or null if the fields are unknown.
      C(type) is the type in the event catalog, such as V(string), V(int64), or V(List<string>).
  type: list
  elements: raw
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.module_utils._arguments import well_shaped
from ansible_collections.edgeops.ingress.plugins.module_utils._values.event_catalog import EventType
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_error import InvalidOptions, OptionError
from ansible_collections.edgeops.ingress.plugins.plugin_utils._ansible_values import plain
from ansible_collections.edgeops.ingress.plugins.plugin_utils._event_types.fields import fields_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._event_types.selection import (
    OPTIONS,
    matching_event_types,
    terms_of,
)


class LookupModule(LookupBase):
    def run(self, terms: Sequence[Any], variables: dict[str, Any] | None = None, **kwargs: Any) -> list[Any]:
        option_errors: list[OptionError] = []
        # Ansible reports one error at a time, and treats an invalid boolean as false.
        options = well_shaped(OPTIONS, plain(kwargs), option_errors)
        try:
            if option_errors:
                raise InvalidOptions(option_errors)
            event_types = matching_event_types(terms_of(terms), options.get("family"), options.get("resource"))
        except InvalidOptions as error:
            raise AnsibleLookupError(str(error)) from None
        return [_details(event_type) if options.get("fields") else event_type.name for event_type in event_types]


def _details(event_type: EventType) -> dict[str, Any]:
    fields = fields_of(event_type.resource)
    return {**asdict(event_type), "fields": None if fields is None else [asdict(field) for field in fields]}
