# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the Pythons that the checks want are on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from python_discovery import get_interpreter  # comes with nox


def show_pyenv_versions() -> None:
    """Put pyenv's interpreters on the PATH, last.

    pyenv's own entry holds a shim for each of them, which does not run if its version is not selected. Nox
    tries what it finds and goes on, so that it only needs to see the interpreters behind the shims too.
    """
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    path += [str(folder) for folder in sorted(root.glob("versions/*/bin")) if str(folder) not in path]
    os.environ["PATH"] = os.pathsep.join(path)


def folders_of(versions: Iterable[str]) -> list[str]:
    """Return the folders of the interpreters that run here of these versions, not of a version manager's shims."""
    found = filter(None, map(get_interpreter, versions))
    return [str(Path(interpreter.system_executable or interpreter.executable).parent) for interpreter in found]


def first_found(versions: Iterable[str]) -> str | None:
    """Return the first of these versions (such as "3.12") for which an interpreter runs here, if any does."""
    return next((version for version in versions if get_interpreter(version)), None)
