# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that came encrypted, from a vault."""

from __future__ import annotations

from typing import Any

try:
    from ansible.parsing.vault import VaultHelper
except ImportError:  # before 2.19
    VaultHelper = None


def ciphertext_of(value: Any) -> str | None:
    """What the value was encrypted as; None for a value that was not."""
    if VaultHelper is not None:
        found = VaultHelper.get_ciphertext(value, with_tags=False)
    else:
        found = getattr(value, "_ciphertext", None)
    return found.decode() if isinstance(found, bytes) else found
