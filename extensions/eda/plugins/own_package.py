# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the plugins of this folder import what the other plugins of the collection consist of.

ansible-rulebook executes them as single files, without Ansible's loader of collections. Starting that one would read
the configuration of Ansible and change how all of the process imports. So the folder `plugins` of the collection that
this file belongs to becomes a package of its own, whose modules import each other by relative names.
"""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path

_NAME = "edgeops_ingress_plugins"
_COLLECTION = Path(__file__).resolve().parents[3]


def own_module(name: str) -> types.ModuleType:
    """Return a module below the folder `plugins`, by its name with dots. Raises ImportError with what is missing."""
    folder = str(_COLLECTION / "plugins")
    if _NAME not in sys.modules or folder not in sys.modules[_NAME].__path__:
        package = types.ModuleType(_NAME)
        package.__path__ = [folder]
        sys.modules[_NAME] = package
    try:
        return importlib.import_module(f"{_NAME}.{name}")
    except ModuleNotFoundError as error:
        what = (error.name or "").partition(".")[0]
        if what == "ansible":
            what = "ansible-core"
        if what == _NAME:
            raise ImportError(f"{folder} is incomplete; install the collection edgeops.ingress again") from error
        raise ImportError(
            f"{what} is required; install it for the Python of ansible-rulebook, {sys.executable}"
        ) from error
