# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists of modules in meta/runtime.yml. Ansible reads them from there, so they cannot be computed at run time."""

from __future__ import annotations

from collection_tree import CHECKOUT, MODULES

RUNTIME = CHECKOUT / "meta" / "runtime.yml"
_START = "# The lists of modules below are generated: run `make format` after adding one.\n"
_GROUP = "action_groups:\n  all:\n"
_ROUTING = """\
# All modules run inside the worker, by one action plugin. It has the name of a module, because the checks of
# documentation and arguments look for a module of that name.
plugin_routing:
  modules:
"""


def with_modules() -> str:
    """Return the file with all modules in its lists. The lines above the lists are kept."""
    head = RUNTIME.read_text(encoding="utf-8").partition(_START)[0]
    group = "".join(f"    - {module}\n" for module in MODULES)
    routing = "".join(f"    {module}:\n      action_plugin: edgeops.ingress.api\n" for module in MODULES)
    return head + _START + _GROUP + group + _ROUTING + routing
