# SPDX-License-Identifier: GPL-3.0-or-later
"""The hosted runs do what `make test` does, by the same targets, with no list of their own to forget something in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from collection_tree import CHECKOUT
from noxfile_facts import SESSIONS_OF_MAKE_TEST
from supported_cores import CORES, DEVELOPMENT, PYTHONS_OF_MODULES

WORKFLOWS = {path.name: path for path in sorted((CHECKOUT / ".github" / "workflows").glob("*.y*ml"))}
LOADED = {name: yaml.safe_load(path.read_text(encoding="utf-8")) for name, path in WORKFLOWS.items()}
MAKEFILE = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
_NOX = re.compile(r"^([a-z-]+): .*\n\t@(?:exec )?\$\(NOX\).* -s ((?:\w+ ?)+)", re.MULTILINE)
SESSIONS_OF_TARGET = {target: set(sessions.split()) for target, sessions in _NOX.findall(MAKEFILE)}


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for workflow in LOADED.values():
        yield from workflow["jobs"].items()


def targets_of(job: dict[str, Any]) -> set[str]:
    """The make targets that a job runs, those of its matrix included."""
    commands = "\n".join(step.get("run", "") for step in job["steps"])
    named = set(re.findall(r"\bmake (?:--silent )?([\w./-]+)", commands))
    return named | set(job.get("strategy", {}).get("matrix", {}).get("target", []))


CI = LOADED["ci.yml"]["jobs"]


@pytest.mark.parametrize(("name", "job"), list(jobs()), ids=lambda value: value if isinstance(value, str) else "")
def test_every_target_of_a_job_exists(name: str, job: dict[str, Any]) -> None:
    known = {*SESSIONS_OF_TARGET, ".venv/ready"}
    assert targets_of(job) <= known
    assert targets_of(job) or name in {"green", "attest", "sign", "assets"}
    if "target" in job.get("strategy", {}).get("matrix", {}):
        assert {"run": 'make "$TARGET"'}.items() <= job["steps"][-1].items()


def test_every_session_of_make_test_is_run() -> None:
    run = {
        session
        for name in ("once", "each-core")
        for target in targets_of(CI[name])
        for session in SESSIONS_OF_TARGET[target]
    }
    assert run >= SESSIONS_OF_MAKE_TEST


def test_the_job_green_needs_all_required_jobs() -> None:
    assert set(CI["green"]["needs"]) == set(CI) - {"green", "cores", "development"}
    assert CI["each-core"]["needs"] == "cores"


def test_the_cores_come_from_nox() -> None:
    assert "make --silent cores" in CI["cores"]["steps"][-1]["run"]
    assert CI["each-core"]["strategy"]["matrix"]["ansible"] == "${{ fromJSON(needs.cores.outputs.cores) }}"
    for name in ("each-core", "development"):
        assert "CORE" in CI[name]["steps"][-1]["env"], name


def test_the_pythons_are_those_of_nox() -> None:
    [*_older, newest] = [core.pythons[0] for core in CORES if core.is_released]
    assert LOADED["ci.yml"]["env"]["NEWEST_PYTHON"] == newest
    assert CI["each-core"]["steps"][1]["with"]["python-version"].split("\n")[:-3] == [
        python for python in PYTHONS_OF_MODULES if python != newest
    ]
    [python, *_others] = CI["development"]["steps"][1]["with"]["python-version"].split()
    assert (CI["development"]["steps"][-1]["env"]["CORE"], python) == (DEVELOPMENT.version, DEVELOPMENT.pythons[0])
    for job in LOADED["release.yml"]["jobs"].values():
        versions = {step["with"]["python-version"] for step in job["steps"] if "setup-python@" in step.get("uses", "")}
        assert versions <= {newest}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_no_more_than_it_has_to(name: str) -> None:
    workflow = LOADED[name]
    assert workflow["permissions"] == {"contents": "read"}
    assert "cancel-in-progress" in workflow["concurrency"]
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"]
        for step in job["steps"]:
            # A string from outside is a variable of the shell, never part of its script.
            assert "${{" not in step.get("run", "")
            assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step.get("uses", f"actions/none@{'0' * 40}"))
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_an_action_is_pinned_to_a_commit_with_its_version_and_everywhere_to_the_same() -> None:
    text = "".join(each.read_text(encoding="utf-8") for each in WORKFLOWS.values())
    pins = re.findall(r"uses: (actions/[\w-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$", text, re.MULTILINE)
    assert len(pins) == text.count("uses:")
    assert len(dict(pins)) == len(set(pins))


PERMISSIONS = {
    "green": {},
    "attest": {"id-token": "write", "attestations": "write"},
    "sign": {},
    "assets": {"contents": "write"},
}
"""Those of the jobs that need others than to read the repository."""

SECRETS = {"sign": ["SIGNING_KEY"], "publish": ["GALAXY_TOKEN"]}


def test_a_job_has_only_the_permissions_and_secrets_that_it_needs() -> None:
    assert {name: job["permissions"] for name, job in jobs() if "permissions" in job} == PERMISSIONS
    seen = {name: re.findall(r"secrets\.(\w+)", str(job)) for name, job in jobs()}
    assert {name: secrets for name, secrets in seen.items() if secrets} == SECRETS
    release = LOADED["release.yml"]["jobs"]
    for name in PERMISSIONS.keys() & release.keys():
        assert not [step for step in release[name]["steps"] if "checkout@" in step.get("uses", "")], "runs other code"
    assert {name: release[name]["needs"] for name in ("attest", "sign", "assets", "publish")} == {
        "attest": "build",
        "sign": "build",
        "assets": ["attest", "sign"],
        "publish": ["attest", "sign"],
    }
    assert all("environment" in release[name] for name in SECRETS)


def test_updates_are_proposed_for_all_that_is_pinned() -> None:
    settings = yaml.safe_load((CHECKOUT / ".github" / "dependabot.yml").read_text(encoding="utf-8"))
    assert {each["package-ecosystem"] for each in settings["updates"]} == {"github-actions", "pip"}


def test_the_weekly_run_leaves_nothing_out() -> None:
    """New releases of ansible-core and of its ansible-test come without a commit here."""
    assert "schedule:" in WORKFLOWS["ci.yml"].read_text(encoding="utf-8")
    assert [name for name, job in CI.items() if "!= 'schedule'" in job.get("if", "")] == []
    assert "github.event_name == 'schedule'" in CI["each-core"]["steps"][-1]["env"]["NEWEST_PATCH"]
