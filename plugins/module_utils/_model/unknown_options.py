# SPDX-License-Identifier: GPL-3.0-or-later
"""The error about an unknown option, and what it was probably meant to be. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from .option_error import OptionError
from .option_specs import Spec, with_suboptions
from .option_wording import did_you_mean

_LEAST_SIMILARITY = 0.65
"""Less similar names of options have nothing to do with each other, such as update_secrets and validate_certs."""


def unknown_option_error(name: str, spec: Spec, path: str = "") -> OptionError:
    """Return the error about an unknown option inside of `path`, which suggests a similar one or lists all options."""
    known = names_in(spec)
    inside = [
        f"{outer}.{name}"
        for outer, option in spec.items()
        if option.get("type") == "dict" and name in with_suboptions(option).get("options", ())
    ]
    close = similar_names(name, known) or (inside if len(inside) == 1 else [])
    advice = did_you_mean(close) or f"; the options are {', '.join(spec)}"
    where, *meant = (f"{path}.{one}" if path else one for one in (name, *close))
    return OptionError(where, f"unknown option{advice}", meant=meant[0] if meant else "")


def similar_names(name: str, known: Sequence[str]) -> list[str]:
    return get_close_matches(name.lower().replace("-", "_"), known, 1, _LEAST_SIMILARITY)


def names_in(spec: Spec) -> list[str]:
    """Return all names of the options, including aliases."""
    return [name for option, details in spec.items() for name in (option, *details.get("aliases", ()))]
