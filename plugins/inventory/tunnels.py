# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
from __future__ import annotations

DOCUMENTATION = r"""
name: tunnels
short_description: Hosts from the online tunnels of the account
version_added: 1.0.0
author:
  - edgeops.ingress contributors (@edgeops)
description:
  - Makes a host of every tunnel that is online, whatever their number.
  - A tunnel with an address such as V(tcp://1.tcp.example.net:12345) brings C(ansible_host) and C(ansible_port), so
    that Ansible reaches what is behind it, usually the SSH port of a device.
  - Tunnels without such an address (of HTTP or TLS, or those that serve backends) are hosts, too, but without
    C(ansible_host), and Ansible would look for a machine of the host's name. Leave them out by O(filters) where Ansible
    is to connect to all hosts.
  - Every field of a tunnel is a variable of its host, with the names that M(edgeops.ingress.tunnel_info) has for them.
    C(metadata) that holds a JSON object or list is what it holds; other metadata is text.
  - The file has to end in C(tunnels.yml) or C(tunnels.yaml).
extends_documentation_fragment:
  - edgeops.ingress.connection
  - edgeops.ingress.connection.plugin
  - ansible.builtin.constructed
  - ansible.builtin.inventory_cache
notes:
  - The options of the connection can be templates, such as V({{ lookup('ansible.builtin.env', 'NAME'\) }}), in which
    extra variables can be used. Those that are not in the file are taken from the environment. O(api_key) can be
    encrypted by C(ansible-vault encrypt_string).
  - What the service says is text of others. It is never taken for a template.
  - An option that there is not is an error, like every other fault in the file. All of them are told at once.
  - The cache holds the tunnels, and never the key. Its entries are told apart by the file, the address and the key.
options:
  plugin:
    description: Marks the file as one for this plugin.
    type: str
    required: true
    choices:
      - edgeops.ingress.tunnels
  hostname:
    description:
      - A template for the names of the hosts, in which all variables of a host can be used.
      - Left out, the name is C(name) in the metadata, if that is a JSON object that has one; else the metadata, if that
        is no JSON object or list; else the tunnel's id. It is that, too, where the template comes to nothing, or uses
        what the tunnel does not have; with O(strict=true) the latter is an error.
      - In names, everything but letters, digits, C(_), C(.) and C(-) becomes C(_), and C(_), C(.) and C(-) are taken
        off both ends. Texts of which nothing is left, or more than 253 bytes, are no names.
      - Where several tunnels come to the same name, the host of each is named by its id, and a warning tells so. The
        same goes for a name that a group or another tunnel's id has, for C(localhost) and for C(127.0.0.1).
    type: str
  hostvars_prefix:
    description:
      - What the names of all variables but C(ansible_host) and C(ansible_port) start with, in expressions, too. It
        consists of letters, digits and C(_), and does not start with a digit.
      - Left out, the variables have the names of the fields.
    type: str
    default: ""
  filters:
    description:
      - Which tunnels are hosts. The first filter that holds for a tunnel decides. A tunnel for which none holds is a
        host.
      - A filter that fails for a tunnel is an error, whatever O(strict) says, so that no host is lost or let in by
        mistake. Say for instance V(metadata.site | default(''\) == 'north') where not every tunnel has a site.
      - Left out, all tunnels are hosts.
    type: list
    elements: dict
    default: []
    suboptions:
      include:
        description: An expression. Tunnels for which it holds are hosts.
        type: str
      exclude:
        description: An expression, or V(true) for all that are left. Tunnels for which it holds are not hosts.
        type: str
seealso:
  - module: edgeops.ingress.tunnel_info
"""

EXAMPLES = r"""
# fmt: code

# tunnels.yml: all online tunnels. The service's address and key come from the environment variables INGRESS_BASE_URL
# and INGRESS_API_KEY.
plugin: edgeops.ingress.tunnels

---
# devices.tunnels.yml: the devices that Ansible logs in to by SSH, in groups by region, such as region_eu.
plugin: edgeops.ingress.tunnels
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
# shop.tunnels.yml: names and groups of the backends' tunnels, from their labels.
plugin: edgeops.ingress.tunnels
strict: true
filters:
  - include: labels.service is defined
  - exclude: true
hostname: "{{ labels.service }}-{{ region }}"
groups:
  live: labels.stage | default('') == 'live'
keyed_groups:
  - key: labels.service
    prefix: service
    parent_group: services

---
# cached_tunnels.yml: another account, whose tunnels are kept in files for ten minutes, and whose variables are called
# tunnel_id, tunnel_region and so on.
plugin: edgeops.ingress.tunnels
base_url: "{{ lookup('ansible.builtin.env', 'SHOP_INGRESS_URL') }}"
api_key: "{{ lookup('ansible.builtin.env', 'SHOP_INGRESS_KEY') }}"
hostvars_prefix: tunnel_
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: ~/.cache/ingress_tunnels
cache_timeout: 600
"""

import difflib
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.errors import AnsibleParserError, AnsibleUndefinedVariable
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable
from ansible.utils.vars import combine_vars

from ansible_collections.edgeops.ingress.plugins.module_utils import entry
from ansible_collections.edgeops.ingress.plugins.module_utils.connection import Connection, connection_options
from ansible_collections.edgeops.ingress.plugins.module_utils.errors import InvalidInput
from ansible_collections.edgeops.ingress.plugins.module_utils.host_filters import is_included
from ansible_collections.edgeops.ingress.plugins.module_utils.progress import Progress
from ansible_collections.edgeops.ingress.plugins.module_utils.resources.tunnel_inventory import tunnel_inventory
from ansible_collections.edgeops.ingress.plugins.module_utils.tunnel_host import (
    Tunnel,
    default_name,
    name_in,
    names_of,
    variables_of,
)
from ansible_collections.edgeops.ingress.plugins.plugin_utils.plain import plain
from ansible_collections.edgeops.ingress.plugins.plugin_utils.trust import untrusted

Variables = dict[str, Any]

_NEEDED = {"id", "public_url", "metadata"}


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    NAME = "edgeops.ingress.tunnels"

    def verify_file(self, path: str) -> bool:
        return bool(super().verify_file(path)) and path.endswith(("tunnels.yml", "tunnels.yaml"))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        hosts: dict[str, Variables] = {}
        wanted: dict[str, str] = {}
        for tunnel in self._tunnels(path, cache):
            variables = untrusted(variables_of(tunnel, self._arguments.options["hostvars_prefix"]))
            if is_included(
                self.get_option("filters"),
                lambda expression, where, of=variables, what=tunnel["id"]: self._holds(expression, where, of, what),
            ):
                hosts[tunnel["id"]] = variables
                wanted[tunnel["id"]] = self._templated_name(tunnel, variables) or default_name(tunnel)
        names, warnings = names_of(wanted, self._taken_names())
        for warning in warnings:
            self.display.warning(f"{path}: {warning}")
        self._add({names[identifier]: variables for identifier, variables in hosts.items()})

    def set_options(self, task_keys: Any = None, var_options: Any = None, direct: Any = None) -> None:
        # Ansible's own check ends with the first option that is wrong and knows no limits, so ours comes before.
        given = {name: value for name, value in (direct or {}).items() if value is not None}
        faults = [self._unknown(name) for name in given if name not in self.option_definitions]
        connection = {
            name: self._filled_in(name, given[name], faults) for name in connection_options() if name in given
        }
        work = tunnel_inventory()
        own = {name: given[name] for name in work.options if name in given}
        self._arguments = entry.checked(work, {**connection, **plain(own)})
        if faults := entry.all_faults(work, self._arguments.options, [*faults, *self._arguments.faults]):
            raise self._failure(InvalidInput(faults).told())
        known = {name: self._arguments.options[name] for name in connection_options()}
        super().set_options(task_keys=task_keys, var_options=var_options, direct={**given, **known})

    def _unknown(self, name: Any) -> str:
        near = difflib.get_close_matches(str(name), self.option_definitions, 1)
        return f"{name}: there is no such option" + (f"; did you mean {near[0]}?" if near else "")

    def _filled_in(self, name: str, value: Any, faults: list[str]) -> Any:
        """What the value of an option, which may be a template or encrypted, comes to."""
        self.templar.available_variables = self._vars
        try:
            return plain(self.templar.template(value))
        except Exception as error:
            # Some of Ansible's messages quote the template. What is encrypted is not for looking at.
            quotes = isinstance(value, str) and value in str(error)
            is_told = not (quotes and connection_options()[name].get("no_log"))
            faults.append(f"{name}: this can't be evaluated" + (f" ({error})" if is_told else ""))
            return None

    def _failure(self, message: str) -> AnsibleParserError:
        return AnsibleParserError(entry.masked({"msg": message}, tunnel_inventory(), self._arguments)["msg"])

    def _tunnels(self, path: str, may_use_cache: bool) -> list[Tunnel]:
        """The tunnels, from the cache where that is wanted and has them."""
        is_cached = self.get_option("cache")
        key = self._cache_key(path) if is_cached else ""
        known = _from_cache(self._cache, key) if is_cached and may_use_cache else None
        tunnels = self._result(known)
        if is_cached and known is None:
            # As one text: no member of it may mean something to the cache, as the names of Ansible's own types do.
            self._cache[key] = {"tunnels": json.dumps(tunnels)}
        return tunnels

    def _cache_key(self, path: str) -> str:
        of = Connection.of(self._arguments.options)
        account = json.dumps([of.base_url, of.version_header, of.api_version, of.api_key])
        return f"{self.get_cache_key(path)}_{hashlib.sha256(account.encode()).hexdigest()[:16]}"

    def _result(self, known: list[Tunnel] | None) -> list[Tunnel]:
        work = tunnel_inventory(known)
        # What goes to the standard output belongs to whoever reads the inventory there.
        progress = Progress(lambda line: self.display.display(f"{self.NAME}: {line}", stderr=True))
        result = entry.result_of(work, self._arguments.options, progress=progress)
        result = entry.masked(result, work, self._arguments)
        if result.get("failed"):
            raise AnsibleParserError(result["msg"])
        for warning in result.get("warnings", ()):
            self.display.warning(warning)
        tunnels: list[Tunnel] = result["tunnels"]
        return tunnels

    def _make_available(self, variables: Variables) -> None:
        use_extra = self.get_option("use_extra_vars")
        self.templar.available_variables = combine_vars(variables, self._vars) if use_extra else variables

    def _holds(self, expression: Any, where: str, variables: Variables, identifier: str) -> bool:
        """Whether an expression holds for a tunnel."""
        if isinstance(expression, bool):
            return expression
        self._make_available(variables)
        try:
            if hasattr(self.templar, "evaluate_conditional"):
                return bool(self.templar.evaluate_conditional(expression))
            return boolean(self.templar.template(f"{{% if {expression} %}}True{{% else %}}False{{% endif %}}"))
        except Exception as error:
            raise AnsibleParserError(f"{where}: {expression!r} fails for the tunnel {identifier}: {error}") from None

    def _templated_name(self, tunnel: Tunnel, variables: Variables) -> str:
        template = self.get_option("hostname")
        if not template:
            return ""
        self._make_available(variables)
        try:
            return name_in(plain(self.templar.template(template)))
        except Exception as error:
            if self.get_option("strict") or not isinstance(error, AnsibleUndefinedVariable):
                raise AnsibleParserError(f"hostname: this fails for the tunnel {tunnel['id']}: {error}") from None
            return ""

    def _taken_names(self) -> set[str]:
        """Names that hosts can't have: of groups that there are or will be, and of the controller itself."""
        groups = {self._sanitize_group_name(str(name)) for name in self.get_option("groups")}
        return {*self.inventory.groups, *groups, *C.LOCALHOST}

    def _add(self, hosts: Mapping[str, Variables]) -> None:
        strict = self.get_option("strict")
        for name, variables in hosts.items():
            self.inventory.add_host(name)
            for variable, value in variables.items():
                self.inventory.set_variable(name, variable, value)
            self._set_composite_vars(self.get_option("compose"), variables, name, strict=strict)
        # Only now, because from then on a group of a host's name would get the host's variables.
        for name, variables in hosts.items():
            self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict=strict)
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, name, strict=strict)


def _from_cache(cache: Any, key: str) -> list[Tunnel] | None:
    """The tunnels that the cache holds; None where it has none, or something else."""
    try:
        tunnels = json.loads(cache[key]["tunnels"])
    except (KeyError, TypeError, ValueError):
        return None
    is_ours = isinstance(tunnels, list) and all(isinstance(one, dict) and one.keys() >= _NEEDED for one in tunnels)
    return tunnels if is_ours else None
