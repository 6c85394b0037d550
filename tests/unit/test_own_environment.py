# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing of the user's settings gets into the demo and the checks, but where packages come from."""

from __future__ import annotations

import ast
import configparser
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import own_environment
from ansible_test_home import write_pip_settings
from collection_tree import CHECKOUT
from package_settings import settings_for_uv

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
WITH_THE_USERS_SETTINGS = {"serve", "pre_commit", "publish", "demo", "cores"}


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
    assert {node.name for node in sessions} >= WITH_THE_USERS_SETTINGS
    for node in sessions:
        calls = [ast.unparse(call) for call in ast.walk(node) if isinstance(call, ast.Call)]
        shuts_out = any(
            call.startswith("shut_out_settings(") or (call.startswith("install(") and "own=False" not in call)
            for call in calls
        )
        assert shuts_out is (node.name not in WITH_THE_USERS_SETTINGS), node.name


LISTING = "global.index-url='https://index.example.com/simple'\n:env:.find-links='/opt/wheels'\n"


@pytest.mark.parametrize(
    ("variables", "listing", "expected"),
    [
        ({}, LISTING, {}),
        ({"https_proxy": "http://p.example.com:3128"}, LISTING, {"proxy": "http://p.example.com:3128"}),
        ({"ALL_PROXY": "http://p.example.com:3128"}, LISTING, {"proxy": "http://p.example.com:3128"}),
        ({"http_proxy": "http://p.example.com:3128"}, LISTING, {}),
        ({"https_proxy": "http://p.example.com:3128", "no_proxy": "index.example.com"}, LISTING, {}),
        ({"https_proxy": "http://p.example.com:3128"}, f"{LISTING}:env:.proxy='http://own'", {"proxy": "http://own"}),
        ({"REQUESTS_CA_BUNDLE": "/etc/ca.pem"}, LISTING, {"cert": "/etc/ca.pem"}),
        ({"REQUESTS_CA_BUNDLE": "/etc/ca.pem"}, f"{LISTING}global.cert='/etc/own.pem'", {"cert": "/etc/own.pem"}),
    ],
)
def test_pip_finds_its_way_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], listing: str, expected: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    write_pip_settings(tmp_path, listing)
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(tmp_path / ".pip" / "pip.conf")
    given = {"index-url": "https://index.example.com/simple", "find-links": "/opt/wheels"}
    assert dict(settings["global"]) == {**given, **expected}


@pytest.mark.parametrize(
    ("listing", "given", "expected"),
    [
        ("", {}, {}),
        (
            "global.index-url='https://index.example.com/simple'\nglobal.extra-index-url='file:///a file:///b'",
            {},
            {"UV_DEFAULT_INDEX": "https://index.example.com/simple", "UV_INDEX": "file:///a file:///b"},
        ),
        ("global.find-links='/a /b'\n:env:.find-links='/c /d'", {}, {"UV_FIND_LINKS": "/c,/d"}),
        ("global.no-index='true'\ninstall.find-links='/a'", {}, {"UV_NO_INDEX": "true", "UV_FIND_LINKS": "/a"}),
        (":env:.index-url='https://index.example.com'", {"UV_DEFAULT_INDEX": "https://own"}, {}),
        ("global.cert='/etc/own.pem'", {"SSL_CERT_FILE": "/etc/ca.pem"}, {"SSL_CERT_FILE": "/etc/own.pem"}),
        ("global.proxy='http://p.example.com:3128'", {}, {"ALL_PROXY": "http://p.example.com:3128"}),
        (
            ":env:.default-timeout='180'\nglobal.trusted-host='a\\nb'",
            {},
            {"UV_HTTP_TIMEOUT": "180", "UV_INSECURE_HOST": "a b"},
        ),
        ("install.require-virtualenv='true'\nlist.format='json'", {}, {}),
    ],
)
def test_uv_finds_packages_as_pip_does(listing: str, given: dict[str, str], expected: dict[str, str]) -> None:
    always = {"UV_INDEX_STRATEGY": "unsafe-best-match", "UV_SYSTEM_CERTS": "true"}
    assert settings_for_uv(listing, given) == {**always, **expected}
