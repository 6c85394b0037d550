# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: tunnels
short_description: Create hosts from online tunnels
version_added: 1.0.0
author: edgeops.ingress contributors (@edgeops)
description:
  - Creates a host for each tunnel of the account that is online.
  - If the address of a tunnel has the form V(tcp://1.tcp.example.net:12345), C(ansible_host) and C(ansible_port) are
    set, so that Ansible connects through the tunnel, usually to the SSH port of a device.
  - HTTP and TLS tunnels, and tunnels that serve backends, have no such address. Their hosts have no C(ansible_host), so
    Ansible would connect to a machine with the name of the host. To connect to all hosts of the inventory, exclude
    these tunnels with O(filters).
  - Each field of a tunnel is a variable of its host, with the same name as in the result of
    M(edgeops.ingress.tunnel_info). If C(metadata) is a JSON object or list, the variable contains its value; otherwise,
    it is a string.
  - The name of the inventory file must end in C(tunnels.yml) or C(tunnels.yaml).
extends_documentation_fragment:
  - edgeops.ingress._connection
  - edgeops.ingress._connection.plugin
  - ansible.builtin.constructed
  - ansible.builtin.inventory_cache
notes:
  - The options of the connection can be templates, such as V({{ lookup('ansible.builtin.env', 'NAME'\) }}), which can
    use extra variables. If one of these options is not set in the file, the value of its environment variable is used.
    O(api_key) can be encrypted with C(ansible-vault encrypt_string).
  - Strings that come from the service are never evaluated as templates, and neither are the values that O(compose)
    computes from them. C(ansible-inventory --list) displays such strings as dictionaries with the key
    C(__ansible_unsafe), which Ansible reads as the original strings. C(--yaml) and C(--toml) display plain strings. Do
    not use such a file as an inventory, because Ansible would evaluate the strings as templates.
  - Let Ansible read this inventory after all others. A tunnel cannot take the name of a host that already exists, but
    an inventory source that is read later can add variables to a tunnel's host of the same name. Ansible reads the
    sources in a directory in the order of their file names.
  - The documentation of the collection has a page about this inventory, with a section on what a hostile tunnel can do.
  - Unknown options are errors, and so are syntax errors in expressions. All errors in the file are reported together.
  - If O(keyed_groups[].key) evaluates to a number, the group is named after it. A boolean creates no group, and is an
    error only with O(strict=true). Other inventory plugins fail for such values, so that a single tunnel could hide all
    others.
  - The cache contains the tunnels, but not the API key. Each file, URL, and API key has a cache entry of its own.
options:
  plugin:
    description: The name of this plugin, which marks the file as its configuration.
    type: str
    required: true
    choices: [edgeops.ingress.tunnels]
  hostname:
    description:
      - A template for the names of the hosts, which can use all variables of a host.
      - If omitted, a host is named after C(name) in the metadata, if the metadata is a JSON object that contains it. If
        the metadata is not a JSON object or list, the host is named after the metadata itself. Otherwise, it is named
        after the tunnel ID.
      - The same rules apply if the template evaluates to an empty string, or uses a variable that the tunnel does not
        have. With O(strict=true), an undefined variable is an error.
      - In names, all characters except letters, digits, C(_), C(.), and C(-) are replaced by C(_). Any C(_), C(.), and
        C(-) at the beginning and at the end are removed. A string that is empty after this, or longer than 253 bytes
        with the prefix, cannot be a name.
      - A dot before the extension of a variables file, or of a copy of such a file, is replaced by C(_), so that a
        tunnel named C(gate.yml) does not get the variables of the host C(gate). These extensions are C(yml), C(yaml),
        C(json), extensions of copies such as C(bak) and C(orig), and those that C(YAML_FILENAME_EXTENSIONS) in the
        configuration of Ansible lists.
      - Ansible also loads variables from a file in C(host_vars) that has exactly the name of a host, whatever its
        extension. If a name contains a dot and is the name of such a file, next to an inventory source or to a playbook
        of the command line, the host is named after the tunnel ID, with a warning. For this reason, variables files of
        tunnels need an extension if their names contain a dot, such as C(gate.example.com.yml). Files next to imported
        playbooks are not known, nor are those next to playbooks if the inventory is read before, as in AWX. Set
        O(name_prefix) there.
      - For Ansible, a file without an extension, such as C(README), belongs to the host of that name, which any tunnel
        can choose. Keep only variables in C(host_vars), or set O(name_prefix).
      - If several tunnels have the same name, their hosts are named after the tunnel IDs, with a warning. The same
        applies to a name that is taken by a group, by a host of an inventory source that was read before, or by the ID
        of another tunnel, even an excluded one, and to C(localhost), C(127.0.0.1), and C(::1). Letter case is ignored.
      - Names that start with the O(keyed_groups[].prefix) and O(keyed_groups[].separator) of an entry are reserved for
        groups, even if no such group exists. The host of a tunnel with such a name is named after the tunnel ID, with a
        warning.
      - If an entry of O(keyed_groups) has neither of the two, or its O(keyed_groups[].parent_group) is a template,
        tunnels can choose any name for a group. If a group would get the name of a tunnel, the group is not created and
        the host is named after the tunnel ID, with warnings.
    type: str
  name_prefix:
    description:
      - A prefix for the names of all hosts of this inventory, such as V(tunnel-). It also applies to names from
        O(hostname) and to tunnel IDs. It consists of letters, digits, C(_), C(.), and C(-), and starts with a letter or
        a digit.
      - If no host and no group of another inventory source has this prefix, no tunnel can be mistaken for one of them,
        regardless of the order in which the sources are read.
      - The prefix must not start like the groups of an entry of O(keyed_groups).
    type: str
    default: ""
  hostvars_prefix:
    description:
      - A prefix for the names of all variables except C(ansible_host) and C(ansible_port). Expressions use the names
        with the prefix, too. It consists of letters, digits, and C(_), and does not start with a digit.
      - If omitted, the variables have the names of the fields.
    type: str
    default: ""
  filters:
    description:
      - The filters that decide which tunnels become hosts. For each tunnel, the first filter that matches decides. A
        tunnel that no filter matches becomes a host.
      - If a filter fails for a tunnel, the tunnel does not become a host, and a warning says so. If the filter fails
        for all tunnels of the account, or with O(strict=true), the inventory fails. If, for example, not every tunnel
        has a site, use V(metadata.site | default(''\) == 'north').
      - If omitted, all tunnels become hosts.
    type: list
    elements: dict
    default: []
    suboptions:
      include:
        description: An expression. Tunnels for which it is true become hosts.
        type: str
      exclude:
        description: An expression, or V(true) for all remaining tunnels. Tunnels for which it is true do not become
          hosts.
        type: str
seealso:
  - module: edgeops.ingress.tunnel_info
"""

EXAMPLES = r"""
# fmt: code

# 99_tunnels.yml: all online tunnels that Ansible can connect to. The number in the name lets Ansible read this file
# after the others in the directory. The environment variables INGRESS_BASE_URL and INGRESS_API_KEY contain the URL of
# the service and the API key.
plugin: edgeops.ingress.tunnels
name_prefix: tunnel-
filters:
  - exclude: ansible_host is not defined

---
# 99_devices.tunnels.yml: devices that Ansible connects to with SSH, in groups by region, such as region_eu.
plugin: edgeops.ingress.tunnels
name_prefix: device-
filters:
  - exclude: ansible_host is not defined
  - include: metadata.role | default('') == 'device'
  - exclude: true
keyed_groups:
  - key: region
    prefix: region
compose:
  ansible_user: "'admin'"

---
# 99_shop.tunnels.yml: tunnels that serve backends, with names and groups from their labels.
plugin: edgeops.ingress.tunnels
strict: true
filters:
  - include: labels.service is defined
  - exclude: true
hostname: "{{ labels.service }}-{{ region }}"
name_prefix: backend-
groups:
  live: labels.stage | default('') == 'live'
keyed_groups:
  - key: labels.service
    prefix: service
    parent_group: services

---
# 99_cached_tunnels.yml: the tunnels of another account. They are cached in files for ten minutes, and the names of
# their variables start with tunnel_, such as tunnel_id and tunnel_region.
plugin: edgeops.ingress.tunnels
base_url: "{{ lookup('ansible.builtin.env', 'SHOP_INGRESS_URL') }}"
api_key: "{{ lookup('ansible.builtin.env', 'SHOP_INGRESS_KEY') }}"
name_prefix: shop-
hostvars_prefix: tunnel_
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: ~/.cache/ingress_tunnels
cache_timeout: 600
"""

import json
from typing import Any

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import masked
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import (
    CONNECTION_OPTIONS,
    Connection,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.plugin_utils._ansible_values import untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.definition import (
    DEFINITION,
    is_as_read,
    validated,
)
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_names import on_one_line
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_rules import HostRules
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_selection import (
    included_tunnels,
    wanted_names,
)
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.population import add_hosts, variable_folders
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.tunnel_host import (
    Tunnel,
    omissions_of,
    variables_of,
)

_MAX_WARNINGS = 20


class InventoryModule(BaseInventoryPlugin, Cacheable):
    NAME = "edgeops.ingress.tunnels"

    def verify_file(self, path: str) -> bool:
        return bool(super().verify_file(path)) and path.endswith(("tunnels.yml", "tunnels.yaml"))

    def set_options(self, task_keys: Any = None, var_options: Any = None, direct: Any = None) -> None:
        # Ansible's own validation stops at the first error and knows no ranges, so the options are validated first.
        given = {name: value for name, value in (direct or {}).items() if value is not None}
        self._arguments = validated(given, self.option_definitions, self._template)
        connection = {name: self._arguments.options[name] for name in CONNECTION_OPTIONS}
        super().set_options(task_keys=task_keys, var_options=var_options, direct={**given, **connection})

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        prefix = self._arguments.options["hostvars_prefix"]
        rules = HostRules(self)
        tunnels = {tunnel["id"]: tunnel for tunnel in self._tunnels(path, cache)}
        account = {identifier: untrusted(variables_of(tunnel, prefix)) for identifier, tunnel in tunnels.items()}
        included, warnings = included_tunnels(account, rules)
        wanted, more = wanted_names(tunnels, included, account, rules)
        warnings += more
        warnings += add_hosts(self.inventory, wanted, account, rules, variable_folders(path, loader))
        omissions = {identifier: omissions_of(tunnels[identifier]) for identifier in wanted}
        # Only the first are displayed, and a tunnel must not suppress those about names with its groups and labels.
        self._warn(path, warnings + [f"tunnel {identifier}: {each}" for identifier, each in omissions.items() if each])

    def _template(self, value: Any) -> Any:
        self.templar.available_variables = self._vars
        return self.templar.template(value)

    def _tunnels(self, path: str, may_use_cache: bool) -> list[Tunnel]:
        """Return the tunnels, from the cache if it is enabled and contains them."""
        if not self.get_option("cache"):
            return self._online_tunnels()
        key = f"{self.get_cache_key(path)}_{Connection.of(self._arguments.options).account_digest}"
        known = self._cached_tunnels(key) if may_use_cache else None
        if known is None:
            known = self._online_tunnels()
            # As one string, so that Ansible's cache interprets none of their keys.
            self._cache[key] = {"tunnels": json.dumps(known)}
        return known

    def _online_tunnels(self) -> list[Tunnel]:
        """Return the tunnels, without secrets. Raises AnsibleParserError if they cannot be read."""
        # Standard output belongs to the program that reads the inventory from there.
        progress = Progress(lambda line: self.display.display(f"{self.NAME}: {line}", stderr=True))
        result = masked(
            entry.result_of(DEFINITION, self._arguments.options, progress=progress), DEFINITION, self._arguments
        )
        if result.get("failed"):
            raise AnsibleParserError(result["msg"])
        for warning in result.get("warnings", ()):
            self.display.warning(warning)
        tunnels: list[Tunnel] = result["tunnels"]
        return tunnels

    def _cached_tunnels(self, key: str) -> list[Tunnel] | None:
        """Return the tunnels in the cache, or None if there are none, or the entry is not what this plugin writes."""
        try:
            tunnels = json.loads(self._cache[key]["tunnels"])
        except (KeyError, TypeError, ValueError, RecursionError):
            return None
        return tunnels if isinstance(tunnels, list) and all(map(is_as_read, tunnels)) else None

    def _warn(self, path: str, warnings: list[str]) -> None:
        for warning in warnings[:_MAX_WARNINGS]:
            self.display.warning(f"{path}: {on_one_line(warning)}")
        if len(warnings) > _MAX_WARNINGS:
            self.display.warning(f"{path}: {len(warnings) - _MAX_WARNINGS} more warnings of these kinds")
