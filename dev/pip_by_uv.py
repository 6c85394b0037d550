# SPDX-License-Identifier: GPL-3.0-or-later
"""The pip of the environments that ansible-test creates: it lets uv install, and leaves the rest to the real pip.

get_pip.py copies this to `pip/__main__.py`. ansible-test creates ten environments, and pip needs seconds for each.
"""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path


def main() -> None:
    cache = Path(os.path.expanduser("~")) / ".ansible" / "test" / "cache"  # noqa: PTH111 - as ansible-test finds it
    uv = json.loads((cache / "uv.json").read_text(encoding="utf-8"))
    arguments = [argument for argument in sys.argv[1:] if argument != "--disable-pip-version-check"]
    if arguments[:1] == ["install"]:
        # Compiled later, some packages print warnings, which ansible-test takes for errors of its own test.
        command = [uv["program"], "pip", "install", "--quiet", "--compile-bytecode", "--python", sys.executable]
        if subprocess.call([*command, *arguments[1:]], env={**os.environ, **uv["variables"]}) == 0:
            return
    if arguments[:1] == ["uninstall"]:  # ansible-test removes pip again
        names = {argument for argument in arguments[1:] if not argument.startswith("-")}
        if others := sorted(names - {"pip"}):
            command = [uv["program"], "pip", "uninstall", "--quiet", "--python", sys.executable, *others]
            subprocess.check_call(command, env={**os.environ, **uv["variables"]})
        if "pip" in names:
            shutil.rmtree(Path(__file__).parent)
        return
    for name in [name for name in sys.modules if name == "pip" or name.startswith("pip.")]:
        del sys.modules[name]
    sys.path.insert(0, str(next(cache.glob("pip-*.whl"))))
    runpy.run_module("pip", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
