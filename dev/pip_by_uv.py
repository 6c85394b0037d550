# SPDX-License-Identifier: GPL-3.0-or-later
"""The pip of the environments that ansible-test creates: it lets uv do what ansible-test wants.

ansible-test starts this in place of a script that it would download to install pip. This copies itself to
`pip/__main__.py` then, and is started from there for everything else. pip itself would need seconds for each of ten
environments.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

PACKAGE = Path(sysconfig.get_path("purelib")) / "pip"
SETTINGS = Path(os.path.expanduser("~")) / ".ansible" / "test" / "cache" / "uv.json"  # noqa: PTH111 - as ansible-test


def uv(command: str, *arguments: str) -> int:
    settings = json.loads(SETTINGS.read_text(encoding="utf-8"))
    whole = (settings["program"], "pip", command, "--quiet", "--python", sys.executable, *arguments)
    return subprocess.call(whole, env={**os.environ, **settings["variables"]})


def main(arguments: list[str]) -> int:
    names = [each for each in arguments if not each.startswith(("-", "pip==")) and each not in ("uninstall", "pip")]
    if Path(__file__).parent != PACKAGE:
        PACKAGE.mkdir()
        (PACKAGE / "__init__.py").touch()
        shutil.copyfile(__file__, PACKAGE / "__main__.py")
        return uv("install", *names) if names else 0
    if arguments[0] == "install":
        # Compiled later, some packages print warnings, which ansible-test takes for errors of its own test.
        options = [each for each in arguments[1:] if each != "--disable-pip-version-check"]
        return uv("install", "--compile-bytecode", *options)
    if arguments[0] == "uninstall" and "pip" in arguments:
        shutil.rmtree(PACKAGE)
    return uv("uninstall", *names) if arguments[0] == "uninstall" and names else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
