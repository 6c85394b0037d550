# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the lists of modules in meta/runtime.yml, which Ansible reads nowhere else. `make format` runs this."""

from __future__ import annotations

from collections.abc import Iterable

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


def text(modules: Iterable[str]) -> str:
    """Return the file with these modules in its lists. What stands above the lists is kept."""
    modules = list(modules)
    head = RUNTIME.read_text(encoding="utf-8").partition(_START)[0]
    group = "".join(f"    - {module}\n" for module in modules)
    routing = "".join(f"    {module}:\n      action_plugin: edgeops.ingress.api\n" for module in modules)
    return head + _START + _GROUP + group + _ROUTING + routing


if __name__ == "__main__":
    RUNTIME.write_text(text(MODULES), encoding="utf-8")
