# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of docs/exposure_rules.md that describes the rules of `exposure_info`, made from their definitions."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import RULES
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules_of_public_access import PUBLIC_BY_NATURE
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules_of_tunnels_and_events import (
    SECURITY_EVENTS,
    SERVICES,
)
from collection_tree import CHECKOUT

PAGE = CHECKOUT / "docs" / "exposure_rules.md"

HEAD = "\n## Overview\n"
_WIDTH = 120


def with_rules() -> str:
    """Return the page with its generated part as it should be."""
    return PAGE.read_text(encoding="utf-8").partition(HEAD)[0] + HEAD + "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "\n| Rule | Severity |\n|---|---|"
    yield from (f"| [`{rule.name}`](#{rule.name}) | {rule.severity} |" for rule in RULES)
    for rule in RULES:
        yield f"\n## {rule.name}\n\nSeverity: {rule.severity}\n\n{_wrapped(rule.meaning)}\n"
        yield _wrapped(f"- Why it matters: {rule.why}")
        yield _wrapped(f"- How to fix it: {rule.fix}")
    yield "\n## Lists\n"
    yield _wrapped(
        "Some paths are usually public on purpose. A public route below a protected prefix is not a finding if the "
        "first or the last segment of its path below the prefix is one of these: "
        f"{_names(PUBLIC_BY_NATURE)}. Neither is the exact path `/`.\n"
    )
    yield ""
    yield "These ports belong to services that tunnels should not offer to everyone:\n"
    yield "| Service | Ports |\n|---|---|"
    for service in sorted(set(SERVICES.values()), key=lambda name: name.removeprefix("the ").lower()):
        yield f"| {service} | {', '.join(str(port) for port, name in SERVICES.items() if name == service)} |"
    yield ""
    yield _wrapped(f"These event types report changes to who may do what: {_names(SECURITY_EVENTS)}.")


def _wrapped(text: str) -> str:
    inside = "  " if text.startswith("- ") else ""
    return fill(text, _WIDTH, subsequent_indent=inside, break_long_words=False, break_on_hyphens=False)


def _names(names: frozenset[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))
