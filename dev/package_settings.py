# SPDX-License-Identifier: GPL-3.0-or-later
"""Where packages come from: what the user has set for pip, which holds for uv and ansible-test as well."""

from __future__ import annotations

import ast
import functools
import os
import subprocess
import sys
from collections.abc import Mapping
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

PYPI = "https://pypi.org/simple"

# The variable of uv for each option of pip that says where packages are and how to get there.
VARIABLES_OF_UV = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "constraint": "UV_CONSTRAINT",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "retries": "UV_HTTP_RETRIES",
}


@functools.cache
def listing_of_pip() -> str:
    """Return what `pip config list` prints: the user's settings, from files and from variables.

    The pip is that of the Python that runs nox, since environments that uv creates have none.
    """
    command = [sys.executable, "-m", "pip", "config", "list"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def settings_in(listing: str) -> dict[str, dict[str, str]]:
    """Return the sections of such a listing.

    Its lines look like `global.index-url='https://…'`, or `:env:.index-url='https://…'` for a variable.
    """
    sections: dict[str, dict[str, str]] = {"global": {}}
    lines = [line.split("=", 1) for line in listing.splitlines() if "=" in line]
    for key, value in sorted(lines, key=lambda line: line[0].startswith(":env:")):  # variables last: they win
        section, option = key.rsplit(".", 1)
        sections.setdefault(section.replace(":env:", "global"), {})[option] = ast.literal_eval(value)
    return sections


def network_settings(index: str) -> dict[str, str]:
    """Return the proxy and the certificates that the environment has for pip on its way to this index."""
    address = urlsplit(index)
    proxies = getproxies()
    proxy = proxies.get(address.scheme) or proxies.get("all")
    found = {}
    if proxy and not proxy_bypass(address.hostname or ""):
        found["proxy"] = proxy
    if certificates := os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE"):
        found["cert"] = certificates
    return found


def settings_for_uv(listing: str, given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with which uv finds packages as pip does. Those of uv itself that are given win."""
    sections = settings_in(listing)
    options = {**sections["global"], **sections.get("install", {})}
    options = {**network_settings(options.get("index-url", PYPI)), **options}
    variables = {
        # pip takes the best version of all places, and trusts what the system trusts.
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_SYSTEM_CERTS": "true",
    }
    for option, variable in VARIABLES_OF_UV.items():
        if values := options.get(option, "").split():
            # uv takes several places from a list with commas, and several indexes from one with blanks.
            variables[variable] = ("," if option == "find-links" else " ").join(values)
    return {name: value for name, value in variables.items() if not (name.startswith("UV_") and name in given)}
