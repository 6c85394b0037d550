# SPDX-License-Identifier: GPL-3.0-or-later
"""All checks of the collection. `make help` shows the usual ways in; `nox --list` shows each check."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import nox

sys.path.insert(0, str(Path(__file__).parent / "dev"))
sys.path.insert(0, str(Path(__file__).parent / "playbooks"))

from ansible_test_home import write_pip_settings
from browser_programs import missing_programs
from build_archive import ARCHIVES
from collection_tree import CHECKOUT, SERVICE_SOURCES, link_checkout
from documentation_site import build_site
from home_of_run import home_of_run
from interpreters import folders_of
from java_home import java_home
from marked_tests import EVERY_CORE, folder_unless_named, paths_with
from package_settings import listing_of_pip
from publish_archive import publish_archive
from sanity_tests import prepare_home, run_sanity_tests
from session_environment import PYPROJECT, SessionEnvironment
from session_of_core import for_each_core, skip_without_python
from supported_cores import CORES, PYTHONS_OF_MODULES, Core
from termination import GRACE_SECONDS
from this_run import NEWEST_CORE, NEWEST_PYTHON, RUN

HOME = home_of_run()

# As a list, so that the environment's name contains the version: nox would reuse one made by another Python.
NEWEST = [NEWEST_PYTHON]

PROPERTIES = tuple(f"tests/resources/test_{name}.py" for name in ("idempotence", "sets", "estate"))
SERVICE_ENVIRONMENT = "service_environment"
SERVICE_PYTHON = CHECKOUT / ".nox" / f"{SERVICE_ENVIRONMENT}-{NEWEST_PYTHON.replace('.', '-')}" / "bin" / "python"
ENVIRONMENT = SessionEnvironment(HOME, SERVICE_PYTHON)
# The tests that only the session's own target has time for. Each target but `make test` runs them.
QUICK = () if RUN.is_whole else ("-m", "not long(cores=0)")
install, shut_out_settings, environment = ENVIRONMENT.install, ENVIRONMENT.shut_out_settings, ENVIRONMENT.variables

nox.options.reuse_venv = "yes"
nox.options.default_venv_backend = "uv|virtualenv"  # uv takes a tenth of the time, and has no program for some systems
nox.options.download_python = "never"
nox.options.allow_parallel = True
# The longest ones first, so that all processors have something to do until the end.
nox.options.sessions = [
    "tests",
    "sanity",
    "service_tests",
    "molecule",
    "package",
    "lint",
    "docs",
    "events",
    "browser",
]


@nox.session(python=NEWEST)
def lint(session: nox.Session) -> None:
    """Style, types, and Ansible's own rules; and that what applies these rules to playbooks does nothing else."""
    install(session, "lint", NEWEST_CORE.group, service=True)
    session.run("ruff", "format", "--check", "--diff")
    session.run("ruff", "check")
    link_checkout()
    session.run("mypy")
    session.run("ansible-lint", env=environment())
    pytest = ("python", "-m", "pytest", "-n", "2", "--confcutdir", "tests/lint", "tests/lint")
    session.run(*pytest, *QUICK, env={**environment(), "REFERENCE_SERVICE_PYTHON": f"{session.bin}/python"})


@nox.session(python=NEWEST)
def browser(session: nox.Session) -> None:
    """The page of reports in a browser: what it shows, how it is used, and whether everybody can use it."""
    if missing := missing_programs():
        session.skip(f"{missing} is not installed (on Debian and Ubuntu: apt-get install chromium chromium-driver)")
    install(session, NEWEST_CORE.group, "browser")
    tests = folder_unless_named("tests/browser", session.posargs)
    pytest = ("python", "-m", "pytest", "--confcutdir", "tests/browser", *tests)
    session.run(*pytest, *QUICK, *session.posargs, env=environment())


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def events(session: nox.Session) -> None:
    """The event source and the rulebooks, installed from the archive and run by ansible-rulebook itself."""
    if java_home() is None:
        session.skip("Java 17 is not installed (on Debian and Ubuntu: apt-get install openjdk-17-jre-headless)")
    install(session, NEWEST_CORE.group, "events")
    tests = folder_unless_named("tests/events", session.posargs)
    pytest = ("python", "-m", "pytest", "-n", "2", "--confcutdir", "tests/events", *tests)
    session.run(*pytest, *QUICK, *session.posargs, env=environment())


@nox.session(python=NEWEST)
def docs(session: nox.Session) -> None:
    """The documentation inside the plugins and roles, the changelog, and the site made of them and of the pages."""
    install(session, "docs", NEWEST_CORE.group)
    # What is wrong in the text of a plugin, sphinx-build finds as well, and the sanity tests what is wrong in its data.
    plugins = ("--plugin-docs", "--validate-collection-refs", "self") if RUN.is_whole else ()
    session.run("antsibull-docs", "lint-collection-docs", *plugins, ".", env=environment())
    session.run("antsibull-changelog", "lint")
    build_site(session, environment())


@nox.session(python=NEWEST)
def package(session: nox.Session) -> None:
    """The archive that users install: what it holds, what Galaxy says of it, and the demo out of it."""
    install(session, NEWEST_CORE.group, "package", service=True)
    tests = folder_unless_named("tests/package", session.posargs)
    session.run("python", "-m", "pytest", "--confcutdir", "tests/package", *tests, *QUICK, *session.posargs)


@nox.session(name=SERVICE_ENVIRONMENT, python=NEWEST)
def service_environment(session: nox.Session) -> None:
    """The environment that the tests start the reference service from: older versions of Python cannot run it."""
    install(session, "service-tests", service=True)


@nox.session(python=False, requires=[SERVICE_ENVIRONMENT])
def service_tests(session: nox.Session) -> None:
    """The reference service's own tests."""
    shut_out_settings(session)
    # Nothing of the collection, its tests' conftest.py included: the service is a reading of its own.
    pytest = (str(SERVICE_PYTHON), "-m", "pytest", "-n", "2", "--confcutdir", "tests/service")
    tests = folder_unless_named("tests/service", session.posargs)
    session.run(*pytest, *tests, *QUICK, *session.posargs, external=True)


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def molecule(session: nox.Session) -> None:
    """The roles, run by their scenarios."""
    install(session, "molecule", NEWEST_CORE.group, own=False)
    write_pip_settings(HOME, listing_of_pip())
    shut_out_settings(session)
    # The role installs packages, of which most is never imported.
    scenarios = ("--all",) if RUN.is_whole else ("--scenario-name", "estate")  # which starts and stops the service, too
    session.run("molecule", "test", *scenarios, env={**environment(), "PIP_COMPILE": "0"})


@nox.session(requires=[SERVICE_ENVIRONMENT])
@for_each_core
def tests(session: nox.Session, core: Core) -> None:
    """The collection's tests: its functions, and real playbooks against the reference service."""
    skip_without_python(session, core)
    if not RUN.can_test(core):
        session.skip(f"ansible-core {core.version} cannot start modules with a Python whose path contains a space")
    if not RUN.is_whole:
        session.log(f"`make unit CORE={core.version}` runs all the tests of this core; `make test` selects by markers")
    install(session, core.group, "pytest", *["builder"] * (has_all := RUN.has_all_tests(core)))
    paths = [] if has_all or session.posargs else paths_with(EVERY_CORE, PYPROJECT["tool"]["pytest"]["testpaths"])
    pytest = ("python", "-m", "pytest", "-n", "2", "-m", RUN.markers(core))
    session.run(*pytest, *paths, *session.posargs, env=environment())


@nox.session
@for_each_core
def sanity(session: nox.Session, core: Core) -> None:
    """What ansible-test asks of every collection. There is no list of exceptions."""
    skip_without_python(session, core)
    if not RUN.has_sanity(core):
        session.skip("`make test-all` and `make sanity` run it")
    if core.sanity_skipped:
        session.log(f"Skipped with {core.version}: {', '.join(core.sanity_skipped)} (dev/supported_cores.py says why)")
    install(session, core.group, own=False)
    home = prepare_home(session, core.ansible_test_pip)  # with the user's settings, which say where packages are
    shut_out_settings(session)
    run_sanity_tests(session, home, core.sanity_skipped, folders_of(PYTHONS_OF_MODULES) if RUN.is_whole else [])


@nox.session(python=NEWEST)
def changelog(session: nox.Session) -> None:
    """Make the changelog of galaxy.yml's version from its fragments and its new plugins."""
    install(session, "changelog", NEWEST_CORE.group)
    session.run("antsibull-changelog", "release", "--update-existing", "--reload-plugins", env=environment())


@nox.session(python=False)
def cores(session: nox.Session) -> None:
    """Print the supported ansible-cores, each with its Python, as JSON: what hosted runs are made from."""
    print(json.dumps([{"core": core.version, "python": core.pythons[0]} for core in CORES]))


@nox.session(python=NEWEST)
def pre_commit(session: nox.Session) -> None:
    """What git runs before each commit, on all files."""
    install(session, "pre-commit", own=False)  # it works with the user's git, and installs packages of its own
    if not (CHECKOUT / ".git").exists():
        session.error("pre-commit works in a clone only, and there is no .git here")
    session.run("pre-commit", "run", "--all-files", "--show-diff-on-failure")


@nox.session(python=NEWEST)
def release(session: nox.Session) -> None:
    """The archive in dist/ of the version in the argument, if all that belongs to the release says the same version."""
    install(session, "changelog", NEWEST_CORE.group)
    session.run("python", "dev/release_check.py", *session.posargs)
    session.run("antsibull-changelog", "lint")
    _write_release(session)


@nox.session(python=NEWEST)
def archive(session: nox.Session) -> None:
    """The archive in dist/ of the current commit, with its bill of materials and checksums."""
    install(session, NEWEST_CORE.group)
    _write_release(session)


def _write_release(session: nox.Session) -> None:
    shutil.rmtree(ARCHIVES, ignore_errors=True)  # so that nothing else is there to publish
    session.run("python", "dev/release_archive.py")


@nox.session(python=NEWEST)
def publish(session: nox.Session) -> None:
    """Hand the archive in dist/ to Galaxy, with the token in GALAXY_TOKEN."""
    install(session, NEWEST_CORE.group, own=False)  # the way to Galaxy may be a proxy
    publish_archive(session)


@nox.session(name="format", python=NEWEST)
def format_code(session: nox.Session) -> None:
    """Write the generated parts of files, format the Python code, and fix what ruff can fix."""
    install(session, "lint", NEWEST_CORE.group)
    session.run("python", "dev/generate.py", env={"PYTHONPATH": str(link_checkout())})
    session.run("ruff", "check", "--fix-only")
    session.run("ruff", "format")


@nox.session(python=NEWEST)
def demo(session: nox.Session) -> None:
    """The demo playbook, against a reference service of its own."""
    install(session, NEWEST_CORE.group, "requests", service=True, own=False)  # it makes itself one
    own_python = {"REFERENCE_SERVICE_PYTHON": f"{session.bin}/python"}
    # After Ctrl-C, it stops its service.
    session.run("python", "playbooks/run_demo.py", env=own_python, interrupt_timeout=GRACE_SECONDS)


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def bench(session: nox.Session) -> None:
    """The benchmarks."""
    install(session, NEWEST_CORE.group, "requests")
    session.run("python", "tests/benchmarks/run.py", *session.posargs, env=environment())


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def torture(session: nox.Session) -> None:
    """All that can go wrong between the collection and the service; the argument is the seed of what is drawn."""
    install(session, NEWEST_CORE.group, "pytest")
    pytest = ("python", "-m", "pytest", "--verbose", "tests/faults", *PROPERTIES)
    session.run(*pytest, env={**environment(), "TORTURE": (session.posargs or ["1"])[0]})


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def mutate(session: nox.Session) -> None:
    """Small changes to the core, and which of them no test notices; the arguments are those of dev/mutate.py."""
    install(session, NEWEST_CORE.group, "pytest")
    session.run("python", "dev/mutate.py", *session.posargs, env=environment())


@nox.session(python=NEWEST)
def serve(session: nox.Session) -> None:
    """The reference service, in the foreground."""
    install(session, service=True, own=False)  # it is the user's, with the key that INGRESS_API_KEY holds
    state = CHECKOUT / ".nox" / "reference_service.sqlite"
    command = ("python", "-m", "reference_service", "--port", "8600", "--state", str(state))
    session.run(*command, env={"PYTHONPATH": str(SERVICE_SOURCES)}, interrupt_timeout=10)
