# SPDX-License-Identifier: GPL-3.0-or-later
"""What the demo and the checks run in: an environment of their own, packages from where pip takes them, a Python for
the reference service, the files that belong to the collection, and an end that takes along what was started.
"""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil
import pytest

import collection_tree
import own_environment
from collection_tree import CHECKOUT
from package_settings import package_settings
from reference_service.background import BackgroundFailure, start
from reference_service.remote_control import PYTHON_VARIABLE

NEEDED = {"PATH": "/usr/bin", "LD_LIBRARY_PATH": "/opt/lib", "USER": "shop", "NO_COLOR": "1"}
OF_PIP = {"PIP_INDEX_URL": "https://index.example.com/simple", "PIP_CERT": "/etc/ca.pem", "PYENV_ROOT": "/opt/pyenv"}
OTHERS = """
http_proxy INGRESS_TIMEOUT ANSIBLE_STDOUT_CALLBACK PYTHONPATH FORCE_COLOR LC_ALL LANG COLUMNS HOME TMPDIR
XDG_CONFIG_HOME GIT_DIR PYTEST_ADDOPTS CI
"""
# They are the user's: a service to work with, the way to Galaxy. The demo makes itself an environment.
WITH_THE_USERS_SETTINGS = {"service", "publish", "demo"}


def test_only_what_is_needed_is_kept(tmp_path: Path) -> None:
    others = dict.fromkeys(OTHERS.split(), "/elsewhere")
    assert own_environment.own_environment({**NEEDED, **OF_PIP, **others}, tmp_path, also=["CI"]) == {
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


@pytest.mark.every_core
def test_a_home_is_made_and_gone_again() -> None:
    path = os.environ["PATH"]
    # Not below the directory for temporary files of this run: `make mutate` gives the tests a path that is too long.
    with tempfile.TemporaryDirectory(prefix="t", dir=own_environment.USUAL_PLACE) as temporary:
        own = entered(PATH=path, TMPDIR=temporary, HOME="/proc/nowhere", INGRESS_TIMEOUT="0")
        home = Path(own["HOME"])
        assert home.parent == Path(temporary).resolve()
        assert own == own_environment.own_environment({"PATH": path}, home)
        assert list(Path(temporary).iterdir()) == []

        (home / "tmp").mkdir(parents=True)
        assert entered(**own, ANSIBLE_FORCE_COLOR="1") == own, "what is inside already does not get another home"
        assert home.exists()


PLACES = {"/var/tmp": "/var/tmp", **dict.fromkeys([f"/var/{'x' * 60}", "/var/tmp/$HOME", "/var/tmp/a b"], "/tmp")}


def test_the_home_directory_is_created_in_a_place_where_ansible_can_work() -> None:
    assert {outer: own_environment.place_of_home(outer) for outer in PLACES} == {
        outer: str(Path(place).resolve()) for outer, place in PLACES.items()
    }


@pytest.mark.every_core
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
    shutting = re.compile(r"\b(install|shut_out_settings)\(")
    assert [node.name for node in sessions if not shutting.search(ast.unparse(node))] == []


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


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    clone = tmp_path / "Käse $HOME"
    (clone / "docs").mkdir(parents=True)
    for folder in (tmp_path, clone):
        subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    for name in (".gitignore", "docs/page.md", "docs/made.html", "README.md"):
        (clone / name).write_text("*.html\n", encoding="utf-8")
    monkeypatch.setattr(collection_tree, "CHECKOUT", clone)
    return clone


def test_ignored_files_do_not_belong_to_it(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", str(clone.parent / ".git"))  # as in a hook of another clone
    assert sorted(collection_tree.tracked_files()) == [".gitignore", "README.md", "docs/page.md"]
    assert sorted(collection_tree.tracked_files("*.md")) == ["README.md", "docs/page.md"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_clone_of_somebody_else(clone: Path) -> None:
    for path in (clone, clone / ".git"):
        os.chown(path, 12345, 12345)
    assert "README.md" in collection_tree.tracked_files()


PARENT = """
import signal, subprocess, sys, time
import termination
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs this test may ignore it, as nohup does
termination.GRACE_SECONDS = 1
termination.stop_all_on_termination(last=lambda: open(sys.argv[1], "w").close())
for code in sys.argv[2:]:
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
print("started", flush=True)
time.sleep(60)
"""
SLEEPS = "import time; time.sleep(60)"
DOES_NOT_LISTEN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); {SLEEPS}"
STARTS_ANOTHER = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SLEEPS!r}])"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left(tmp_path: Path, number: signal.Signals) -> None:
    last = tmp_path / "last"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(last), DOES_NOT_LISTEN, STARTS_ANOTHER],
        cwd=CHECKOUT / "dev",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert parent.stdout is not None
    with parent:
        assert {parent.stdout.readline() for _line in range(2)} == {b"started\n", b"deaf\n"}
        started: list[psutil.Process] = []
        while len(started) < 3:
            started = psutil.Process(parent.pid).children(recursive=True)
        parent.send_signal(number)
        assert parent.wait(30) == 128 + number
    _gone, alive = psutil.wait_procs(started, 10)
    assert alive == []
    assert last.exists()


CONFTEST = """
def pytest_runtest_makereport(item):
    if item.name == "test_crashes":
        raise SystemError("nothing is reported")
"""
TESTS = "def test_passes(): pass\ndef test_crashes(): pass\n"


def test_a_lost_worker_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    (tmp_path / "test_two.py").write_text(TESTS, encoding="utf-8")
    command = (sys.executable, "-m", "pytest", "-n", "2", "-p", "worker_crashes", "-p", "no:hypothesispytest")
    helpers = {**os.environ, "PYTHONPATH": str(CHECKOUT / "tests" / "support")}
    done = subprocess.run(command, cwd=tmp_path, env=helpers, capture_output=True, text=True, timeout=120, check=False)
    assert "nothing is reported" in done.stdout
    assert done.returncode == pytest.ExitCode.INTERNAL_ERROR, done.stdout


@pytest.mark.parametrize("folder", ["", "service", "lint"])
def test_all_runs_with_workers_detect_crashes(folder: str) -> None:
    conftest = (CHECKOUT / "tests" / folder / "conftest.py").read_text(encoding="utf-8")
    assert re.search(r"^from worker_crashes import pytest_internalerror, pytest_sessionfinish", conftest, re.MULTILINE)


def test_a_file_that_is_not_a_program_does_not_start(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_bytes(b"\x00")
    program.chmod(0o700)
    with pytest.raises(BackgroundFailure, match=r"cannot be run: Exec format error$"):
        start(["-V"], tmp_path / "ready.json", tmp_path / "log", str(program), detached=False)


def run_of_demo(*command: object, **variables: str) -> subprocess.CompletedProcess[str]:
    whole = (sys.executable, *command)
    settings: dict[str, Any] = {"env": {**os.environ, **variables}, "capture_output": True, "text": True, "timeout": 60}
    return subprocess.run(whole, cwd=CHECKOUT / "playbooks", check=False, **settings)


def test_the_demo_says_what_is_wrong_with_the_chosen_python() -> None:
    done = run_of_demo("run_demo.py", **{PYTHON_VARIABLE: "/nope"})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"{PYTHON_VARIABLE}: /nope cannot be run; name a Python")


def test_the_demo_says_why_there_is_no_page(tmp_path: Path) -> None:
    written = tmp_path / "written.html"
    (tmp_path / "build" / "ingress_demo.html").mkdir(parents=True)
    (tmp_path / "noxfile.py").touch()
    script = f"import pathlib, run_demo; run_demo.COLLECTION = pathlib.Path({str(tmp_path)!r}); "
    script += f"print(run_demo.kept_page(pathlib.Path({str(written)!r})))"
    assert "because the demo did not reach its end" in run_of_demo("-c", script).stdout
    written.write_text("page")
    assert "cannot be kept in" in run_of_demo("-c", script).stdout
