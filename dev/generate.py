# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the parts of files that are made from other files: RETURN of the modules, the table in docs/sameness.md,
the rules in docs/exposure_rules.md, the guides in docs/docsite, the action group in meta/runtime.yml, the action
plugins of the modules, the version for plugins, and the OpenAPI document of the reference service.

`make format` runs this, with the collection on PYTHONPATH.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from action_plugins import action_plugins
from collection_tree import CHECKOUT, SERVICE_SOURCES
from collection_version import CONSTANT, with_version
from docsite_guides import GUIDES, guides_page
from exposure_rules import PAGE as RULES
from exposure_rules import with_rules
from option_documentation import module_file
from return_documentation import MODULES, with_return
from runtime_lists import RUNTIME, with_modules
from sameness_table import PAGE, with_table

OPENAPI = CHECKOUT / "docs" / "reference_service" / "openapi.json"


def openapi() -> str:
    """Return the OpenAPI document, which the reference service writes itself: it knows nothing of the plugins."""
    # Tests name the Python that has what the service needs; `make format` runs with one that has it.
    python = os.environ.get("REFERENCE_SERVICE_PYTHON", sys.executable)
    command = [python, "-m", "reference_service", "openapi"]
    variables = {**os.environ, "PYTHONPATH": str(SERVICE_SOURCES)}
    return subprocess.run(command, env=variables, check=True, stdout=subprocess.PIPE, text=True).stdout


def generated() -> dict[Path, str]:
    """Return the files with generated parts, each with the text that it should have."""
    return {
        **{module_file(module): with_return(module) for module in MODULES},
        PAGE: with_table(),
        RULES: with_rules(),
        GUIDES: guides_page(),
        RUNTIME: with_modules(),
        CONSTANT: with_version(),
        **action_plugins(),
    }


if __name__ == "__main__":
    for file, text in generated().items():
        file.write_text(text, encoding="utf-8")
    OPENAPI.write_text(f"{openapi().strip()}\n", encoding="utf-8")
