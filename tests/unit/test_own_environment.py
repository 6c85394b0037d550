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
from package_settings import variables_of_pip, variables_of_uv

pytestmark = pytest.mark.every_python

NEEDED = {"PATH": "/usr/bin", "LD_LIBRARY_PATH": "/opt/lib", "USER": "shop", "NO_COLOR": "1"}
OF_PIP = {"PIP_INDEX_URL": "https://index.example.com/simple", "PIP_CERT": "/etc/ca.pem", "PYENV_ROOT": "/opt/pyenv"}
OTHERS = {
    **dict.fromkeys(("http_proxy", "HTTPS_PROXY", "all_proxy", "no_proxy"), "http://127.0.0.1:9"),
    "INGRESS_VERSION_HEADER": "X-Other",
    "INGRESS_TIMEOUT": "0",
    "INGRESS_BASE_URL": "nonsense",
    "ANSIBLE_FORCE_COLOR": "1",
    "ANSIBLE_CHECK_MODE_MARKERS": "1",
    "ANSIBLE_STDOUT_CALLBACK": "json",
    "PYTHONPATH": "/elsewhere",
    "PYTHONHOME": "/elsewhere",
    "PYTHONWARNINGS": "error",
    "FORCE_COLOR": "1",
    "LC_ALL": "C",
    "LANG": "de_DE",
    "LANGUAGE": "de",
    "COLUMNS": "20",
    "HOME": "/home/shop",
    "TMPDIR": "/elsewhere",
    "XDG_CONFIG_HOME": "/elsewhere",
    "GIT_DIR": "/elsewhere",
    "PYTEST_ADDOPTS": "--nonsense",
    "CI": "true",
}
# They are the user's: a service to work with, git's hooks, the way to Galaxy. The demo makes itself an environment.
WITH_THE_USERS_SETTINGS = {"service", "pre_commit", "publish", "demo"}


def test_only_what_is_needed_is_kept(tmp_path: Path) -> None:
    assert own_environment.own_environment({**NEEDED, **OF_PIP, **OTHERS}, tmp_path, also=["CI"]) == {
        **NEEDED,
        **OF_PIP,
        "CI": "true",
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path / "tmp"),
        "LC_ALL": own_environment.LOCALE,
        "ANSIBLE_CONFIG": str(tmp_path / "ansible.cfg"),
    }


def test_a_machine_that_says_nothing(tmp_path: Path) -> None:
    assert own_environment.own_environment({}, tmp_path)["PATH"] == os.defpath


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


@pytest.mark.parametrize(
    ("outer", "place"),
    [
        ("/var/tmp", "/var/tmp"),
        (f"/var/{'x' * 60}", "/tmp"),
        ("/var/tmp/$HOME", "/tmp"),
        ("/var/tmp/a b", "/tmp"),
    ],
)
def test_the_home_directory_is_created_in_a_place_where_ansible_can_work(outer: str, place: str) -> None:
    assert own_environment.place_of_home(outer) == str(Path(place).resolve())


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


INDEX, CERT = "https://index.example.com/simple", "/etc/ca.pem"


@pytest.mark.parametrize(
    ("listing", "pip", "uv"),
    [
        ("", {}, {}),
        (f"global.index-url={INDEX!r}", {"PIP_INDEX_URL": INDEX}, {"UV_DEFAULT_INDEX": INDEX}),
        (
            "global.extra-index-url='file:///a\\nfile:///b'",
            {"PIP_EXTRA_INDEX_URL": "file:///a\nfile:///b"},
            {"UV_INDEX": "file:///a file:///b"},
        ),
        (
            ":env:.find-links='/c /d'\nglobal.find-links='/a /b'",
            {"PIP_FIND_LINKS": "/c /d"},
            {"UV_FIND_LINKS": "/c,/d"},
        ),
        ("install.cert='/etc/ca.pem'\nglobal.cert='/other'", {"PIP_CERT": CERT}, {"SSL_CERT_FILE": CERT}),
        ("install.require-virtualenv='true'\nlist.format='json'", {}, {}),
    ],
)
def test_uv_and_pip_find_packages_as_pip_is_set(listing: str, pip: dict[str, str], uv: dict[str, str]) -> None:
    always = {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_SYSTEM_CERTS": "true"}
    assert variables_of_pip(listing) == pip
    assert variables_of_uv(listing) == {**always, **uv}
