# SPDX-License-Identifier: GPL-3.0-or-later
"""A certificate authority for a test, with certificates that are good, expired, or for somebody else."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


class Authority:
    """Signs certificates; `path` is the file with its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("Authority of a test")
        own = _certificate(self._name, self._name, self._key, self._key, is_authority=True)
        self.path = folder / "authority.pem"
        self.path.write_bytes(own.public_bytes(serialization.Encoding.PEM))

    def context(self, *hosts: str, expired: bool = False, self_signed: bool = False) -> ssl.SSLContext:
        """The TLS of a server with a certificate for these hosts."""
        key = ec.generate_private_key(ec.SECP256R1())
        name = _named(hosts[0])
        issuer, issuer_key = (name, key) if self_signed else (self._name, self._key)
        made = _certificate(name, issuer, key, issuer_key, hosts, ends=-_DAY if expired else _DAY)
        pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        path = self._folder / "server.pem"
        path.write_bytes(key.private_bytes(*pem) + made.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    issuer_key: ec.EllipticCurvePrivateKey,
    hosts: Sequence[str] = ("localhost",),
    *,
    ends: timedelta = _DAY,
    is_authority: bool = False,
) -> x509.Certificate:
    now = datetime.now(timezone.utc)
    authority_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 2 * _DAY)
        .not_valid_after(now + ends)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in hosts]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(authority_key, critical=False)
        .add_extension(
            x509.KeyUsage(True, False, False, False, False, is_authority, is_authority, False, False), critical=True
        )
        .sign(issuer_key, hashes.SHA256())
    )
