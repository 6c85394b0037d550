# SPDX-License-Identifier: GPL-3.0-or-later
"""Strings as `ansible-vault encrypt_string` encrypts them."""

from __future__ import annotations

from ansible.parsing.vault import VaultLib, VaultSecret

VAULT_PASSWORD = "password of the test's vault"


def encrypted(text: str) -> str:
    return VaultLib([("default", VaultSecret(VAULT_PASSWORD.encode()))]).encrypt(text).decode()
