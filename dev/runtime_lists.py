# SPDX-License-Identifier: GPL-3.0-or-later
"""The action group in meta/runtime.yml. Ansible reads it from there, so it cannot be computed at run time."""

from __future__ import annotations

from collection_tree import CHECKOUT, MODULES

RUNTIME = CHECKOUT / "meta" / "runtime.yml"
_START = "# The list of modules below is generated: run `make format` after adding one.\n"
_GROUP = "action_groups:\n  all:\n"


def with_modules() -> str:
    """Return the file with all modules in the action group. The lines above it are kept."""
    head = RUNTIME.read_text(encoding="utf-8").partition(_START)[0]
    group = "".join(f"    - {module}\n" for module in MODULES)
    return head + _START + _GROUP + group
