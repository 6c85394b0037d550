# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the parts of files that are made from other files: tables in pages, the action group in meta/runtime.yml, the
action plugins of the modules, the schema of declarations, and the version for plugins.

`make format` runs this, with the collection on PYTHONPATH.
"""

from __future__ import annotations

import re
from pathlib import Path

import generated_pages
from collection_tree import CHECKOUT, MODULES
from estate_schema import FILE as SCHEMA
from estate_schema import estate_schema

_ACTION = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the module of the same name in-process. Generated: run `make format` after adding a module."""

from __future__ import annotations

import ansible_collections.edgeops.ingress.plugins.plugin_utils._bytecode  # noqa: F401 # pylint: disable=unused-import
{definition}
from ansible_collections.edgeops.ingress.plugins.plugin_utils._in_process import action_of

ActionModule = action_of(DEFINITION)
main = ActionModule.main
'''
_DEFINITION = re.compile(r"^from \S+\._resources\.\w+ import (?:\w+ as )?DEFINITION$", re.MULTILINE)


def generated() -> dict[Path, str]:
    """Return the files with generated parts, each with the text that it should have."""
    docs, plugins = CHECKOUT / "docs", CHECKOUT / "plugins"
    [version] = re.findall(r"^version: (.*)$", _text(CHECKOUT / "galaxy.yml"), re.MULTILINE)
    # Plugins must not read files at the root of the collection, and Ansible reads the action group from a file.
    version_file, runtime = (
        plugins / "plugin_utils" / "_report_formats" / "version.py",
        CHECKOUT / "meta" / "runtime.yml",
    )
    pages = (generated_pages.api_reference, generated_pages.sameness, generated_pages.exposure)
    files = {
        **{docs / f"{page.__name__}.md": page(_text(docs / f"{page.__name__}.md")) for page in pages},
        SCHEMA: estate_schema(),
        runtime: _ending(runtime, "action_groups:\n  all:\n", "".join(f"    - {module}\n" for module in MODULES)),
        version_file: _ending(version_file, "VERSION = ", f'"{version}"\n'),
    }
    for module in MODULES:
        [definition] = _DEFINITION.findall(_text(plugins / "modules" / f"{module}.py"))
        files[plugins / "action" / f"{module}.py"] = _ACTION.format(definition=definition)
    return files


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _ending(file: Path, start: str, rest: str) -> str:
    """Return the text of a file with something else after the start of its generated part."""
    return _text(file).partition(start)[0] + start + rest


if __name__ == "__main__":
    for file, text in generated().items():
        file.write_text(text, encoding="utf-8")
