# SPDX-License-Identifier: GPL-3.0-or-later
"""Where packages come from: what is set for pip holds for uv, and for what runs without the settings of the user."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys

OF_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "constraint": "UV_CONSTRAINT",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
    "default-timeout": "UV_HTTP_TIMEOUT",
}
"""The variable of uv for each option of pip that says where packages are and how to get there."""


@functools.cache
def listing_of_pip() -> str:
    """Return what `pip config list` prints: settings from files and from variables."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def settings_in(listing: str) -> dict[str, str]:
    """Return the options above in such a listing. Its lines look like `global.index-url='https://…'`."""
    lines = [line.split("=", 1) for line in listing.splitlines() if "=" in line]
    found = {}
    for section in ("global", "install", ":env:"):  # variables last: they win
        found.update({key.removeprefix(f"{section}."): value for key, value in lines if key.startswith(section)})
    return {option: ast.literal_eval(value) for option, value in found.items() if option in OF_UV}


def variables_of_pip(listing: str) -> dict[str, str]:
    """Return the variables with which pip needs no files."""
    return {f"PIP_{option.upper().replace('-', '_')}": value for option, value in settings_in(listing).items()}


def variables_of_uv(listing: str) -> dict[str, str]:
    """Return the variables with which uv finds packages as pip does."""
    variables = {
        # pip takes the best version of all places, and trusts what the system trusts.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_SYSTEM_CERTS": "true",
    }
    for option, value in settings_in(listing).items():
        # uv takes several places from a list with commas, and several indexes from one with blanks.
        variables[OF_UV[option]] = ("," if option == "find-links" else " ").join(value.split())
    return variables
