# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of docs/exposure.md that lists the rules of `exposure_info`, made from their definitions."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import RULES
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules_of_public_access import PUBLIC_BY_NATURE
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules_of_tunnels_and_events import SERVICES
from collection_tree import CHECKOUT

PAGE = CHECKOUT / "docs" / "exposure.md"

HEAD = "\n## Rules\n"
_WIDTH = 120


def with_rules() -> str:
    """Return the page with its generated part as it should be."""
    return PAGE.read_text(encoding="utf-8").partition(HEAD)[0] + HEAD + "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "\n| Rule | Severity | What it finds |\n|---|---|---|"
    yield from (f"| `{rule.name}` | {rule.severity} | {rule.meaning} |" for rule in RULES)
    yield ""
    yield _wrapped(
        "A public route is not a finding of `hole_below_protected_prefix` if its path is `/`, or if the first or the "
        "last segment of its path below the prefix is one of these: "
        f"{', '.join(f'`{segment}`' for segment in sorted(PUBLIC_BY_NATURE))}."
    )
    yield ""
    ports = ", ".join(f"{port} ({name})" for port, name in sorted(SERVICES.items()))
    yield _wrapped(f"`service_port_in_the_open` knows these ports: {ports}.")


def _wrapped(text: str) -> str:
    return fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
