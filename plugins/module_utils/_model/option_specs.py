# SPDX-License-Identifier: GPL-3.0-or-later
"""What the argument specs of Ansible cannot express. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Option = Mapping[str, Any]
Spec = Mapping[str, Option]


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
