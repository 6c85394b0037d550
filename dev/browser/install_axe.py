# SPDX-License-Identifier: GPL-3.0-or-later
"""Install axe-core, in the version of package-lock.json, into the folder that is the argument."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from npm_packages import install_packages

if __name__ == "__main__":
    install_packages(Path(__file__).resolve().parent, Path(sys.argv[1]).resolve())
