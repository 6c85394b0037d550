# SPDX-License-Identifier: GPL-3.0-or-later
"""A home folder for ansible-test, so that it works with a package index alone and leaves the user's own untouched.

ansible-test keeps its virtual environments and its downloads below the home folder, and hands no variable of pip's on.
What installs packages in the middle of a check gets its settings from such a home folder, too.
"""

from __future__ import annotations

import configparser
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

from package_settings import PYPI, network_settings, settings_in

GET_PIP = Path(__file__).with_name("get_pip.py")
PIP_BY_UV = Path(__file__).with_name("pip_by_uv.py")


def downloads_folder(home: Path) -> Path:
    """Return the folder in which ansible-test looks before it downloads anything."""
    return home / ".ansible" / "test" / "cache"


def place_get_pip(home: Path, pip_version: str) -> None:
    """Put our script where ansible-test would save the get-pip script for this version of pip."""
    target = downloads_folder(home) / f"get_pip_{pip_version.replace('.', '_')}.py"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(GET_PIP, target)


def place_uv(home: Path, program: str, variables: Mapping[str, str]) -> None:
    """Let uv, run with these variables, install the packages of ansible-test's environments."""
    target = downloads_folder(home) / "uv.json"
    target.touch(mode=0o600)  # an index's address may hold a password
    target.write_text(json.dumps({"program": program, "variables": dict(variables)}), encoding="utf-8")
    shutil.copy(PIP_BY_UV, target.parent)


def write_pip_settings(home: Path, listing: str) -> None:
    """Write the home's pip.conf: what `pip config list` printed, and what pip finds in variables that are not its."""
    settings = configparser.ConfigParser(interpolation=None)
    sections = settings_in(listing)
    network = network_settings(sections["global"].get("index-url", PYPI))
    settings.read_dict({**sections, "global": {**network, **sections["global"]}})
    quick = {
        "quiet": "2",  # errors only: otherwise most of what ansible-test prints is pip's
        # Compiled later, some packages print warnings, which ansible-test takes for errors of its own test.
        "compile": "true",
    }
    settings["install"] = {**quick, **sections.get("install", {})}
    target = home / ".pip" / "pip.conf"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch(mode=0o600)  # an index's address may hold a password
    with target.open("w", encoding="utf-8") as file:
        settings.write(file)
