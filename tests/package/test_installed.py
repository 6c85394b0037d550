# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed collection: it is as it was built, its plugins are found, and its demo runs from where it is."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from installed_collection import Installed

from collection_tree import CHECKOUT
from processes import command_lines

COLLECTION = "edgeops.ingress"
PLUGINS = CHECKOUT / "plugins"
# ansible-doc has a list for each of these; the other kinds are none that a user names.
LISTED = {"modules": "module", "lookup": "lookup", "inventory": "inventory"}
VERIFY = ("ansible-galaxy", "collection", "verify", "--offline", COLLECTION)


def test_a_changed_file_is_noticed(installed: Installed, tmp_path: Path) -> None:
    copy = Installed(tmp_path)
    shutil.copytree(installed.root, copy.root)
    assert copy.run(*VERIFY).returncode == 0

    module = copy.root / "plugins" / "modules" / "https_edge.py"
    module.write_text(module.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    changed = copy.run(*VERIFY)

    assert changed.returncode == 1
    assert re.findall(r"^ +(.*)$", changed.stdout, re.MULTILINE) == ["plugins/modules/https_edge.py"]


@pytest.mark.parametrize(("folder", "kind"), LISTED.items())
def test_its_plugins_are_listed(folder: str, kind: str, installed: Installed) -> None:
    names = sorted(f"{COLLECTION}.{path.stem}" for path in (PLUGINS / folder).glob("*.py") if path.stem != "__init__")
    listed = installed.run("ansible-doc", "--list", "--type", kind, COLLECTION)
    assert listed.returncode == 0, listed.stdout
    assert "UNDOCUMENTED" not in listed.stdout, listed.stdout
    assert sorted(re.findall(rf"^({COLLECTION}\.\S+) +\S", listed.stdout, re.MULTILINE)) == names


def test_the_demo_runs_from_it_and_leaves_nothing(installed: Installed, tmp_path: Path) -> None:
    demo = installed.run(
        "python", str(installed.root / "playbooks" / "run_demo.py"), TMPDIR=str(tmp_path), PYTHONDONTWRITEBYTECODE=""
    )
    assert demo.returncode == 0, demo.stdout
    assert re.findall(r"changed=(\d+) .* failed=(\d+)", demo.stdout) == [("6", "0"), ("6", "0"), ("0", "0"), ("1", "0")]

    # Its service has its files below that folder, and their paths on its command line.
    commands = "\n".join(command_lines())
    assert sys.executable in commands  # so that the next line can fail
    assert str(tmp_path) not in commands
    assert list(tmp_path.iterdir()) == []
    verified = installed.run(*VERIFY)
    assert verified.returncode == 0, verified.stdout
