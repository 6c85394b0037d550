# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the parts of files that are made from other files: the table in docs/sameness.md, the fields in
docs/api_reference.md, the rules in docs/exposure.md, the action group in meta/runtime.yml, the action plugins of
the modules, the schema of declarations, and the version for plugins.

`make format` runs this, with the collection on PYTHONPATH.
"""

from __future__ import annotations

from pathlib import Path

import yaml

from action_plugins import action_plugins
from api_tables import PAGE as API_REFERENCE
from api_tables import with_fields
from collection_tree import CHECKOUT, MODULES
from estate_schema import FILE as SCHEMA
from estate_schema import estate_schema
from exposure_rules import PAGE as RULES
from exposure_rules import with_rules
from sameness_table import PAGE, with_table

# Plugins must not read files at the root of the collection, and Ansible reads the action group from a file.
VERSION = CHECKOUT / "plugins" / "plugin_utils" / "_report" / "version.py"
RUNTIME = CHECKOUT / "meta" / "runtime.yml"


def generated() -> dict[Path, str]:
    """Return the files with generated parts, each with the text that it should have."""
    version = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text(encoding="utf-8"))["version"]
    return {
        PAGE: with_table(),
        API_REFERENCE: with_fields(),
        RULES: with_rules(),
        SCHEMA: estate_schema(),
        RUNTIME: _ending(RUNTIME, "action_groups:\n  all:\n", "".join(f"    - {module}\n" for module in MODULES)),
        VERSION: _ending(VERSION, "VERSION = ", f'"{version}"\n'),
        **action_plugins(),
    }


def _ending(file: Path, start: str, rest: str) -> str:
    """Return the text of a file with something else after the start of its generated part."""
    return file.read_text(encoding="utf-8").partition(start)[0] + start + rest


if __name__ == "__main__":
    for file, text in generated().items():
        file.write_text(text, encoding="utf-8")
