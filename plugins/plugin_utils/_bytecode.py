# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets Python cache the bytecode of what the plugins of this collection import, as it does everywhere else.

Ansible's collection loader compiles each file in each run, which takes longer than executing it. Where the cache cannot
be written, or PYTHONDONTWRITEBYTECODE is set, everything works as without it.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from typing import Any

_PLUGINS = "ansible_collections.edgeops.ingress.plugins"
_PACKAGES = (f"{_PLUGINS}.module_utils.", f"{_PLUGINS}.plugin_utils.")


class _BytecodeFinder:
    """Finds the modules in the packages of the collection, in the folders in which Ansible has found the packages."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _target: Any = None) -> ModuleSpec | None:
        if not name.startswith(_PACKAGES):
            return None
        found = (_folder(folder).find_spec(name) for folder in path or ())
        return next((spec for spec in found if spec is not None), None)


@functools.cache
def _folder(folder: str) -> FileFinder:
    return FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))


if "ansible.cli" in sys.modules:
    # One of Ansible's commands, and not an editor, a linter, or a test, for which no plugin may change how Python
    # imports. The place is before Ansible's own finder, which compiles.
    sys.meta_path.insert(0, _BytecodeFinder)
