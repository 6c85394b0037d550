# SPDX-License-Identifier: GPL-3.0-or-later
"""npm installs the packages of the checks, with the certificates that this machine trusts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import npm_packages

NPM = """#!/bin/sh
printf '%s' "${NODE_EXTRA_CA_CERTS-unset}" >seen
"""


def certificates_of_npm(folder: Path, monkeypatch: pytest.MonkeyPatch, **variables: str) -> str:
    """Install packages with a program in place of npm, and return which certificates it had to trust."""
    for name in ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    programs, source, target = (folder / name for name in ("programs", "source", "target"))
    programs.mkdir()
    source.mkdir()
    (programs / "npm").write_text(NPM, encoding="utf-8")
    (programs / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    for name in ("package.json", "package-lock.json"):
        (source / name).write_text("{}", encoding="utf-8")
    npm_packages.install_packages(source, target)
    return (target / "seen").read_text(encoding="utf-8")


def test_npm_trusts_the_store_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Node.js has certificates of its own, and reads no others unless it is configured to.
    store = tmp_path / "store.pem"
    store.touch()
    monkeypatch.setattr(npm_packages, "SYSTEM_STORES", ("/nonexistent/store.pem", str(store)))
    monkeypatch.setattr(
        npm_packages.ssl, "get_default_verify_paths", lambda: npm_packages.ssl.DefaultVerifyPaths(*[None] * 6)
    )
    assert certificates_of_npm(tmp_path, monkeypatch) == str(store)


def test_npm_trusts_the_file_in_ssl_cert_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own.pem").touch()
    own = str(tmp_path / "own.pem")
    assert certificates_of_npm(tmp_path, monkeypatch, SSL_CERT_FILE=own) == own


def test_the_users_certificates_for_node_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert certificates_of_npm(tmp_path, monkeypatch, NODE_EXTRA_CA_CERTS="of the user") == "of the user"


def test_a_system_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm_packages, "SYSTEM_STORES", ())
    monkeypatch.setattr(
        npm_packages.ssl, "get_default_verify_paths", lambda: npm_packages.ssl.DefaultVerifyPaths(*[None] * 6)
    )
    assert certificates_of_npm(tmp_path, monkeypatch) == "unset"
