# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the parts of files that are made from other files: the table in docs/sameness.md, the fields in
docs/api_reference.md, the rules in docs/exposure.md, the guides in docs/docsite, the action group in meta/runtime.yml,
the action plugins of the modules, the schema of declarations, and the version for plugins.

`make format` runs this, with the collection on PYTHONPATH.
"""

from __future__ import annotations

from pathlib import Path

from action_plugins import action_plugins
from api_tables import PAGE as API_REFERENCE
from api_tables import with_fields
from collection_version import CONSTANT, with_version
from docsite_guides import GUIDES, guides_page
from estate_schema import FILE as SCHEMA
from estate_schema import estate_schema
from exposure_rules import PAGE as RULES
from exposure_rules import with_rules
from runtime_lists import RUNTIME, with_modules
from sameness_table import PAGE, with_table


def generated() -> dict[Path, str]:
    """Return the files with generated parts, each with the text that it should have."""
    return {
        PAGE: with_table(),
        API_REFERENCE: with_fields(),
        RULES: with_rules(),
        GUIDES: guides_page(),
        SCHEMA: estate_schema(),
        RUNTIME: with_modules(),
        CONSTANT: with_version(),
        **action_plugins(),
    }


if __name__ == "__main__":
    for file, text in generated().items():
        file.write_text(text, encoding="utf-8")
