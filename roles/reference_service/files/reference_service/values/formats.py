# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings in a format: hostports, host names, URLs of endpoints, and networks, and how hostports are compared.

A string is rejected only if no service accepts it.
"""

import re
import unicodedata
from ipaddress import ip_network
from typing import Annotated

from pydantic import AfterValidator, Field

from .rejection_codes import Code
from .rejections import invalid_value

_NAME = r"([A-Za-z0-9._*-]|[^\x00-\x7f])+"
_HOST = rf"(\[[0-9A-Fa-f:.]+\]|{_NAME})"
_PORT = ":[1-9][0-9]{0,4}"
_HOST_NAME = f"^{_NAME}$"
_HOSTPORT = f"^{_HOST}{_PORT}$"
_ENDPOINT = f"^(http|https|tcp|tls)://{_HOST}({_PORT})?$"
_LARGEST_PORT = 65_535
_JOINERS = "\u200c\u200d"
"""Invisible characters that names in some scripts require."""


def _like(pattern: str, code: Code, expected: str) -> AfterValidator:
    def check(text: str) -> str:
        port = text.rpartition(":")[2]
        is_invisible = any(each not in _JOINERS and unicodedata.category(each)[0] in "CZ" for each in text)
        if not re.fullmatch(pattern, text) or is_invisible or (port.isdecimal() and int(port) > _LARGEST_PORT):
            raise invalid_value(code, f"must be {expected}")
        return text

    return AfterValidator(check)


def _network(text: str) -> str:
    address, _slash, length = text.partition("/")
    try:
        ip_network(f"{address}/{int(length)}", strict=False)
    except ValueError:
        raise invalid_value(Code.NETWORK, "must be an IPv4 or IPv6 network, such as 192.0.2.0/24") from None
    return text


Hostport = Annotated[
    str,
    Field(min_length=1, json_schema_extra={"pattern": _HOSTPORT}),
    _like(_HOSTPORT, Code.HOSTPORT, "a host and a port from 1 to 65535, such as shop.example.com:443"),
]
HostName = Annotated[
    str,
    Field(min_length=1, json_schema_extra={"pattern": _HOST_NAME}),
    _like(_HOST_NAME, Code.HOST, "a host name without a port, such as shop.example.com"),
]
EndpointURL = Annotated[
    str,
    Field(min_length=1, json_schema_extra={"pattern": _ENDPOINT}),
    _like(_ENDPOINT, Code.URL, "a URL without a path, such as https://shop.example.com, with http, https, tcp, or tls"),
]
Network = Annotated[
    str, Field(min_length=1, json_schema_extra={"examples": ["192.0.2.0/24"]}), AfterValidator(_network)
]


def ascii_form(hostport: str) -> str:
    """Return `xn--bcher-kva.example:443` for `Bücher.example:443`, and any other string in lower case.

    Hostports are compared in this form.
    """
    host, colon, port = hostport.rpartition(":")
    if not colon:
        host, port = hostport, ""
    return ".".join(_ascii_label(label) for label in host.split(".")) + colon + port.lower()


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label.lower()
    # Python's codec "idna" implements the older standard, in which `straße` and `strasse` are the same name.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", label).lower())
    return folded if folded.isascii() else f"xn--{folded.encode('punycode').decode('ascii')}"
