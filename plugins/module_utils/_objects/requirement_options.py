# SPDX-License-Identifier: GPL-3.0-or-later
"""The option with what somebody demands of requests to some hosts and paths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .._definition import Options
from .._errors import UNSET_VARIABLE
from .._model.option_error import OptionError, OptionErrors, list_of, members_of
from .._model.option_wording import DocumentedElsewhere, NeverNull, quoted
from .._model.protection import CHECKS, CLOSED

_PATH = re.compile(r"/|(?:/(?!\.{1,2}(?:/|$))[^\s*?#%/\\]+)+/?")
_HOST = re.compile(r"\*|(?:\*\.)?[^\s*/:?#]+")

REQUIREMENTS: dict[str, Any] = NeverNull(
    type="list",
    elements="dict",
    default=[],
    options={
        "hosts": NeverNull(type="list", elements="str", default=["*"]),
        "paths": NeverNull(type="list", elements="str", default=["/"]),
        "needs": {"type": "list", "elements": "str", "required": True, "choices": [*CHECKS, CLOSED]},
        "reason": {"type": "str", "required": True},
    },
)
REQUIREMENTS_OPTION: dict[str, Any] = {"requirements": DocumentedElsewhere(REQUIREMENTS)}
"""The option of modules that execute a plan. Its suboptions are documented with that of `exposure_info`."""


def requirement_errors(options: Mapping[str, Any], path: str = "requirements") -> OptionErrors:
    """Yield the errors in requirements that nothing could meet, or that are about nothing."""
    for number, one in enumerate(members_of(options.get("requirements"))):
        where = f"{path}[{number}]"
        for name in ("hosts", "paths", "needs"):
            if isinstance(one.get(name), list) and not one[name]:
                yield OptionError(f"{where}.{name}", f"is empty; {UNSET_VARIABLE}")
        for place, host in enumerate(list_of(one.get("hosts"))):
            if isinstance(host, str) and not _HOST.fullmatch(host):
                expected = "expected a host name without a port, `*.` and a host name, or `*`"
                yield OptionError(f"{where}.hosts[{place}]", f"{quoted(host)} is not a host; {expected}")
        for place, prefix in enumerate(list_of(one.get("paths"))):
            if isinstance(prefix, str) and not _PATH.fullmatch(prefix):
                expected = "expected the beginning of a path, such as '/admin', without wildcards, queries, and dots"
                yield OptionError(f"{where}.paths[{place}]", f"{quoted(prefix)} is not a path; {expected}")
        if CLOSED in list_of(one.get("needs")) and len(one["needs"]) > 1:
            text = f"{CLOSED} means that nobody may get through, so no other class can be enough; remove one of them"
            yield OptionError(f"{where}.needs", text)
        if isinstance(one.get("reason"), str) and not one["reason"].strip():
            yield OptionError(f"{where}.reason", f"is empty; {UNSET_VARIABLE}")


def requirements_of(options: Options) -> list[Any]:
    """Return the requirements of a task, whose options have no errors."""
    if not options.get("requirements"):
        return []
    # Few tasks have any, and Ansible compiles whatever is imported, for each playbook.
    from .._access.requirements import Requirement  # noqa: PLC0415

    return [Requirement.of(one) for one in options.get("requirements") or ()]


def without_effect(options: Sequence[str]) -> list[str]:
    """Return the warnings about these options, whose hosts are not served."""
    return [f"{one} is not the host of anything that was read; check its spelling." for one in options]
