# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: object_id
short_description: Find the ID of an object
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Returns the ID of the only object of a collection that has the given values. All keyword arguments that are not
    options of the connection are fields of the object, such as V(description='Office').
  - If no object matches, or several do, the lookup fails and lists the objects with the fields in which they differ.
  - Values are compared as in M(edgeops.ingress.object). The order and the letter case of C(hostports) are ignored.
  - If values differ from those of an object in their spelling only, the lookup fails, in check mode even if an earlier
    task would rename or delete that object.
extends_documentation_fragment:
  - edgeops.ingress._connection
  - edgeops.ingress._connection.plugin
  - edgeops.ingress._connection.variables
notes:
  - Lookups do not use C(module_defaults). Set the connection in the environment, in variables such as
    C(ingress_base_url) and C(ingress_api_key), or as keyword arguments.
  - Within a task, each collection is listed once for each host, however many lookups a loop contains, unless an object
    is missing in the list. Lookups that Ansible evaluates outside of tasks list it each time.
  - In check mode, if no object matches, the lookup displays a warning and returns a placeholder such as
    V(ipp_3f2a91c07be4_would-be-created), because an earlier task may have created the object outside of check mode. The
    module M(edgeops.ingress.object) returns the same one if its O(edgeops.ingress.object#module:find_by) contains the
    same fields.
  - Fields that are named like an option of the connection cannot be used. Use M(edgeops.ingress.object_info) instead.
options:
  _terms:
    description: The path of the collection, such as V(ip_policies) or V(backends/http_response).
    type: str
    required: true
seealso:
  - module: edgeops.ingress.object
  - module: edgeops.ingress.object_info
"""

EXAMPLES = r"""
# The environment variables INGRESS_BASE_URL and INGRESS_API_KEY configure the connection.

- name: Send the traffic of the shop to its backend
  edgeops.ingress.https_edge_route:
    edge_id: edghts_2fQmJ8sYv1
    match_type: path_prefix
    match: /
    backend:
      backend_id: "{{ lookup('edgeops.ingress.object_id', 'backends/http_response', description='Shop') }}"

- name: Admit the networks of several offices
  edgeops.ingress.tls_edge_ip_restriction:
    edge_id: edgtls_2fQmJ8sYv1
    ip_policy_ids:
      - "{{ lookup('edgeops.ingress.object_id', 'ip_policies', description='Office') }}"
      - "{{ lookup('edgeops.ingress.object_id', 'ip_policies', description='Warehouse') }}"
"""

RETURN = r"""
_raw:
  description: The ID of the object.
  type: list
  elements: str
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase
from ansible.utils.display import Display

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import CONNECTION_OPTIONS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._ansible_values import plain, untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._object_id import DEFINITION

display = Display()

_NAME = "edgeops.ingress.object_id"
_PREFIX = "ingress_"
"""The prefix of the variables with options of the connection, as in the documentation fragment."""


class LookupModule(LookupBase):
    def run(self, terms: Sequence[Any], variables: Mapping[str, Any] | None = None, **kwargs: Any) -> list[str]:
        given = variables or {}
        fields = {name: plain(value) for name, value in kwargs.items() if name not in CONNECTION_OPTIONS}
        is_check = bool(given.get("ansible_check_mode"))
        return [untrusted(self._id_of(_collection(terms), fields, self._connection(given, kwargs), is_check))]

    def _connection(self, variables: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of the connection that are given, or in a variable.

        Ansible would convert them, and treat an invalid boolean as false. The core validates them, and adds those from
        the environment.
        """
        names = CONNECTION_OPTIONS
        from_variables = {
            name: plain(self._templar.template(variables[f"{_PREFIX}{name}"]))
            for name in names
            if name not in given and f"{_PREFIX}{name}" in variables
        }
        return {**from_variables, **{name: plain(given[name]) for name in names if name in given}}

    def _id_of(self, collection: Any, fields: Mapping[str, Any], options: Mapping[str, Any], is_check: bool) -> str:
        arguments = checked(DEFINITION, {**options, "collection": collection, "find_by": fields})
        result = entry.result_of(DEFINITION, arguments.options, arguments.option_errors, is_check)
        result = masked(result, DEFINITION, arguments)
        if result.get("failed"):
            raise AnsibleLookupError(f"{_NAME}: {result['msg']}")
        for warning in result.get("warnings", ()):
            display.warning(f"{_NAME}: {warning}")
        if result["is_placeholder"]:
            wanted = ", ".join(fields)
            display.warning(
                f"{_NAME}: no object in {collection} has this {wanted}. In check mode, the placeholder {result['id']} "
                "stands for an object that an earlier task may create."
            )
        return str(result["id"])


def _collection(terms: Sequence[Any]) -> Any:
    if len(terms) != 1:
        raise AnsibleLookupError(f"{_NAME}: _terms: expected the path of one collection, got {len(terms)} terms")
    return plain(terms[0])
