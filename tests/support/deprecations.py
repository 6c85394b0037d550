# SPDX-License-Identifier: GPL-3.0-or-later
"""Deprecation warnings of Ansible, of which we are to cause none on any supported version."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

SHOWN = {"ANSIBLE_DEPRECATION_WARNINGS": "true"}
"""The environment in which Ansible prints these warnings, whatever the settings of the machine say."""

_MARK = "[DEPRECATION WARNING]"


def deprecations(output: str, results: Iterable[Mapping[str, Any]] = ()) -> list[str]:
    """The deprecation warnings in what a command printed, and in the results of tasks and of the items of loops."""
    printed = [line for line in output.splitlines() if _MARK in line]
    return printed + [str(each) for result in results for each in _returned(result)]


def _returned(result: Mapping[str, Any]) -> Iterator[Any]:
    yield from result.get("deprecations") or ()
    items = result.get("results")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, Mapping):
            yield from _returned(item)
