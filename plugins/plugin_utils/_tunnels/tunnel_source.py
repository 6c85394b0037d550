# SPDX-License-Identifier: GPL-3.0-or-later
"""The online tunnels of an account, from the service or from Ansible's inventory cache."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ansible.errors import AnsibleParserError

from ...module_utils import _entry as entry
from ...module_utils._arguments import CheckedArguments
from ...module_utils._entry import masked
from ...module_utils._transport.progress import Progress
from .definition import DEFINITION
from .tunnel_host import Tunnel

NAME = "edgeops.ingress.tunnels"

_REQUIRED_FIELDS = {"id", "public_url", "metadata", "labels"}


def online_tunnels(arguments: CheckedArguments, display: Any) -> list[Tunnel]:
    """Return the tunnels, without secrets. Raises AnsibleParserError if they cannot be read."""
    # Standard output belongs to the program that reads the inventory from there.
    progress = Progress(lambda line: display.display(f"{NAME}: {line}", stderr=True))
    result = entry.result_of(DEFINITION, arguments.options, progress=progress)
    result = masked(result, DEFINITION, arguments)
    if result.get("failed"):
        raise AnsibleParserError(result["msg"])
    for warning in result.get("warnings", ()):
        display.warning(warning)
    tunnels: list[Tunnel] = result["tunnels"]
    return tunnels


def cache_entry(tunnels: Sequence[Tunnel]) -> dict[str, str]:
    """Return the tunnels as they are cached: as one string, so that Ansible's cache interprets none of their keys."""
    return {"tunnels": json.dumps(tunnels)}


def cached_tunnels(cache: Any, key: str) -> list[Tunnel] | None:
    """Return the tunnels in the cache, or None if there are none, or the entry is not a list of tunnels."""
    try:
        tunnels = json.loads(cache[key]["tunnels"])
    except (KeyError, TypeError, ValueError):
        return None
    is_valid = isinstance(tunnels, list) and all(
        isinstance(tunnel, dict) and tunnel.keys() >= _REQUIRED_FIELDS for tunnel in tunnels
    )
    return tunnels if is_valid else None
