# SPDX-License-Identifier: GPL-3.0-or-later
"""Argument specs: what those of Ansible cannot express, and what an unknown option was probably meant to be. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from .option_errors import did_you_mean

Option = Mapping[str, Any]
Spec = Mapping[str, Option]

_LEAST_SIMILARITY = 0.65
"""Less similar names of options have nothing to do with each other, such as update_secrets and validate_certs."""


class NeverNull(dict[str, Any]):
    """The spec of an option that restricts what a task may do. Null is an error, and does not lift the restriction."""


class DocumentedElsewhere(dict[str, Any]):
    """The spec of an option whose suboptions are documented with another option, and validated as there.

    Ansible does not know the suboptions. `whole` is the spec with them. It is optional because libraries that copy
    dictionaries, such as that of ansible-test, begin with an empty one.
    """

    def __init__(self, whole: Option | None = None) -> None:
        self.whole = whole or {}
        super().__init__({key: value for key, value in self.whole.items() if key != "options"})


def with_suboptions(option: Option) -> Option:
    """Return the spec of an option with its suboptions, wherever these are documented."""
    return option.whole if isinstance(option, DocumentedElsewhere) else option


def unknown_option_error(name: str, spec: Spec, path: str) -> str:
    """Return the error about an unknown option, which suggests a similar one or lists all options."""
    known = names_in(spec)
    inside = [
        f"{outer}.{name}"
        for outer, option in spec.items()
        if option.get("type") == "dict" and name in with_suboptions(option).get("options", ())
    ]
    close = similar_names(name, known) or (inside if len(inside) == 1 else [])
    return f"{path}: unknown option" + (did_you_mean(close) or f"; the options are {', '.join(spec)}")


def similar_names(name: str, known: Sequence[str]) -> list[str]:
    return get_close_matches(name.lower().replace("-", "_"), known, 1, _LEAST_SIMILARITY)


def names_in(spec: Spec) -> list[str]:
    """Return all names of the options, including aliases."""
    return [name for option, details in spec.items() for name in (option, *details.get("aliases", ()))]
