# SPDX-License-Identifier: GPL-3.0-or-later
"""What ansible-test runs, in place of the get-pip script that it would download, to put pip into a new environment.

Runs the pip of the wheel next to it, or, if uv is used, copies the small pip next to it that starts uv. Called as
`get_pip.py [options] pip==X …`, where some of the options are the download's own, for packages that pip does not add by
itself.
"""

from __future__ import annotations

import runpy
import shutil
import sys
import sysconfig
from pathlib import Path

HERE = Path(__file__).parent
BY_UV = HERE / "pip_by_uv.py"

arguments = [argument for argument in sys.argv[1:] if argument not in ("--no-setuptools", "--no-wheel")]

if BY_UV.exists():
    package = Path(sysconfig.get_path("purelib")) / "pip"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copyfile(BY_UV, package / "__main__.py")
    arguments = [argument for argument in arguments if not argument.startswith("pip==")]
    if any(not argument.startswith("-") for argument in arguments):
        sys.argv = ["pip", "install", *arguments]
        runpy.run_path(str(BY_UV), run_name="__main__")
else:
    sys.path.insert(0, str(next(HERE.glob("pip-*.whl"))))
    sys.argv = ["pip", "install", *arguments]
    runpy.run_module("pip", run_name="__main__", alter_sys=True)
