# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare the wording of the collection with words.yml, by textlint.

Called with the folder in which textlint is installed, and optionally with the only files to read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from collection_tree import CHECKOUT, tracked_files
from prose import write_prose

CONFIGURATION = CHECKOUT / "dev" / "prose" / ".textlintrc.json"

# Patterns of git. The changelog keeps the wording of past releases; docs/torture.md reports injected errors.
PAGES = ("*.md", ":!CHANGELOG.md", ":!docs/torture.md", ":!tests")
SOURCES = (
    *("plugins/*.py", "roles/*.py", "dev/*.py", "tests/*.py", "noxfile.py", "Makefile"),
    *("playbooks/*.py", "playbooks/*.yml", "roles/*.yml", "docs/*.yml", "extensions/*.yml"),
    *("changelogs/fragments/*.yml", "galaxy.yml", "meta/*.yml"),
)


def lint(folder: Path, pages: list[str], sources: list[str]) -> int:
    """Print what words.yml has against the wording of these files, and return the exit code of textlint."""
    packages, strings = folder / "node_modules", folder / "texts"
    shutil.rmtree(strings, ignore_errors=True)
    for name in sources:
        write_prose(name, strings)
    copies = [str(strings / f"{name}.md") for name in sources]
    textlint = ("node", str(packages / "textlint" / "bin" / "textlint.js"), "--config", str(CONFIGURATION))
    options = ("--rules-base-directory", str(packages), "--format", "unix")
    done = subprocess.run([*textlint, *options, *pages, *copies], check=False, capture_output=True, text=True)
    # A line of a copy is the same line of its source.
    shown = re.sub(rf"^{re.escape(str(strings))}/(.*?)\.md:", r"\1:", done.stdout, flags=re.MULTILINE)
    print(shown.replace(f"{CHECKOUT}/", ""), done.stderr, sep="", end="")
    return done.returncode


def main() -> int:
    """Lint the files that are named in the arguments, or all of them."""
    os.chdir(CHECKOUT)
    folder, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    pages = [name for name in names if name.endswith(".md")] if names else tracked_files(*PAGES)
    sources = [name for name in names if not name.endswith(".md")] if names else tracked_files(*SOURCES)
    return lint(folder, pages, sources)


if __name__ == "__main__":
    sys.exit(main())
