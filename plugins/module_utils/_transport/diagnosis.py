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

_NO_TLS = frozenset({"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST", "UNKNOWN_PROTOCOL"})
"""What OpenSSL reports if the server responds to a handshake with something other than TLS."""

_NO_SUCH_HOST = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
_NO_ADDRESS = frozenset({"InvalidURL", "InvalidProxyURL", "InvalidSchema", "ProxySchemeUnknown"})
_OTHER_NAME, _EXPIRED, _NOT_YET_VALID = frozenset({62, 64}), 10, 9
"""Error codes of OpenSSL for invalid certificates."""

_TUNNEL_REJECTED = re.compile(r"Tunnel connection failed: (\d{3})")
_MAY_PASS = re.compile(r"5\d\d|408|425|429")

_CLIENT_CERTIFICATE = frozenset({"TLSV13_ALERT_CERTIFICATE_REQUIRED"})
_NO_COMMON_VERSION = frozenset({"TLSV1_ALERT_PROTOCOL_VERSION", "UNSUPPORTED_PROTOCOL"})
"""What OpenSSL reports if a handshake failed and would fail again."""

_PROXY_URL = "its URL in the environment, such as in HTTPS_PROXY"


@dataclass(frozen=True)
class Place:
    """The target of a connection: the `authority` (host and port) of the service, possibly through a `proxy`."""

    authority: str
    proxy: bool = False


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


def diagnosed(exc: BaseException, place: Place) -> Diagnosis:
    """Return the reason for an exception that was raised before anything was sent."""
    causes = list(layers(exc))
    is_proxys = any(type(each).__name__ == "ProxyError" for each in causes)
    found = ((_diagnosis_of(each, place, is_proxys), str(each)) for each in causes)
    proxy = "the proxy in the environment, such as in HTTPS_PROXY" if place.proxy else "the network connection"
    certain = (replace(diagnosis, cause=cause) for diagnosis, cause in found if diagnosis)
    return next(certain, Diagnosis(f"check `base_url` and {proxy}"))


def _diagnosis_of(exc: BaseException, place: Place, is_proxys: bool) -> Diagnosis | None:
    # urllib3 1.26 compares host names itself, and raises its own CertificateError.
    if isinstance(exc, ssl.SSLCertVerificationError) or type(exc).__name__ == "CertificateError":
        return _about_certificate(exc, place)
    if rejection := _tls_rejection(exc, place):
        return rejection
    if isinstance(exc, ssl.SSLError) and exc.reason in _NO_TLS:
        return _without_tls(place, is_proxys)
    if isinstance(exc, socket.gaierror) and exc.errno in _NO_SUCH_HOST:
        return _unknown_host(place, place.proxy or is_proxys)
    if type(exc).__name__ in _NO_ADDRESS:
        return Diagnosis("check the URL of the proxy in the environment, such as HTTPS_PROXY", is_final=True)
    return _about_proxy(exc, place) if place.proxy or is_proxys else None


def _final(finding: str, advice: str) -> Diagnosis:
    return Diagnosis(advice, finding, is_final=True)


def _without_tls(place: Place, is_proxys: bool) -> Diagnosis:
    if is_proxys:
        return _final("the proxy does not speak TLS", f"{_PROXY_URL}, must begin with http://")
    return _final(f"{place.authority} does not speak TLS", "check the scheme and the port of `base_url`")


def _unknown_host(place: Place, is_proxys: bool) -> Diagnosis:
    if is_proxys:
        return _final("the host name of the proxy does not exist", f"check {_PROXY_URL}")
    host = re.sub(r":\d+$", "", place.authority)
    return _final(f"the host name {host} does not exist", "check the host name in `base_url`")


def _about_proxy(exc: BaseException, place: Place) -> Diagnosis | None:
    if _is_not_http(exc):
        return _final("the proxy in the environment does not speak HTTP", f"check {_PROXY_URL}")
    # Exceptions that wrap this one repeat its message inside their own.
    rejected = _TUNNEL_REJECTED.match(str(exc)) if isinstance(exc, OSError) else None
    status = rejected[1] if rejected else ""
    if status == "407":
        advice = f"add them before the host in {_PROXY_URL}, and percent-encode characters such as / # ?"
        return _final("the proxy requires a user name and a password, or other ones", advice)
    if status == "429":
        return Diagnosis(
            "run fewer tasks at a time, or increase `retries`",
            "the proxy in the environment received too many requests",
        )
    if not status or _MAY_PASS.fullmatch(status):
        return None
    advice = f"check its URL, such as in HTTPS_PROXY, and whether it allows connections to {place.authority}"
    return _final(f"the proxy in the environment rejects the connection ({status})", advice)


def rejected_by_tls(exc: BaseException, place: Place) -> Diagnosis | None:
    """Return why TLS failed for good, if it did. With TLS 1.3, this may be noticed only after the request was sent."""
    for each in layers(exc):
        if rejection := _tls_rejection(each, place):
            return replace(rejection, cause=str(each))
    return None


def _tls_rejection(exc: BaseException, place: Place) -> Diagnosis | None:
    reason = exc.reason if isinstance(exc, ssl.SSLError) else None
    if reason in _CLIENT_CERTIFICATE:
        advice = "check `base_url`; the collection does not support client certificates"
        return _final(f"{place.authority} requires a client certificate", advice)
    if reason in _NO_COMMON_VERSION:
        advice = "check `base_url` and the TLS versions that the service and this machine allow"
        return _final(f"{place.authority} and this machine have no TLS version in common", advice)
    return None


def _is_not_http(exc: BaseException) -> bool:
    """Return whether the response to CONNECT is not HTTP. A missing response may arrive the next time."""
    is_closed = isinstance(exc, http.client.RemoteDisconnected)
    return isinstance(exc, (http.client.BadStatusLine, http.client.LineTooLong)) and not is_closed


def layers(exc: BaseException) -> Iterator[BaseException]:
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


def _about_certificate(exc: BaseException, place: Place) -> Diagnosis:
    """Return why a certificate is invalid, which a retry does not change, unlike other failed handshakes."""
    code = getattr(exc, "verify_code", None)
    what, advice = "is from an unknown authority", "set `ca_path` to a file with the certificate of the authority"
    if code in _OTHER_NAME or code is None:
        what, advice = "is for another host", "check the host name in `base_url`"
    elif code == _EXPIRED:
        what, advice = "has expired", "renew it, or correct the clock of this machine"
    elif code == _NOT_YET_VALID:
        what, advice = "is not valid yet", "check the clock of this machine"
    return Diagnosis(advice, f"the certificate of {place.authority} {what}", is_final=True, distrusts=True)


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
