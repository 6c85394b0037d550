# SPDX-License-Identifier: GPL-3.0-or-later
"""A certificate authority for a test, with certificates that are good, expired, or for somebody else."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificate:
    chain: Path
    key: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain, self.key)
        return context


class Authority:
    """Signs certificates; `path` is the file with its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("Authority of a test")
        own = _certificate(self._name, self._name, self._key, self._key, is_authority=True)
        self.path = folder / "authority.pem"
        self.path.write_bytes(own.public_bytes(serialization.Encoding.PEM))

    def certificate(self, host: str, *also: str, expired: bool = False, self_signed: bool = False) -> Certificate:
        key = ec.generate_private_key(ec.SECP256R1())
        issuer, issuer_key = (_named(host), key) if self_signed else (self._name, self._key)
        made = _certificate(
            _named(host), issuer, key, issuer_key, host=host, also=also, ends=-_DAY if expired else _DAY
        )
        stem = f"{host}-{expired}-{self_signed}"
        files = Certificate(self._folder / f"{stem}.pem", self._folder / f"{stem}.key")
        files.chain.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        files.key.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(  # noqa: PLR0913 - a certificate's parts
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    issuer_key: ec.EllipticCurvePrivateKey,
    *,
    host: str = "localhost",
    also: Sequence[str] = (),
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
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in (host, *also)]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(authority_key, critical=False)
        .add_extension(
            x509.KeyUsage(True, False, False, False, False, is_authority, is_authority, False, False), critical=True
        )
        .sign(issuer_key, hashes.SHA256())
    )
