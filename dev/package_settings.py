# SPDX-License-Identifier: GPL-3.0-or-later
"""Where packages come from: what is set for pip holds for uv, and for what runs without the settings of the user."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys

OF_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "constraint": "UV_CONSTRAINT",
    "cert": "SSL_CERT_FILE",
    "default-timeout": "UV_HTTP_TIMEOUT",
}
"""The variable of uv for each option of pip that says where packages are and how to get there."""


@functools.cache
def listing_of_pip() -> str:
    """Return what `pip config list` prints, settings from files and from variables: `global.index-url='https://…'`."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def package_settings(listing: str) -> dict[str, str]:
    """Return the variables with which pip needs no files, and uv finds packages as pip does."""
    found: dict[str, str] = {}
    for section in ("global", "install", ":env:"):  # variables last: they win
        found.update(re.findall(rf"^{section}\.([\w-]+)=(.*)$", listing, re.MULTILINE))
    # pip takes the best version of all places, and trusts what the system trusts.
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_SYSTEM_CERTS": "true"}
    for option in OF_UV.keys() & found.keys():
        value = ast.literal_eval(found[option])
        variables[f"PIP_{option.upper().replace('-', '_')}"] = value
        # uv takes several places from a list with commas, and several indexes from one with blanks.
        variables[OF_UV[option]] = ("," if option == "find-links" else " ").join(value.split())
    return variables
