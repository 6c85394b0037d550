# SPDX-License-Identifier: GPL-3.0-or-later
"""What only one object of an account can have: a hostport of an edge, and a reserved domain."""

from __future__ import annotations

from .chosen_values import reserved_name
from .hostnames import ascii_form
from .rejection_codes import Code
from .rejections import invalid
from .store import Store, Stored


def claim(store: Store, path: str, claimant: Stored, slow_releases: int = 0) -> None:
    """Raise `Rejection` if an object of the collection with this path has what another object has."""
    if path.startswith("edges/"):
        taken = store.claim_hostports(claimant.id, claimant.document.get("hostports", ()), slow_releases)
        if taken is not None:
            raise invalid(taken, Code.HOSTPORT_TAKEN)
    if path == "reserved_domains":
        own = ascii_form(reserved_name(path, claimant))
        for other in store.newest_first("reserved_domain", None, -1):
            if other.id != claimant.id and ascii_form(reserved_name(path, other)) == own:
                raise invalid(f"domain: {own!r} is already reserved by {other.id}", Code.DOMAIN_TAKEN)
