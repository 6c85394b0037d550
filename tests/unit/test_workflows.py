# SPDX-License-Identifier: GPL-3.0-or-later
"""The hosted runs do what `make test` does, with all versions of Python, and may no more than they have to."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from collection_tree import CHECKOUT
from supported_cores import DEVELOPMENT, PYTHONS_OF_MODULES

WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (CHECKOUT / ".github/workflows").glob("*.yml")}
LOADED = {name: yaml.safe_load(text) for name, text in WORKFLOWS.items()}
TARGETS = set(re.findall(r"^([a-z-]+): .*##", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


JOBS: dict[str, dict[str, Any]] = {name: job for one in LOADED.values() for name, job in one["jobs"].items()}


def test_every_target_of_a_job_exists() -> None:
    named = re.findall(r"\bmake ([\w-]+)|'(test[\w-]*)'|target: \[(\w+), (\w+)\]", "".join(WORKFLOWS.values()))
    targets = set(filter(None, (target for each in named for target in each)))
    assert {"demo", "test", "test-all", "unit", "sanity", "release"} <= targets <= TARGETS


def test_the_hosted_run_has_every_python() -> None:
    pythons = {
        name: step["with"]["python-version"].split()
        for name, job in JOBS.items()
        for step in job["steps"]
        if "setup-python@" in step.get("uses", "")
    }
    assert sorted(pythons["test"]) == sorted(PYTHONS_OF_MODULES)
    assert pythons["development"][0] == DEVELOPMENT.pythons[0]


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
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_an_action_is_pinned_to_a_commit_with_its_version_and_everywhere_to_the_same() -> None:
    text = "".join(WORKFLOWS.values())
    pins = re.findall(r"uses: (actions/[\w-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$", text, re.MULTILINE)
    assert len(pins) == text.count("uses:") > 0
    assert len(dict(pins)) == len(set(pins))


PERMISSIONS = {
    "attest": {"id-token": "write", "attestations": "write"},
    "sign": {},
    "assets": {"contents": "write"},
}
"""Those of the jobs that need others than to read the repository."""

SECRETS = {"sign": ["SIGNING_KEY"], "publish": ["GALAXY_TOKEN"]}
NEEDS = {"attest": "build", "sign": "build", "assets": ["attest", "sign"], "publish": ["attest", "sign"]}


def test_a_job_has_only_the_permissions_and_secrets_that_it_needs() -> None:
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == PERMISSIONS
    seen = {name: re.findall(r"secrets\.(\w+)", str(job)) for name, job in JOBS.items()}
    assert {name: secrets for name, secrets in seen.items() if secrets} == SECRETS
    release = LOADED["release.yml"]["jobs"]
    for name in PERMISSIONS:
        assert not [step for step in release[name]["steps"] if "checkout@" in step.get("uses", "")], "runs other code"
    assert {name: release[name]["needs"] for name in NEEDS} == NEEDS
    assert all("environment" in release[name] for name in SECRETS)
