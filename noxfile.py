# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks of the collection. `make help` shows the usual ways in; `nox --list` shows each check."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import nox

sys.path.insert(0, str(Path(__file__).parent / "dev"))
sys.path.insert(0, str(Path(__file__).parent / "playbooks"))

from collection_tree import CHECKOUT, SERVICE_SOURCES, copy_checkout, link_checkout
from java_home import java_home
from package_settings import listing_of_pip, package_settings
from sanity_tests import run_sanity_tests
from session_environment import (
    ASKED_FOR,
    MAIN,
    NEWEST_PYTHON,
    PYPROJECT,
    SERVICE_ENVIRONMENT,
    SERVICE_PYTHON,
    SESSIONS,
    WHOLE,
    install,
    interpreter,
    shut_out_settings,
)
from supported_cores import PYTHONS_OF_MODULES, Core, markers
from termination import GRACE_SECONDS

# As a list, so that the environment's name contains the version: nox would reuse one made by another Python.
NEWEST = [NEWEST_PYTHON]
NEWEST_CORE = MAIN.group
ARCHIVES = CHECKOUT / "dist"
# Without the tests that only the session's own target has time for. Each target but `make test` runs them.
# A test that hangs fails, and its name is known.
HANGING = ("-o", "faulthandler_timeout=300", "-o", "faulthandler_exit_on_timeout=true")
QUICK = () if WHOLE else ("-m", "not long(cores=0)", *HANGING)

nox.options.reuse_venv = "yes"
nox.options.default_venv_backend = "uv"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = bool(ASKED_FOR)
nox.options.allow_parallel = True
# The longest ones first, so that all processors have something to do until the end. `make test` leaves out what
# runs the roles and the event source once more, in tools of others.
nox.options.sessions = [
    *("tests", "sanity", "service_tests", *(("molecule", "events") if WHOLE else ()), "package", "lint", "docs"),
    "browser",
]


def pytest(session: nox.Session, folder: str, *options: str, python: str | Path = "python") -> None:
    """Run the tests of a session: those in a folder, or those that the arguments name."""
    command = (str(python), "-m", "pytest", "--confcutdir", folder, *options, *QUICK)
    session.run(*command, *(session.posargs or [folder]), external=python != "python")


@nox.session(python=NEWEST)
def lint(session: nox.Session) -> None:
    """Style, types, and Ansible's own rules; and that what applies these rules to playbooks does nothing else."""
    install(session, "lint", NEWEST_CORE, service=True)
    session.run("ruff", "format", "--check", "--diff")
    session.run("ruff", "check")
    session.run("mypy")
    session.run("ansible-lint")
    pytest(session, "tests/lint", "-n", "2")


@nox.session(python=NEWEST)
def browser(session: nox.Session) -> None:
    """The page of reports in a browser: what it shows, how it is used, and whether everybody can use it."""
    if not (shutil.which("chromedriver") or shutil.which("chromium.chromedriver")):
        session.skip("chromedriver is not installed (on Debian and Ubuntu: apt-get install chromium chromium-driver)")
    install(session, NEWEST_CORE, "browser")
    pytest(session, "tests/browser")


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def events(session: nox.Session) -> None:
    """The event source and the rulebooks, installed from the archive and run by ansible-rulebook itself."""
    if java_home() is None:
        session.skip("Java 17 is not installed (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless)")
    install(session, NEWEST_CORE, "events")
    pytest(session, "tests/events", "-n", "2")


@nox.session(python=NEWEST)
def docs(session: nox.Session) -> None:
    """The documentation inside the plugins and roles, the changelog, and the site made of them and of the pages."""
    install(session, "docs", NEWEST_CORE)
    # What is wrong in the text of a plugin, sphinx-build finds as well, and the sanity tests what is wrong in its data.
    plugins = ("--plugin-docs", "--validate-collection-refs", "self") if WHOLE else ()
    session.run("antsibull-docs", "lint-collection-docs", *plugins, ".")
    session.run("antsibull-changelog", "lint")
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_checkout(Path(folder))
        made = copy / "plugins_and_roles"
        made.mkdir(mode=0o700)  # antsibull-docs writes to no folder that others could write to
        names = ("--dest-dir", str(made), "edgeops.ingress")
        session.run("antsibull-docs", "collection", "--use-current", "--squash-hierarchy", *names)
        # Sphinx warns of a link that leads nowhere and of a page that no other page links to. -W makes that an error.
        checks = ("-q", "-W", "--keep-going", "-c", str(copy / "docs" / "docsite"))
        session.run("sphinx-build", "-b", "html", *checks, str(copy), "build/site")
    session.log("The site is in build/site/README.html")


@nox.session(python=NEWEST)
def package(session: nox.Session) -> None:
    """The archive that users install: what it holds, what Galaxy says of it, and the demo out of it."""
    install(session, NEWEST_CORE, "package", service=True)
    pytest(session, "tests/package")


@nox.session(name=SERVICE_ENVIRONMENT, python=NEWEST)
def service_environment(session: nox.Session) -> None:
    """The environment that the tests start the reference service from: older versions of Python cannot run it."""
    install(session, "service-tests", service=True)


@nox.session(python=False, requires=[SERVICE_ENVIRONMENT])
def service_tests(session: nox.Session) -> None:
    """The reference service's own tests, with nothing of the collection: the service is a reading of its own."""
    shut_out_settings(session)
    pytest(session, "tests/service", "-n", "2", python=SERVICE_PYTHON)


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def molecule(session: nox.Session) -> None:
    """The roles, run by their scenarios."""
    install(session, "molecule", NEWEST_CORE)
    # The role installs packages, of which most is never imported.
    session.run("molecule", "test", "--all", env={**package_settings(listing_of_pip()), "PIP_COMPILE": "0"})


for_each_core = nox.parametrize(
    "python,core",
    [nox.param(python, core, id=f"core-{core.version}-python-{python}") for core, python in SESSIONS.items()],
)


@nox.session(requires=[SERVICE_ENVIRONMENT])
@for_each_core
def tests(session: nox.Session, core: Core) -> None:
    """The collection's tests: its functions, and real playbooks against the reference service."""
    install(session, core.group, "pytest", *["builder"] * (core == MAIN))
    files = [file for folder in PYPROJECT["tool"]["pytest"]["testpaths"] for file in Path(folder).glob("test_*.py")]
    # The main core runs all of them. For the others, pytest does not even import the rest.
    some = [str(file) for file in sorted(files) if "pytest.mark.every_core" in file.read_text(encoding="utf-8")]
    chosen = session.posargs or ([] if core == MAIN else some)
    session.run("python", "-m", "pytest", "-n", "2", "-m", markers(core, MAIN, WHOLE), *chosen)


@nox.session
@for_each_core
def sanity(session: nox.Session, core: Core) -> None:
    """What ansible-test asks of every collection. There is no list of exceptions."""
    if not (WHOLE or core == MAIN):
        session.skip("`make test-all` and `make sanity` run it")
    if core.sanity_skipped:
        session.log(f"Skipped with {core.version}: {', '.join(core.sanity_skipped)} (dev/supported_cores.py says why)")
    install(session, core.group)
    found = filter(None, map(interpreter, PYTHONS_OF_MODULES if WHOLE else ()))
    pythons = [str(Path(each.system_executable or each.executable).parent) for each in found]
    run_sanity_tests(session, core.sanity_skipped, pythons)


@nox.session(python=NEWEST)
def changelog(session: nox.Session) -> None:
    """Make the changelog of galaxy.yml's version from its fragments and its new plugins."""
    install(session, "changelog", NEWEST_CORE)
    session.run("antsibull-changelog", "release", "--update-existing", "--reload-plugins")


@nox.session(python=NEWEST)
def release(session: nox.Session) -> None:
    """The archive in dist/ of the version in the argument, if all that belongs to the release says the same version."""
    install(session, "changelog", NEWEST_CORE, "pytest")
    version = (session.posargs or [""])[0]
    session.run("python", "-m", "pytest", "tests/unit/test_collection_lists.py", env={"RELEASE": version})
    session.run("antsibull-changelog", "lint")
    session.notify(f"archive-{NEWEST_PYTHON}")


@nox.session(python=NEWEST)
def archive(session: nox.Session) -> None:
    """The archive in dist/ of the current commit, with its bill of materials and checksums."""
    install(session, NEWEST_CORE)
    shutil.rmtree(ARCHIVES, ignore_errors=True)  # so that nothing else is there to publish
    session.run("python", "dev/build_archive.py", str(ARCHIVES))


@nox.session(python=NEWEST)
def publish(session: nox.Session) -> None:
    """Hand the archive in dist/ to Galaxy, with the token in GALAXY_TOKEN."""
    install(session, NEWEST_CORE, own=False)  # the way to Galaxy may be a proxy
    [built] = ARCHIVES.glob("*.tar.gz")
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as token:  # nox prints the commands that it runs
        json.dump({"token": os.environ["GALAXY_TOKEN"]}, token)
        token.flush()
        in_file = {"ANSIBLE_GALAXY_TOKEN_PATH": token.name}
        session.run("ansible-galaxy", "collection", "publish", str(built), env=in_file)


@nox.session(name="format", python=NEWEST)
def format_code(session: nox.Session) -> None:
    """Write the generated parts of files, format the Python code, and fix what ruff can fix."""
    install(session, "lint", NEWEST_CORE)
    session.run("python", "dev/generate.py", env={"PYTHONPATH": str(link_checkout())})
    session.run("ruff", "check", "--fix-only")
    session.run("ruff", "format")


@nox.session(python=NEWEST)
def demo(session: nox.Session) -> None:
    """The demo playbook, against a reference service of its own."""
    install(session, NEWEST_CORE, "requests", service=True, own=False)  # it makes itself one
    own_python = {"REFERENCE_SERVICE_PYTHON": f"{session.bin}/python"}
    # After Ctrl-C, it stops its service.
    session.run("python", "playbooks/run_demo.py", env=own_python, interrupt_timeout=GRACE_SECONDS)


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def bench(session: nox.Session) -> None:
    """The benchmarks."""
    install(session, NEWEST_CORE, "requests")
    session.run("python", "tests/benchmarks/run.py", *session.posargs)


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def torture(session: nox.Session) -> None:
    """All that can go wrong between the collection and the service; the argument is the seed of what is drawn."""
    install(session, NEWEST_CORE, "pytest")
    properties = (f"tests/resources/test_{name}.py" for name in ("idempotence", "estate"))
    command = ("python", "-m", "pytest", "--verbose", "-n", "2", "tests/faults", *properties)
    session.run(*command, env={"TORTURE": (session.posargs or ["1"])[0]})


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def mutate(session: nox.Session) -> None:
    """Small changes to the core, and which of them no test notices; the arguments are those of dev/mutate.py."""
    install(session, NEWEST_CORE, "pytest")
    session.run("python", "dev/mutate.py", *session.posargs)


@nox.session(python=NEWEST)
def service(session: nox.Session) -> None:
    """The reference service, in the foreground."""
    install(session, service=True, own=False)  # it is the user's, with the key that INGRESS_API_KEY holds
    state = CHECKOUT / ".nox" / "reference_service.sqlite"
    command = ("python", "-m", "reference_service", "--port", "8600", "--state", str(state))
    session.run(*command, env={"PYTHONPATH": str(SERVICE_SOURCES)}, interrupt_timeout=10)
