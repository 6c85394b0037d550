# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service itself chooses for an object: names, addresses, a token that only its creation shows, and its
side of `saml` (API reference, section 2.4).
"""

import zlib
from typing import Any

from ..store import Stored
from ..values.ids import new_id

NAMES = {
    **dict.fromkeys(("api_key", "credential"), ("token",)),
    "reserved_addr": ("addr",),
    "reserved_domain": ("domain", "cname_target"),
}
"""The fields of responses that the service chooses, by the kind of the object."""


def new_token(kind: str) -> str | None:
    """Return the token of a new object, or None if objects of this kind have none."""
    return new_id("token_") if "token" in NAMES.get(kind, ()) else None


def chosen_by_service(stored: Stored, token: str | None) -> dict[str, Any]:
    """Return the fields of the object in a response that no request contains. `token` is that of a new object."""
    name = reserved_name(stored)
    chosen = {"token": token, "addr": name, "domain": name, "cname_target": f"{name}.cname.example.net"}
    return {field: chosen[field] for field in NAMES.get(stored.kind, ())}


def reserved_name(stored: Stored) -> str:
    """Return the address or the domain that an object reserves. The same object always has the same one."""
    if stored.kind == "reserved_addr":
        number = zlib.crc32(stored.id.encode())
        return f"{number % 8 + 1}.tcp.example.io:{20_000 + number // 8 % 40_000}"
    return str(stored.document.get("domain") or f"{stored.id.rpartition('_')[2].lower()}.example.app")


_SIGNING_CERTIFICATE = """\
-----BEGIN CERTIFICATE-----
MIIBqDCCAU+gAwIBAgIUGHAVyFiDOJmPj4ROZOFFUbeQK9kwCgYIKoZIzj0EAwIw
KTEnMCUGA1UEAwwecmVmZXJlbmNlIHNlcnZpY2UgU0FNTCBzaWduaW5nMCAXDTI2
MTEyMDA5NTUxMVoYDzIxMjYxMDI3MDk1NTExWjApMScwJQYDVQQDDB5yZWZlcmVu
Y2Ugc2VydmljZSBTQU1MIHNpZ25pbmcwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASNHeZA6cR6yNFDY82Ta4rE0lL40ltQyuo5noGRER+WYNSFGFCmNyYosB9OUmK4
zp0OHXVKjuIdNdF1vI1snmX9o1MwUTAdBgNVHQ4EFgQUHYjdxW4NjMqRhbHlnV+M
YE6h9fEwHwYDVR0jBBgwFoAUHYjdxW4NjMqRhbHlnV+MYE6h9fEwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBTELKTdQuo6zN4BhcQ7QhOZvOhwvvd
SWosJ1FxlE2DOgIgWZjv3V7nMd5LmOQxhqaUXVY3uY9S9MFHZ/SdpYXuSNM=
-----END CERTIFICATE-----
"""


def service_side(address: str) -> dict[str, str]:
    """Return the read-only fields of `saml`, which describe the service as a service provider.

    `address` is their common URL. The entity ID is the URL of the metadata.
    """
    return {
        "entity_id": f"{address}/metadata",
        "assertion_consumer_service_url": f"{address}/acs",
        "single_logout_url": f"{address}/slo",
        "request_signing_certificate_pem": _SIGNING_CERTIFICATE,
        "metadata_url": f"{address}/metadata",
    }
