# SPDX-License-Identifier: GPL-3.0-or-later
"""What each module passes to `_entry`: its options, their validation, and its function, with the types of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ._applying.outcome import Outcome
from ._transport.client import Client
from ._values.option_error import OptionErrors

__all__ = ["Client", "OptionErrors", "Options", "Outcome", "PluginDefinition"]

Options = Mapping[str, Any]


@dataclass(frozen=True)
class PluginDefinition:
    """The definition of one module.

    `options` is its argument spec without the connection options. `option_errors` yields the errors in the options
    before any request; its second argument is true in check mode, like the third one of `perform`. `secrets` returns
    secrets inside of options that are not secret as a whole. A module that never `writes` returns no operations.
    """

    options: Mapping[str, Any]
    option_errors: Callable[[Options, bool], OptionErrors]
    perform: Callable[[Client, Options, bool], Outcome]
    writes: bool = True
    secrets: Callable[[Options], Iterable[str]] = lambda options: ()
