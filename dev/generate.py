# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the parts of files that are made from other files: RETURN of the modules, and the table in docs/sameness.md.

`make format` runs this, with the collection on PYTHONPATH.
"""

from __future__ import annotations

from pathlib import Path

from option_documentation import module_file
from return_documentation import MODULES, with_return
from sameness_table import PAGE, with_table


def generated() -> dict[Path, str]:
    """Return the files with generated parts, each with the text that it should have."""
    return {**{module_file(module): with_return(module) for module in MODULES}, PAGE: with_table()}


if __name__ == "__main__":
    for file, text in generated().items():
        file.write_text(text, encoding="utf-8")
