# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing of the user's settings gets into the demo and the checks, but where packages come from."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import own_environment
from collection_tree import CHECKOUT
from package_settings import package_settings

pytestmark = pytest.mark.every_core

NEEDED = {"PATH": "/usr/bin", "LD_LIBRARY_PATH": "/opt/lib", "USER": "shop", "NO_COLOR": "1"}
OF_PIP = {"PIP_INDEX_URL": "https://index.example.com/simple", "PIP_CERT": "/etc/ca.pem", "PYENV_ROOT": "/opt/pyenv"}
OTHERS = dict.fromkeys(
    [
        *("http_proxy", "INGRESS_TIMEOUT", "ANSIBLE_STDOUT_CALLBACK", "PYTHONPATH", "FORCE_COLOR", "LC_ALL", "LANG"),
        *("COLUMNS", "HOME", "TMPDIR", "XDG_CONFIG_HOME", "GIT_DIR", "PYTEST_ADDOPTS", "CI"),
    ],
    "/elsewhere",
)
# They are the user's: a service to work with, git's hooks, the way to Galaxy. The demo makes itself an environment.
WITH_THE_USERS_SETTINGS = {"service", "pre_commit", "publish", "demo"}


def test_only_what_is_needed_is_kept(tmp_path: Path) -> None:
    assert own_environment.own_environment({**NEEDED, **OF_PIP, **OTHERS}, tmp_path, also=["CI"]) == {
        **NEEDED,
        **OF_PIP,
        "CI": "/elsewhere",
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "tmp"),
        "LC_ALL": own_environment.LOCALE,
        "ANSIBLE_CONFIG": str(tmp_path / "ansible.cfg"),
    }


def entered(**variables: str) -> dict[str, str]:
    """The variables of a process that has entered an environment of its own, started with these."""
    code = "import json, os, own_environment; own_environment.enter(); print(json.dumps(dict(os.environ)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=CHECKOUT / "playbooks", env=variables, check=True, capture_output=True
    )
    return dict(json.loads(done.stdout))


@pytest.fixture
def temporary() -> Iterator[Path]:
    # Not below the directory for temporary files of this run: `make mutate` gives the tests a path that is too long.
    with tempfile.TemporaryDirectory(prefix="t", dir=own_environment.USUAL_PLACE) as folder:
        yield Path(folder).resolve()


def test_a_home_is_made_and_gone_again(temporary: Path) -> None:
    path = os.environ["PATH"]
    own = entered(PATH=path, TMPDIR=str(temporary), HOME="/proc/nowhere", INGRESS_TIMEOUT="0")
    home = Path(own["HOME"])
    assert home.parent == temporary
    assert own == own_environment.own_environment({"PATH": path}, home)
    assert list(temporary.iterdir()) == []

    (home / "tmp").mkdir(parents=True)
    assert entered(**own, ANSIBLE_FORCE_COLOR="1") == own, "what is inside already does not get another home"
    assert home.exists()


PLACES = {"/var/tmp": "/var/tmp", **dict.fromkeys([f"/var/{'x' * 60}", "/var/tmp/$HOME", "/var/tmp/a b"], "/tmp")}


def test_the_home_directory_is_created_in_a_place_where_ansible_can_work() -> None:
    assert {outer: own_environment.place_of_home(outer) for outer in PLACES} == {
        outer: str(Path(place).resolve()) for outer, place in PLACES.items()
    }


def test_tests_see_no_other_environment_variables() -> None:
    kept = own_environment.KEPT | {"HOME", "TMPDIR", "LC_ALL", "ANSIBLE_CONFIG", "ANSIBLE_COLLECTIONS_PATH"}
    import own_tests  # noqa: PLC0415 - it has been imported already, by conftest.py

    prefixes = (*own_environment.KEPT_PREFIXES, *own_tests.VARIABLES_OF_TOOLS)
    others = set(os.environ) - kept - set(own_tests.SWITCHES)
    assert {name for name in others if not name.startswith(prefixes)} == set()


def test_every_check_shuts_settings_out() -> None:
    tree = ast.parse((CHECKOUT / "noxfile.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    sessions = [node for node in functions if any("nox.session" in ast.unparse(each) for each in node.decorator_list)]
    with_settings = {node.name for node in sessions if "own=False" in ast.unparse(node)}
    assert with_settings == WITH_THE_USERS_SETTINGS
    assert [
        node.name for node in sessions if not re.search(r"\b(install|shut_out_settings)\(", ast.unparse(node))
    ] == []


INDEX = "https://index.example.com/simple"
# What pip lists of its settings, and the variables of pip and of uv that say the same.
SETTINGS: list[tuple[str, dict[str, str], dict[str, str]]] = [
    (
        "global.extra-index-url='file:///a\\nfile:///b'",
        {"EXTRA_INDEX_URL": "file:///a\nfile:///b"},
        {"INDEX": "file:///a file:///b"},
    ),
    (":env:.find-links='/c /d'\nglobal.find-links='/a /b'", {"FIND_LINKS": "/c /d"}, {"FIND_LINKS": "/c,/d"}),
    ("install.constraint='/c.txt'\nglobal.constraint='/other'", {"CONSTRAINT": "/c.txt"}, {"CONSTRAINT": "/c.txt"}),
]


@pytest.mark.parametrize(("listing", "pip", "uv"), SETTINGS)
def test_uv_and_pip_find_packages_as_pip_is_set(listing: str, pip: dict[str, str], uv: dict[str, str]) -> None:
    always = {"INDEX_STRATEGY": "unsafe-best-match", "SYSTEM_CERTS": "true"}
    assert package_settings(listing) == {
        **{f"PIP_{name}": value for name, value in pip.items()},
        **{f"UV_{name}": value for name, value in {**always, **uv}.items()},
    }
