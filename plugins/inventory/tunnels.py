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
  - What the service says is text of others. It is never taken for a template, and neither is what O(compose) makes of
    it. C(ansible-inventory --list) shows such strings as dictionaries with the key C(__ansible_unsafe), which Ansible
    reads as the same strings. With C(--yaml) and C(--toml) it shows them as plain strings. Do not let Ansible read such
    a file, because it would take them for templates.
  - Read this inventory after all others. A tunnel cannot take the name of a host that is already there, but nothing
    keeps a source that is read later from adding its variables to a tunnel's host of the same name. Sources in a folder
    are read in the order of their file names.
  - The documentation of the collection has a page about this inventory, with a section on what a hostile tunnel can do.
  - Unknown options are errors, like all other faults in the file, syntax errors in expressions included. All of them
    are reported at once.
  - If the O(keyed_groups[].key) comes to a number, the group is named by it. A boolean makes no group, and is an error
    with O(strict=true) only. Other inventory plugins fail for such values, so that one tunnel could hide all others.
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
      - The dot before the extension of a file of variables, or of a copy of one, becomes C(_), so that no tunnel gets
        the variables of another host by the name C(gate.yml). Besides C(yml), C(yaml), C(json) and extensions such as
        C(bak) and C(orig), these are the ones that C(YAML_FILENAME_EXTENSIONS) in the configuration of Ansible lists.
      - If several tunnels have the same name, the host of each is named by its ID, with a warning. The same goes for a
        name that a group, a host of an inventory source that was read before, or another tunnel's ID has, and for
        C(localhost), C(127.0.0.1) and C(::1). Names that differ in upper and lower case only count as the same.
      - Names that start with the O(keyed_groups[].prefix) and O(keyed_groups[].separator) of an entry are for groups,
        whether there is such a group or not. A tunnel with such a name is named by its ID, with a warning.
      - If an entry of O(keyed_groups) has neither, or its O(keyed_groups[].parent_group) is a template, tunnels choose
        whole names of groups. If such a group would have the name of a tunnel, the group is not made, and the host is
        named by its ID, with warnings.
    type: str
  name_prefix:
    description:
      - What the names of all hosts of this inventory start with, such as V(tunnel-), whether they come from metadata,
        from O(hostname) or from IDs. It consists of letters, digits, C(_), C(.) and C(-), and starts with a letter or a
        digit.
      - With a prefix that no host and no group of another inventory source has, no tunnel can be taken for one of
        these, in whatever order the sources are read.
      - It must not start as the groups of an entry of O(keyed_groups) do.
    type: str
    default: ""
    version_added: 1.1.0
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
      - A tunnel for which a filter fails is left out, with a warning, so that no tunnel can hide all others. With
        O(strict=true), or if the filter fails for every tunnel of the account, that is an error. Where not every tunnel
        has a site, for example, write V(metadata.site | default(''\) == 'north').
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

# 99_tunnels.yml: all online tunnels that Ansible can connect to, read after the other files of the folder. The
# service's address and key come from the environment variables INGRESS_BASE_URL and INGRESS_API_KEY.
plugin: edgeops.ingress.tunnels
name_prefix: tunnel-
filters:
  - exclude: ansible_host is not defined

---
# 99_devices.tunnels.yml: the devices that Ansible logs in to by SSH, in groups by region, such as region_eu.
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
# 99_shop.tunnels.yml: names and groups of the backends' tunnels, from their labels.
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
# 99_cached_tunnels.yml: another account, whose tunnels are kept in files for ten minutes, and whose variables are
# called tunnel_id, tunnel_region and so on.
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

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.errors import AnsibleParserError, AnsibleUndefinedVariable
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable
from ansible.utils.path import basedir
from ansible.utils.vars import combine_vars

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import InvalidInput
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import (
    Connection,
    connection_options,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.plugin_utils._plain import plain
from ansible_collections.edgeops.ingress.plugins.plugin_utils._trust import untrusted
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.definition import tunnel_inventory
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.evaluation import Evaluation
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.group_tree import GroupTree
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_filters import is_included
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_groups import (
    GroupNames,
    group_names,
    prefix_clashes,
)
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.host_names import listed, name_in, names_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.syntax import syntax_errors
from ansible_collections.edgeops.ingress.plugins.plugin_utils._tunnels.tunnel_host import (
    CONNECTION,
    FIELDS,
    Tunnel,
    default_name,
    fits_json,
    oddities_of,
    variables_of,
)

Variables = dict[str, Any]
Memberships = list[tuple[str, str]]
"""Groups of a host, each with the name of its parent, or an empty one."""

_NEEDED = {"id", "public_url", "metadata", "labels"}
_MOST_WARNINGS = 20
_NOT_LISTED = "is or holds an infinite number, or one with too many digits, which JSON cannot hold"


class Fails(Exception):
    """An expression that cannot be evaluated for a tunnel."""

    def __init__(self, where: str, again: Callable[[Variables], Any], error: Exception) -> None:
        self.where, self.again, self.error = where, again, error
        super().__init__(str(error))


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):
    NAME = "edgeops.ingress.tunnels"

    def verify_file(self, path: str) -> bool:
        return bool(super().verify_file(path)) and path.endswith(("tunnels.yml", "tunnels.yaml"))

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        self._warnings: list[str] = []
        self._unlisted: dict[str, list[str]] = {}
        self._prepare()
        tunnels = {tunnel["id"]: tunnel for tunnel in self._tunnels(path, cache)}
        prefix = self._arguments.options["hostvars_prefix"]
        self._all = {one: untrusted(variables_of(tunnel, prefix)) for one, tunnel in tunnels.items()}
        wanted = self._wanted_names(tunnels, self._included())
        for identifier in wanted:
            self._warnings += [f"the tunnel {identifier}: {oddity}" for oddity in oddities_of(tunnels[identifier])]
        self._add(wanted)
        self._warn(path)

    def _prepare(self) -> None:
        """What is the same for all hosts."""
        known = {f"{self._arguments.options['hostvars_prefix']}{name}" for name in FIELDS}
        extra = self._vars if self.get_option("use_extra_vars") else None
        self._evaluation = Evaluation(self.templar, self._compose, extra, {*known, *CONNECTION})
        self._strict = self.get_option("strict")
        self._name_prefix = self._arguments.options["name_prefix"]
        self._extensions = tuple(str(each) for each in C.YAML_FILENAME_EXTENSIONS)
        # Ansible converts no members of a list.
        self._keyed_groups = [
            {**keyed, "trailing_separator": trailing if trailing is None else boolean(trailing)}
            for keyed in self.get_option("keyed_groups")
            for trailing in [keyed.get("trailing_separator")]
        ]
        self._for_groups = GroupNames.of(
            self._keyed_groups,
            self.get_option("groups"),
            self.get_option("leading_separator"),
            self._sanitize_group_name,
        )

    def _warn(self, path: str) -> None:
        for warning in self._warnings[:_MOST_WARNINGS]:
            self.display.warning(f"{path}: {warning}")
        if len(self._warnings) > _MOST_WARNINGS:
            self.display.warning(f"{path}: {len(self._warnings) - _MOST_WARNINGS} more warnings of these kinds")

    def set_options(self, task_keys: Any = None, var_options: Any = None, direct: Any = None) -> None:
        # Ansible's own check ends with the first option that is wrong and knows no limits, so ours comes before.
        given = {name: value for name, value in (direct or {}).items() if value is not None}
        option_errors = [self._unknown(name) for name in given if name not in self.option_definitions]
        connection = {
            name: self._filled_in(name, given[name], option_errors) for name in connection_options() if name in given
        }
        definition = tunnel_inventory()
        own = {name: given[name] for name in definition.options if name in given}
        self._arguments = entry.checked(definition, {**connection, **plain(own)})
        option_errors += [*self._prefix_clashes(), *syntax_errors(given)]
        if option_errors := entry.all_option_errors(
            definition, self._arguments.options, [*option_errors, *self._arguments.option_errors]
        ):
            raise self._failure(InvalidInput(option_errors).full_message(can_write=False))
        known = {name: self._arguments.options[name] for name in connection_options()}
        super().set_options(task_keys=task_keys, var_options=var_options, direct={**given, **known})

    def _prefix_clashes(self) -> Iterator[str]:
        """What is wrong with the starts of groups, where the rest of the options is as it should be."""
        options = self._arguments.options
        entries = [one if isinstance(one, Mapping) else {} for one in options["keyed_groups"]]
        is_leading = options["leading_separator"] is not False
        return prefix_clashes(options["name_prefix"], entries, is_leading, self._sanitize_group_name)

    def _unknown(self, name: Any) -> str:
        near = difflib.get_close_matches(str(name), self.option_definitions, 1)
        return f"{name}: there is no such option" + (f"; did you mean {near[0]}?" if near else "")

    def _filled_in(self, name: str, value: Any, option_errors: list[str]) -> Any:
        """What the value of an option, which may be a template or encrypted, comes to."""
        self.templar.available_variables = self._vars
        try:
            return plain(self.templar.template(value))
        except Exception as error:
            # Some of Ansible's messages quote the template. What is encrypted is not for looking at.
            quotes = isinstance(value, str) and value in str(error)
            is_told = not (quotes and connection_options()[name].get("no_log"))
            option_errors.append(f"{name}: this can't be evaluated" + (f" ({error})" if is_told else ""))
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
        definition = tunnel_inventory(known)
        # What goes to the standard output belongs to whoever reads the inventory there.
        progress = Progress(lambda line: self.display.display(f"{self.NAME}: {line}", stderr=True))
        result = entry.result_of(definition, self._arguments.options, progress=progress)
        result = entry.masked(result, definition, self._arguments)
        if result.get("failed"):
            raise AnsibleParserError(result["msg"])
        for warning in result.get("warnings", ()):
            self.display.warning(warning)
        tunnels: list[Tunnel] = result["tunnels"]
        return tunnels

    def _for_each(
        self, identifiers: Iterable[str], judge: Callable[[str], Any], otherwise: str
    ) -> tuple[dict[str, Any], list[str]]:
        """What is judged of each tunnel, and the tunnels that an expression fails for, which must not hide the others.

        An expression that fails for all tunnels of the account is wrong itself. Raises AnsibleParserError for it, and
        for any that fails if the inventory is strict.
        """
        found: dict[str, Any] = {}
        failed: dict[str, dict[str, Fails]] = {}
        for identifier in identifiers:
            try:
                found[identifier] = judge(identifier)
            except Fails as error:
                failed.setdefault(error.where, {})[identifier] = error
        for where, errors in failed.items():
            identifier, error = next(iter(errors.items()))
            if self._strict or not any(self._works(error, one) for one in self._all.keys() - errors.keys()):
                raise AnsibleParserError(f"{where} fails for the tunnel {identifier}: {error}") from None
            self._warnings.append(
                f"{where} fails for {len(errors)} of {len(self._all)} tunnels, {otherwise}: {listed(list(errors))}. "
                f"The first error: {error}"
            )
        return found, [identifier for errors in failed.values() for identifier in errors]

    def _works(self, error: Fails, identifier: str) -> bool:
        try:
            error.again(self._all[identifier])
        except Exception:
            return False
        return True

    def _included(self) -> list[str]:
        """The IDs of the tunnels that are hosts."""
        filters = self.get_option("filters")
        if not filters:
            return list(self._all)

        def judge(identifier: str) -> bool:
            def holds(expression: Any, where: str) -> bool:
                def evaluate(variables: Variables) -> bool:
                    return self._evaluation.holds(expression, variables)

                try:
                    return evaluate(self._all[identifier])
                except Exception as error:
                    raise Fails(f"{where}: {expression!r}", evaluate, error) from None

            return is_included(filters, holds)

        found, _failed = self._for_each(self._all, judge, "which are left out")
        return [identifier for identifier, is_one in found.items() if is_one]

    def _wanted_names(self, tunnels: Mapping[str, Tunnel], identifiers: Iterable[str]) -> dict[str, str]:
        """The names that the hosts of tunnels are to have."""

        def judge(identifier: str) -> str:
            name = self._templated_name(self._all[identifier]) or default_name(tunnels[identifier], self._extensions)
            return self._prefixed(name)

        order = list(identifiers)
        found, failed = self._for_each(order, judge, "whose hosts are named by their IDs")
        found.update({identifier: self._prefixed(identifier) for identifier in failed})
        return {identifier: found[identifier] for identifier in order}

    def _prefixed(self, name: str) -> str:
        return name_in(f"{self._name_prefix}{name}", self._extensions)

    def _templated_name(self, variables: Variables) -> str:
        template = self.get_option("hostname")
        if not template:
            return ""
        try:
            return name_in(self._evaluation.name(template, variables), self._extensions)
        except Exception as error:
            if not self._strict and isinstance(error, AnsibleUndefinedVariable):
                return ""
            again: Callable[[Variables], Any] = lambda others: self._evaluation.name(template, others)  # noqa: E731
            raise Fails("hostname: this", again, error) from None

    def _taken_names(self) -> dict[str, str]:
        """Names that hosts can't have, and by what they are taken."""
        groups = [*self.inventory.groups, *self._for_groups.fixed]
        return {
            **dict.fromkeys(self.inventory.hosts, "that of a host of another inventory source"),
            **dict.fromkeys(groups, "that of a group"),
            **dict.fromkeys(C.LOCALHOST, "that of the controller itself"),
        }

    def _add(self, wanted: dict[str, str]) -> None:
        """Add the hosts with the names that they want where these are free, and put them into groups."""
        own = {identifier: self._prefixed(identifier) for identifier in wanted}
        composed = {identifier: self._composed(identifier) for identifier in wanted}
        self._warnings += [
            f"compose.{variable} is not set, because the value {_NOT_LISTED} (tunnels: {listed(identifiers)})"
            for variable, identifiers in self._unlisted.items()
        ]
        groups = GroupTree(self.inventory, self._sanitize_group_name, own.values(), wanted.values(), self._for_groups)
        taken = self._taken_names()
        memberships: dict[str, tuple[str, Memberships]] = {}
        while True:
            contested = dict.fromkeys(groups.contested, "also that of a group of keyed_groups, which is not made")
            names, warnings = names_of(wanted, own, {**taken, **contested}, self._for_groups.starts)
            for identifier, name in names.items():
                # What groups a host is in can depend on its name, and what names there are on the groups.
                if memberships.get(identifier, ("",))[0] != name:
                    found = list(self._memberships(name, identifier, composed[identifier], groups))
                    memberships[identifier] = (name, found)
            if groups.contested == contested.keys():
                break
        self._warnings += warnings
        for identifier, name in names.items():
            self.inventory.add_host(name)
            # Not by the name: the inventory would take that for a group's where there is one.
            host = self.inventory.hosts[name]
            for variable, value in {**self._all[identifier], **composed[identifier]}.items():
                host.set_variable(variable, value)
        for identifier, name in names.items():
            groups.add(name, memberships[identifier][1])
        self._warnings += groups.warnings()

    def _composed(self, identifier: str) -> Variables:
        """The variables that `compose` adds to those of a tunnel."""
        found = {}
        for variable, expression in self.get_option("compose").items():
            try:
                value = self._value(expression, self._all[identifier])
                if not _can_be_listed(value):
                    self._unlisted.setdefault(str(variable), []).append(identifier)
                    raise ValueError(f"the value {_NOT_LISTED}")
                found[variable] = value
            except Exception as error:
                if self._strict:
                    raise AnsibleParserError(f"compose.{variable} fails for the tunnel {identifier}: {error}") from None
        return found

    def _value(self, expression: Any, variables: Variables) -> Any:
        return self._evaluation.value(expression, variables, tells=self._strict)

    def _memberships(
        self, name: str, identifier: str, composed: Variables, groups: GroupTree
    ) -> Iterator[tuple[str, str]]:
        """The groups that a host of this name is in, and their parents."""
        if not self.get_option("groups") and not self.get_option("keyed_groups"):
            return
        source = self.inventory.current_source
        variables = {
            **(combine_vars(self._all[identifier], composed) if composed else self._all[identifier]),
            "inventory_file": source or None,
            "inventory_dir": basedir(source) if source else None,
            "inventory_hostname": name,
            "inventory_hostname_short": name.split(".", maxsplit=1)[0],
            "group_names": [],
        }
        found: Memberships = []
        for group, condition in self.get_option("groups").items():
            try:
                if self._evaluation.holds(condition, variables, uses_extra=False):
                    found.append((self._sanitize_group_name(str(group)), ""))
            except Exception as error:
                if self._strict:
                    raise AnsibleParserError(f"groups.{group} fails for the tunnel {identifier}: {error}") from None
        for number, keyed in enumerate(self._keyed_groups):
            try:
                found += self._keyed(keyed, {**variables, "group_names": groups.names_with(found)}, identifier, groups)
            except Exception as error:
                if self._strict:
                    where = f"keyed_groups[{number}]"
                    raise AnsibleParserError(f"{where} fails for the tunnel {identifier}: {error}") from None
        yield from dict.fromkeys(found)

    def _keyed(self, keyed: Mapping[str, Any], variables: Variables, identifier: str, groups: GroupTree) -> Memberships:
        key = self._value(keyed.get("key"), variables)
        if key in ([], {}):
            return []
        names = list(group_names(keyed, key, self.get_option("leading_separator")))
        parent = keyed.get("parent_group") or ""
        if parent:
            parent = groups.usable(str(self._evaluation.name(parent, variables)), identifier)
        return [(name, parent) for each in names if (name := groups.usable(each, identifier))]


def _can_be_listed(value: Any) -> bool:
    """Whether `ansible-inventory` can show the value: what it cannot show hides all hosts."""
    if isinstance(value, (str, bool)):
        return True
    try:
        return fits_json(plain(value))
    except (ValueError, RecursionError):  # a key that is a number of too many digits
        return False


def _from_cache(cache: Any, key: str) -> list[Tunnel] | None:
    """The tunnels that the cache holds; None where it has none, or something else."""
    try:
        tunnels = json.loads(cache[key]["tunnels"])
    except (KeyError, TypeError, ValueError):
        return None
    is_ours = isinstance(tunnels, list) and all(isinstance(one, dict) and one.keys() >= _NEEDED for one in tunnels)
    return tunnels if is_ours else None
