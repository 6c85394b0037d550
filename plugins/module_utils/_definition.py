# SPDX-License-Identifier: GPL-3.0-or-later
"""What each module hands to `entry`: its options, its checks, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._applying.outcome import Outcome
from ._transport.client import Client

Options = Mapping[str, Any]


@dataclass(frozen=True)
class ModuleDefinition:
    """The work of one module.

    `options` is its argument spec without the connection's. `faults` names what is wrong with the options' values,
    before any request; the second argument tells check mode, as the third does for `perform`. `secrets` are values in
    the options that have to be masked, beside those of options that are secret as a whole. What never `writes` has no
    operations to tell.
    """

    options: Mapping[str, Any]
    option_errors: Callable[[Options, bool], Iterator[str]]
    perform: Callable[[Client, Options, bool], Outcome]
    writes: bool = True
    secrets: Callable[[Options], Iterable[str]] = lambda options: ()
