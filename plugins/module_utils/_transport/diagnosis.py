# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds out from the exceptions of libraries why a connection failed, and what to do about it."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

_NO_SUCH_HOST = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
_NO_ADDRESS = frozenset({"InvalidURL", "InvalidProxyURL", "InvalidSchema", "ProxySchemeUnknown"})

_TUNNEL_REJECTED = re.compile(r"Tunnel connection failed: (\d{3})")
_MAY_PASS = re.compile(r"5\d\d|408|425|429")

_LONGEST_LOOK = 2.0
_PROXY_URL = "its URL in the environment, such as in HTTPS_PROXY"
_PROXY = "the proxy in the environment"

_NO_TLS = ("{} does not speak TLS", "check the scheme and the port of `base_url`")
_WITHOUT_TLS = dict.fromkeys(
    ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "UNKNOWN_PROTOCOL"), _NO_TLS
)
"""The finding and the advice for what OpenSSL reports if the response to a handshake is something other than TLS."""

_NO_COMMON_VERSION = (
    "{} and this machine have no TLS version in common",
    "check `base_url` and the TLS versions that the service and this machine allow",
)
_REJECTED_BY_TLS = {
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": (
        "{} requires a client certificate",
        "check `base_url`; the collection does not support client certificates",
    ),
    "TLSV1_ALERT_PROTOCOL_VERSION": _NO_COMMON_VERSION,
    "UNSUPPORTED_PROTOCOL": _NO_COMMON_VERSION,
}
"""The same for a handshake that failed and would fail again."""

_UNKNOWN_AUTHORITY = ("is from an unknown authority", "set `ca_path` to a file with the certificate of the authority")
_OTHER_NAME = ("is for another host", "check the host name in `base_url`")
_CERTIFICATES = {
    9: ("is not valid yet", "check the clock of this machine"),
    10: ("has expired", "renew it, or correct the clock of this machine"),
    62: _OTHER_NAME,
    64: _OTHER_NAME,
    None: _OTHER_NAME,  # urllib3 1.26 compares host names itself, and raises its own CertificateError
}
"""What is wrong with a certificate and what to do about it, by the error code of OpenSSL."""


@dataclass(frozen=True)
class Diagnosis:
    """The probable reason. `is_final` if a retry would not help, `distrusts` if a certificate is invalid.

    Without a `finding`, the message of the library is used; with one, `cause` is the message it was derived from.
    """

    advice: str
    finding: str = ""
    is_final: bool = False
    distrusts: bool = False
    cause: str = ""


def diagnosed(exc: BaseException, authority: str, has_proxy: bool) -> Diagnosis:
    """Return the reason for an exception that was raised before anything was sent.

    The connection leads to the `authority` (host and port) of the service, possibly through a proxy.
    """
    causes = list(_layers(exc))
    is_proxys = any(type(each).__name__ == "ProxyError" for each in causes)
    for each in causes:
        if found := _diagnosis_of(each, authority, has_proxy or is_proxys, is_proxys):
            return replace(found, cause=str(each))
    checked = f"{_PROXY}, such as in HTTPS_PROXY" if has_proxy else "the network connection"
    return Diagnosis(f"check `base_url` and {checked}")


def rejected_by_tls(exc: BaseException, authority: str) -> Diagnosis | None:
    """Return why TLS failed for good, if it did. With TLS 1.3, this may be noticed only after the request was sent."""
    for each in _layers(exc):
        if isinstance(each, ssl.SSLError) and each.reason in _REJECTED_BY_TLS:
            return replace(_final(*_REJECTED_BY_TLS[each.reason], authority), cause=str(each))
    return None


def _diagnosis_of(exc: BaseException, authority: str, has_proxy: bool, is_proxys: bool) -> Diagnosis | None:
    if isinstance(exc, ssl.SSLCertVerificationError) or type(exc).__name__ == "CertificateError":
        # A retry does not change a certificate, unlike other failed handshakes.
        what, advice = _CERTIFICATES.get(getattr(exc, "verify_code", None), _UNKNOWN_AUTHORITY)
        return replace(_final(f"the certificate of {{}} {what}", advice, authority), distrusts=True)
    reason = exc.reason if isinstance(exc, ssl.SSLError) else ""
    if reason in _WITHOUT_TLS and is_proxys:
        return _final("the proxy does not speak TLS", f"{_PROXY_URL}, must begin with http://", authority)
    if found := {**_WITHOUT_TLS, **_REJECTED_BY_TLS}.get(reason):
        return _final(*found, authority)
    if isinstance(exc, socket.gaierror) and exc.errno in _NO_SUCH_HOST:
        host = re.sub(r":\d+$", "", authority)
        found = (f"the host name {host} does not exist", "check the host name in `base_url`")
        if has_proxy:
            found = ("the host name of the proxy does not exist", f"check {_PROXY_URL}")
        return _final(*found, authority)
    if type(exc).__name__ in _NO_ADDRESS:
        return _final("", f"check the URL of {_PROXY}, such as HTTPS_PROXY", authority)
    return _about_proxy(exc, authority) if has_proxy else None


def _final(finding: str, advice: str, authority: str) -> Diagnosis:
    return Diagnosis(advice, finding.format(authority), is_final=True)


def _about_proxy(exc: BaseException, authority: str) -> Diagnosis | None:
    # A missing response to CONNECT may arrive the next time.
    is_closed = isinstance(exc, http.client.RemoteDisconnected)
    if isinstance(exc, (http.client.BadStatusLine, http.client.LineTooLong)) and not is_closed:
        return _final(f"{_PROXY} does not speak HTTP", f"check {_PROXY_URL}", authority)
    # Exceptions that wrap this one repeat its message inside their own.
    rejected = _TUNNEL_REJECTED.match(str(exc)) if isinstance(exc, OSError) else None
    status = rejected[1] if rejected else ""
    if status == "407":
        advice = f"add them before the host in {_PROXY_URL}, and percent-encode characters such as / # ?"
        return _final("the proxy requires a user name and a password, or other ones", advice, authority)
    if status == "429":
        return Diagnosis("run fewer tasks at a time, or increase `retries`", f"{_PROXY} received too many requests")
    if not status or _MAY_PASS.fullmatch(status):
        return None
    advice = f"check its URL, such as in HTTPS_PROXY, and whether it allows connections to {authority}"
    return _final(f"{_PROXY} rejects the connection ({status})", advice, authority)


def _layers(exc: BaseException) -> Iterator[BaseException]:
    """Yield the exception and those that caused it, the outermost first. Libraries store these in different places."""
    waiting, seen = deque([exc]), {id(exc)}
    while waiting:
        each = waiting.popleft()
        yield each
        inner = (*each.args, getattr(each, "reason", None), each.__cause__, each.__context__)
        for one in inner:
            if isinstance(one, BaseException) and id(one) not in seen:
                seen.add(id(one))
                waiting.append(one)


def innermost(exc: BaseException) -> str:
    """Return the message of the original exception, without those that libraries wrap around it."""
    inner = exc.args[0] if exc.args else None
    reason = getattr(inner, "reason", None) or inner
    if not isinstance(reason, BaseException):
        return str(exc)
    args = reason.args
    if len(args) == 2 and isinstance(args[0], str) and isinstance(args[1], BaseException):  # noqa: PLR2004
        # Such as ("Connection aborted.", ConnectionResetError(...)).
        return ": ".join(str(each).rstrip(".") for each in args)
    return str(reason)


def speaks_tls(base_url: str, timeout: float) -> bool:
    """Return whether the server at this URL completes a TLS handshake. Sends nothing else to it."""
    parts = urlsplit(base_url)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    wait = min(timeout, _LONGEST_LOOK)
    try:
        with (
            socket.create_connection((parts.hostname or "", parts.port or 80), wait) as plain,
            context.wrap_socket(plain, server_hostname=parts.hostname),
        ):
            return True
    except (OSError, ValueError):
        return False
