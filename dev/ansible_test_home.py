# SPDX-License-Identifier: GPL-3.0-or-later
"""A home folder for ansible-test, so that it works with a package index alone and leaves the user's own untouched.

ansible-test keeps its virtual environments and its downloads below the home folder, and hands no variable of pip's on.
What installs packages in the middle of a check gets its settings from such a home folder, too.
"""

from __future__ import annotations

import ast
import configparser
import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

PYPI = "https://pypi.org/simple"
GET_PIP = Path(__file__).with_name("get_pip.py")


def downloads_folder(home: Path) -> Path:
    """Return the folder in which ansible-test looks before it downloads anything."""
    return home / ".ansible" / "test" / "cache"


def place_get_pip(home: Path, pip_version: str) -> None:
    """Put our script where ansible-test would save the get-pip script for this version of pip."""
    target = downloads_folder(home) / f"get_pip_{pip_version.replace('.', '_')}.py"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(GET_PIP, target)


def write_pip_settings(home: Path, listing: str) -> None:
    """Write what `pip config list` printed as the home's pip.conf, and what pip finds in variables that aren't its own.

    Its lines look like `global.index-url='https://…'`, or `:env:.index-url='https://…'` for a variable.
    """
    settings = configparser.ConfigParser(interpolation=None)
    settings["global"] = {}
    settings["install"] = {
        "quiet": "2",  # errors only: otherwise most of what ansible-test prints is pip's
        # Compiled later, some packages print warnings, which ansible-test takes for errors of its own test.
        "compile": "true",
    }
    lines = [line.split("=", 1) for line in listing.splitlines() if "=" in line]
    for key, value in sorted(lines, key=lambda line: line[0].startswith(":env:")):  # variables last: they win
        section, option = key.rsplit(".", 1)
        section = section.replace(":env:", "global")
        if not settings.has_section(section):
            settings.add_section(section)
        settings[section][option] = ast.literal_eval(value)
    settings["global"] = {**_of_the_network(settings["global"].get("index-url", PYPI)), **settings["global"]}
    target = home / ".pip" / "pip.conf"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.touch(mode=0o600)  # an index's address may hold a password
    with target.open("w", encoding="utf-8") as file:
        settings.write(file)


def _of_the_network(index: str) -> dict[str, str]:
    """The proxy and the certificates that the environment has for pip on its way to this index."""
    address = urlsplit(index)
    proxies = getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    found = {}
    if proxy and not proxy_bypass(address.hostname or ""):
        found["proxy"] = proxy
    if certificates := os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE"):
        found["cert"] = certificates
    return found
