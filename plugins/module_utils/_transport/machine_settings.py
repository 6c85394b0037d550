# SPDX-License-Identifier: GPL-3.0-or-later
"""What this machine prescribes for connections: the certificate authorities that it trusts, and its proxies.

The URL of a proxy is checked before any library parses it: libraries quote what they cannot parse, passwords included.
"""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from .._model.masking import has_to_stand_alone
from .._values.option_error import OptionError

_HASHED = re.compile(r"[0-9a-f]{8}\.[0-9]+")
_SCHEME = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*://")
_HOST_AND_PORT = re.compile(r"(?:\[[^\[\]]+\]|[^:\[\]\s]+)(?::([0-9]{0,5}))?")
_ENDS_OF_AUTHORITY = re.compile(r"[/?#\\]")
_RESERVED = re.compile(r"[/?#\\\[\]]")
"""Characters that end the user name and the password for some libraries, unless they are percent-encoded."""

_HIGHEST_PORT = 65535
_EXPECTED = "expected a scheme, such as http, then :// and host:port, with a user name and a password before the host"


def problem_with_proxy(address: str, service_scheme: str, environ: Mapping[str, str]) -> OptionError | None:
    """Return the error in the URL of a proxy, without quoting any of it, if there is one."""
    credentials, at, rest = _SCHEME.sub("", address.strip()).rpartition("@")
    # The lowercase name takes precedence.
    variables = [spelt for name in (f"{service_scheme}_proxy", "all_proxy") for spelt in (name, name.upper())]
    used = (name for name in variables if environ.get(name) == address)
    source = next(used, "proxy settings of this machine")
    if at and _RESERVED.search(credentials):
        return OptionError(
            source,
            "the user name or the password in the URL of the proxy contains a character such as / # ?; "
            "percent-encode such characters: write / as %2F, # as %23, ? as %3F",
        )
    found = _HOST_AND_PORT.fullmatch(_ENDS_OF_AUTHORITY.split(rest, maxsplit=1)[0])
    if found and int(found[1] or 0) <= _HIGHEST_PORT:
        return None
    return OptionError(
        source,
        f"the URL of the proxy has no valid host and port; {_EXPECTED} if the proxy requires them; "
        "percent-encode characters such as / # ? @ in a user name or a password",
    )


def credentials_in(address: str) -> Iterator[str]:
    """Yield the user name and the password in a URL, such as that of a proxy: together and apart, raw and decoded.

    Libraries disagree about invalid URLs, so only the separators count here.
    """
    both = address.rpartition("@")[0].split("://", maxsplit=1)[-1]
    user, _colon, password = both.partition(":")
    for each in (both, password) if password else (both, user):
        yield from {each, unquote(each)}
        # A library that ends the user information at such a character quotes what is before it.
        yield from (part for part in _RESERVED.split(each) if not has_to_stand_alone(part))


def problem_with_authorities(base_url: str, verify: bool | str | None, is_option: bool) -> OptionError | None:
    """Return the option error for the file or directory of certificate authorities in `verify`, if it is invalid.

    It comes from `ca_path` or, unless it `is_option`, from an environment variable.
    """
    if not isinstance(verify, str) or not base_url.startswith("https:"):
        return None
    name = "ca_path" if is_option else next(filter(os.environ.get, ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")), "ca_path")
    what = ""
    try:
        if not Path(verify).is_dir():
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(verify)
        elif not any(_HASHED.fullmatch(file.name) for file in Path(verify).iterdir()):
            what = "is a directory without certificates that OpenSSL finds; run `openssl rehash` on it, or set a file"
    except FileNotFoundError:
        what = "does not exist"
    except ssl.SSLError:
        what = "contains no certificate; expected certificates of authorities in PEM format"
    except OSError as exc:
        what = f"cannot be read ({exc.strerror})"
    return OptionError(name, f"{verify} {what}") if what else None
