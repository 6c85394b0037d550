# SPDX-License-Identifier: GPL-3.0-or-later
"""What ansible-test runs, in place of the get-pip script that it would download, to put pip into a new environment.

Runs the pip of the wheel next to it. Called as `get_pip.py [options] pip==X …`, where some of the options
are the download's own, for packages that pip does not add by itself.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

wheel = next(Path(__file__).parent.glob("pip-*.whl"))
arguments = [argument for argument in sys.argv[1:] if argument not in ("--no-setuptools", "--no-wheel")]

sys.path.insert(0, str(wheel))
sys.argv = ["pip", "install", *arguments]
runpy.run_module("pip", run_name="__main__", alter_sys=True)
