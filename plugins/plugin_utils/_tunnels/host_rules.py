# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that decide which hosts an inventory has, how they are named, and which groups they belong to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ansible import constants as C  # noqa: N812 - its name everywhere in Ansible
from ansible.module_utils.parsing.convert_bool import boolean

from .evaluation import Evaluation
from .host_groups import GroupNames, Sanitizer
from .host_names import name_in


@dataclass(frozen=True)
class HostRules:
    """The options as Ansible read them, with the `evaluation` of their expressions.

    `extensions` are the extensions of variables files, `group_names` the names that the options reserve for groups, and
    `sanitize` makes the name of a group safe.
    """

    evaluation: Evaluation
    strict: bool
    filters: Sequence[Mapping[str, Any]]
    hostname: Any
    name_prefix: str
    extensions: tuple[str, ...]
    compose: Mapping[str, Any]
    groups: Mapping[str, Any]
    keyed_groups: Sequence[Mapping[str, Any]]
    leading_separator: bool
    group_names: GroupNames
    sanitize: Sanitizer

    @classmethod
    def of(
        cls, option: Callable[[str], Any], name_prefix: str, evaluation: Evaluation, sanitize: Sanitizer
    ) -> HostRules:
        """Return the rules in the options of an inventory; `option` returns the value of one option."""
        # Ansible does not convert the members of a list.
        keyed_groups = [
            {**keyed, "trailing_separator": trailing if trailing is None else boolean(trailing)}
            for keyed in option("keyed_groups")
            for trailing in [keyed.get("trailing_separator")]
        ]
        groups, leading_separator = option("groups"), option("leading_separator")
        return cls(
            evaluation=evaluation,
            strict=option("strict"),
            filters=option("filters"),
            hostname=option("hostname"),
            name_prefix=name_prefix,
            extensions=tuple(str(each) for each in C.YAML_FILENAME_EXTENSIONS),
            compose=option("compose"),
            groups=groups,
            keyed_groups=keyed_groups,
            leading_separator=leading_separator,
            group_names=GroupNames.of(keyed_groups, groups, leading_separator, sanitize),
            sanitize=sanitize,
        )

    def prefixed(self, name: str) -> str:
        """Return the name of a host with the prefix of all names."""
        return name_in(f"{self.name_prefix}{name}", self.extensions)
