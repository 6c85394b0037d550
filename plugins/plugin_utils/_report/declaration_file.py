# SPDX-License-Identifier: GPL-3.0-or-later
"""The file of a repository that declares an account, and where in it an edge is declared. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from ...module_utils._model.option_error import OptionError, OptionErrors
from ...module_utils._model.option_wording import quoted
from .exposure import dictionaries, mapping, strings


def declaration_errors(path: Any, option: str) -> OptionErrors:
    """Yield why this is not the path of a file in a repository."""
    if isinstance(path, str) and (posixpath.isabs(path) or ".." in path.split("/")):
        yield OptionError(option, f"expected a path that is relative to the root of the repository, got {quoted(path)}")


def lines_of_hostports(account: Mapping[str, Any], content: str) -> dict[str, int]:
    """Return the first line of the file that declares the account for each hostport in it."""
    edges = dictionaries(mapping(account.get("estate")).get("https_edges"))
    hostports = {one for edge in edges for one in strings(edge.get("hostports"))}
    found: dict[str, int] = {}
    for number, line in enumerate(content.splitlines(), start=1):
        for hostport in hostports - found.keys():
            if re.search(rf"(?<![\w.*-]){re.escape(hostport)}(?!\d)", line):
                found[hostport] = number
    return found
