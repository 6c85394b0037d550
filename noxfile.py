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
sys.path.insert(0, str(Path(__file__).parent / "dev" / "prose"))

from ansible_test_home import downloads_folder, place_get_pip, write_pip_settings
from collection_tree import CHECKOUT, READ_OTHERWISE, copy_checkout, link_checkout
from install_textlint import has_node
from interpreters import first_found, show_pyenv_versions
from own_environment import new_home, own_environment
from supported_cores import CORES, DEVELOPMENT, Core, Run
from termination import GRACE_SECONDS, stop_all_on_termination

# `make … CORE=2.19` checks this one alone, and then it has to be there.
ASKED_FOR = os.environ.get("CORE", "")
# Whether nothing is left out. The Makefile says so for single checks.
WHOLE = "WHOLE" in os.environ

# The home folder of all that the sessions run. What this process itself leaves for a while is in there, too.
HOME = new_home()
tempfile.tempdir = str(HOME / "tmp")
stop_all_on_termination(last=lambda: shutil.rmtree(HOME, ignore_errors=True))
os.umask(0o022)
# What the checks themselves listen to.
SWITCHES = ("CI", "WHOLE", "GALAXY_IMPORTER_RUN_ANSIBLE_LINT")

show_pyenv_versions()
KNOWN = (*CORES, DEVELOPMENT)
RUN = Run(
    found={core: first_found(core.pythons) for core in KNOWN if core in CORES or core.version == ASKED_FOR},
    asked_for=ASKED_FOR,
    is_whole=WHOLE,
    below_a_space=" " in str(CHECKOUT),
)
if not RUN.checked:
    sys.exit(f"CORE={ASKED_FOR}: this is checked with {', '.join(core.version for core in KNOWN)} only")
# On a machine with no Python for any of them but the oldest, the one that runs this has to do.
NEWEST_CORE, NEWEST_PYTHON = RUN.main or (CORES[-1], "{}.{}".format(*sys.version_info))
# As a list, so that the environment's name tells the version: nox would go on with one made by another Python.
NEWEST = [NEWEST_PYTHON]

PYPROJECT = nox.project.load_toml(CHECKOUT / "pyproject.toml")
SERVICE_SOURCES = CHECKOUT / "roles" / "reference_service" / "files"
PROPERTIES = tuple(f"tests/resources/test_{name}.py" for name in ("idempotence", "sets", "estate"))
SITE = CHECKOUT / "build" / "site"
SERVICE_ENVIRONMENT = "service_environment"
SERVICE_PYTHON = CHECKOUT / ".nox" / f"{SERVICE_ENVIRONMENT}-{NEWEST_PYTHON.replace('.', '-')}" / "bin" / "python"

nox.options.reuse_venv = "yes"
nox.options.download_python = "never"
nox.options.allow_parallel = True
# The longest ones first, so that all processors have something to do until the end.
nox.options.sessions = ["tests", "sanity", "service_tests", "molecule", "package", "lint", "docs", "prose"]


# One run for each core. Without an interpreter for it there is no environment either, and the session skips itself.
for_each_core = nox.parametrize(
    "python,core",
    [
        nox.param(python or False, core, id=f"core-{core.version}-python-{python or core.pythons[0]}")
        for core, python in RUN.checked.items()
    ],
)


def skip_without_python(session: nox.Session, core: Core) -> None:
    """Skip the session of a core for which no interpreter was found, unless it was asked for by name."""
    if not session.python:
        why = f"ansible-core {core.version} needs Python {' or '.join(core.pythons)}, and none was found here"
        if ASKED_FOR:
            session.error(why)
        session.skip(why)


def shut_out_settings(session: nox.Session) -> None:
    """Let all that the session runs from here on see nothing of the user's settings, Ansible's and ours included."""
    if said := "".join(sorted(set(str(CHECKOUT)) & READ_OTHERWISE)):
        session.error(
            f"The path of this checkout, {CHECKOUT}, has {said} in it, which shells and Ansible do not take literally. "
            "`make demo` works here all the same; for the checks, use a folder without them."
        )
    # In these, None takes a variable away. The session's own folder of programs is put before this PATH.
    session.env.update({**dict.fromkeys(os.environ), **own_environment(os.environ, HOME, also=SWITCHES)})


def install(session: nox.Session, *groups: str, service: bool = False, own: bool = True) -> None:
    """Install dependency groups, and what the reference service needs. Nothing to do where that hasn't changed.

    What the session runs after that has an environment of its `own`.
    """
    packages = nox.project.dependency_groups(PYPROJECT, *groups)
    if service:
        lines = (SERVICE_SOURCES / "requirements.txt").read_text(encoding="utf-8").splitlines()
        packages += tuple(line for line in lines if line.strip() and not line.startswith("#"))
    installed = Path(session.virtualenv.location) / "installed-by-nox.txt"
    wanted = "\n".join(packages)
    if not installed.exists() or installed.read_text(encoding="utf-8") != wanted:
        # Most of what is installed is never imported. The rest is compiled when it is.
        session.install("--quiet", "--no-compile", *packages)
        installed.write_text(wanted, encoding="utf-8")
    if own:
        shut_out_settings(session)


def environment() -> dict[str, str]:
    """Return the variables with which Ansible's tools find this checkout, and tests find the reference service."""
    return {
        "ANSIBLE_COLLECTIONS_PATH": str(link_checkout()),
        "REFERENCE_SERVICE_PYTHON": str(SERVICE_PYTHON),
    }


@nox.session(python=NEWEST)
def lint(session: nox.Session) -> None:
    """Style, types, and Ansible's own rules; and that what applies these rules to playbooks does nothing else."""
    install(session, "lint", NEWEST_CORE.group, service=True)
    session.run("ruff", "format", "--check", "--diff")
    session.run("ruff", "check")
    link_checkout()
    session.run("mypy")
    session.run("ansible-lint", env=environment())
    # Only here is an ansible-lint to test with.
    own_python = {"REFERENCE_SERVICE_PYTHON": f"{session.bin}/python"}
    pytest = ("python", "-m", "pytest", "-n", "2", "--confcutdir", "tests/lint", "tests/lint")
    session.run(*pytest, env={**environment(), **own_python})


@nox.session(python=NEWEST)
def prose(session: nox.Session) -> None:
    """Compare the texts of pages, playbooks, and roles with the word list of the project."""
    if not has_node():
        install(session, "prose", own=False)
    textlint = f"{session.virtualenv.location}/textlint"
    session.run("python", "dev/prose/install_textlint.py", textlint)  # with the user's settings, as pip
    shut_out_settings(session)
    session.run("python", "dev/prose/lint_prose.py", textlint, *session.posargs)


@nox.session(python=NEWEST)
def docs(session: nox.Session) -> None:
    """The documentation inside the plugins and roles, the changelog, and the site made of them and of the pages."""
    install(session, "docs", NEWEST_CORE.group)
    session.run(
        *("antsibull-docs", "lint-collection-docs", "--plugin-docs", "--validate-collection-refs", "self", "."),
        env=environment(),
    )
    session.run("antsibull-changelog", "lint")
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_checkout(Path(folder))
        plugins = copy / "plugins_and_roles"
        plugins.mkdir(mode=0o700)  # antsibull-docs writes to no folder that others could write to
        names = ("--dest-dir", str(plugins), "edgeops.ingress")
        session.run("antsibull-docs", "collection", "--use-current", "--squash-hierarchy", *names, env=environment())
        # A link that leads nowhere, and a page that no other leads to, are warnings, which end it.
        checks = ("-q", "-W", "--keep-going", "-c", str(copy / "docs" / "docsite"))
        session.run("sphinx-build", "-b", "html", *checks, str(copy), str(SITE))
    session.log(f"The site is in {SITE.relative_to(CHECKOUT)}/README.html")


@nox.session(python=NEWEST)
def package(session: nox.Session) -> None:
    """The archive that users install: what it holds, what Galaxy says of it, and the demo out of it."""
    install(session, NEWEST_CORE.group, "package", service=True)
    session.run("python", "-m", "pytest", "--confcutdir", "tests/package", "tests/package", *session.posargs)


@nox.session(name=SERVICE_ENVIRONMENT, python=NEWEST)
def service_environment(session: nox.Session) -> None:
    """The environment that the tests start the reference service from: older Pythons can't run it."""
    install(session, "service-tests", service=True)


@nox.session(python=False, requires=[SERVICE_ENVIRONMENT])
def service_tests(session: nox.Session) -> None:
    """The reference service's own tests."""
    shut_out_settings(session)
    # Nothing of the collection, its tests' conftest.py included: the service is a reading of its own.
    session.run(
        *(str(SERVICE_PYTHON), "-m", "pytest", "-n", "2", "--confcutdir", "tests/service", "tests/service"),
        *session.posargs,
        external=True,
    )


@nox.session(python=NEWEST, requires=[SERVICE_ENVIRONMENT])
def molecule(session: nox.Session) -> None:
    """The roles, run by their scenarios."""
    install(session, "molecule", NEWEST_CORE.group, own=False)
    write_pip_settings(HOME, session.run("python", "-m", "pip", "config", "list", silent=True))
    shut_out_settings(session)
    # The role installs packages, of which most is never imported.
    session.run("molecule", "test", "--all", env={**environment(), "PIP_COMPILE": "0"})


@nox.session(requires=[SERVICE_ENVIRONMENT])
@for_each_core
def tests(session: nox.Session, core: Core) -> None:
    """The collection's tests: its functions, and real playbooks against the reference service."""
    skip_without_python(session, core)
    if not RUN.can_test(core):
        session.skip(
            f"ansible-core {core.version} starts no module with a Python below a folder with a space in its name"
        )
    install(session, core.group, "pytest", *(["builder"] if RUN.has_all_tests(core) else []))
    session.run("python", "-m", "pytest", "-n", "2", *RUN.tests(core), *session.posargs, env=environment())


@nox.session
@for_each_core
def sanity(session: nox.Session, core: Core) -> None:
    """What ansible-test asks of every collection. There is no list of exceptions."""
    skip_without_python(session, core)
    if not RUN.has_sanity(core):
        session.skip("make sanity runs it, make test has no time for it")
    if core.sanity_skipped:
        session.log(
            f"Left out with ansible-core {core.version}: {', '.join(core.sanity_skipped)} (supported_cores.py says why)"
        )
    install(session, core.group, own=False)
    home = Path(session.virtualenv.location) / "home"
    pip = ("python", "-m", "pip")
    pip_wheel = f"pip=={core.ansible_test_pip}"
    session.run(*pip, "download", "--quiet", "--no-deps", "--dest", str(downloads_folder(home)), pip_wheel)
    place_get_pip(home, core.ansible_test_pip)
    write_pip_settings(home, session.run(*pip, "config", "list", silent=True))
    shut_out_settings(session)

    with tempfile.TemporaryDirectory() as folder, session.chdir(copy_checkout(Path(folder))):
        output = session.run(
            # Its first line can't start a Python below a folder with a space in its name; this can.
            *(
                "python",
                f"{session.bin}/ansible-test",
                "sanity",
                "--local",
                "--python",
                session.python,
                "--color",
                "no",
                # Galaxy gets none of these, and ruff looks at them.
                "--exclude",
                "tests/",
                "--exclude",
                "dev/",
                *(argument for test in core.sanity_skipped for argument in ("--skip-test", test)),
                *session.posargs,
            ),
            # The other Pythons of the machine are none of its business: it would check with each that it finds.
            env={"HOME": str(home), "PATH": f"{session.bin}:/usr/local/bin:/usr/bin:/bin"},
            silent=True,
        )
    print(output)
    if "All targets skipped" in output:
        session.error("ansible-test found nothing to check")


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
    archives = CHECKOUT / "dist"
    shutil.rmtree(archives, ignore_errors=True)  # so that nothing else is there to publish
    session.run("python", "dev/release_check.py", *session.posargs)
    session.run("antsibull-changelog", "lint")
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_checkout(Path(folder))
        session.run("ansible-galaxy", "collection", "build", "--output-path", str(archives), str(copy))


@nox.session(python=NEWEST)
def publish(session: nox.Session) -> None:
    """Hand the archive in dist/ to Galaxy, with the token in GALAXY_TOKEN."""
    install(session, NEWEST_CORE.group, own=False)  # the way to Galaxy may be a proxy
    [archive] = (CHECKOUT / "dist").glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder:
        # In a file, since nox prints the commands that it runs.
        token = Path(folder) / "token"
        token.write_text(json.dumps({"token": os.environ["GALAXY_TOKEN"]}), encoding="utf-8")
        in_file = {"ANSIBLE_GALAXY_TOKEN_PATH": str(token)}
        session.run("ansible-galaxy", "collection", "publish", str(archive), env=in_file)


@nox.session(name="format", python=NEWEST)
def format_code(session: nox.Session) -> None:
    """Format the Python code, and mend what ruff can mend."""
    install(session, "lint", NEWEST_CORE.group, service=True)
    session.run("ruff", "check", "--fix-only")
    session.run("ruff", "format")


@nox.session(python=NEWEST)
def demo(session: nox.Session) -> None:
    """The demo playbook, against a reference service of its own."""
    install(session, NEWEST_CORE.group, "requests", service=True, own=False)  # it makes itself one
    own_python = {"REFERENCE_SERVICE_PYTHON": f"{session.bin}/python"}
    # Time enough for it to stop its service after Ctrl-C.
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
    [seed] = session.posargs or ["1"]
    session.run(
        "python", "-m", "pytest", "--verbose", "tests/faults", *PROPERTIES, env={**environment(), "TORTURE": seed}
    )


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
    session.run(
        *("python", "-m", "reference_service", "--port", "8600", "--state", str(state)),
        env={"PYTHONPATH": str(SERVICE_SOURCES)},
        interrupt_timeout=10,
    )
