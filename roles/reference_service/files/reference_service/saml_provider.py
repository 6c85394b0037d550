# SPDX-License-Identifier: GPL-3.0-or-later
"""The read-only fields of `saml`, which describe the service as a service provider (API reference, section 2.4)."""

from __future__ import annotations

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
    """Return the read-only fields. `address` is their common URL. The entity ID is the URL of the metadata."""
    return {
        "entity_id": f"{address}/metadata",
        "assertion_consumer_service_url": f"{address}/acs",
        "single_logout_url": f"{address}/slo",
        "request_signing_certificate_pem": _SIGNING_CERTIFICATE,
        "metadata_url": f"{address}/metadata",
    }
