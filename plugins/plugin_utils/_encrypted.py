# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that are encrypted with Ansible Vault."""

from __future__ import annotations

from typing import Any

try:
    from ansible.parsing.vault import VaultHelper
except ImportError:  # before 2.19
    VaultHelper = None


def ciphertext_of(value: Any) -> str | None:
    """Return the ciphertext of an encrypted value, or None if the value is not encrypted."""
    if VaultHelper is not None:
        found = VaultHelper.get_ciphertext(value, with_tags=False)
    else:
        found = getattr(value, "_ciphertext", None)
    return found.decode() if isinstance(found, bytes) else found
