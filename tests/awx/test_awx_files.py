# SPDX-License-Identifier: GPL-3.0-or-later
"""The files to load into AWX say the same as the collection and the playbook that they are for, and ansible-builder can
make an execution environment of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jinja2 import StrictUndefined

import awx
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import argument_spec, checked
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.connection import (
    CONNECTION_OPTIONS,
    environment_variable,
)
from collection_tree import CHECKOUT
from module_task import work_of

[PLAY] = yaml.safe_load((awx.PROJECT / "estate.yml").read_text(encoding="utf-8"))
ESTATE = argument_spec(work_of("estate"))
ROLE = CHECKOUT / "roles" / "estate"
ROLE_DEFAULTS = yaml.safe_load((ROLE / "defaults" / "main.yml").read_text(encoding="utf-8"))
ROLE_VARIABLES = yaml.safe_load((ROLE / "meta" / "argument_specs.yml").read_text(encoding="utf-8"))["argument_specs"][
    "main"
]["options"]
FIELDS = {field["id"]: field for field in awx.CREDENTIAL_TYPE["inputs"]["fields"]}
SMALLEST = {"base_url": "https://api.example.com", "api_key": "ak_of_the_credential"}


def test_the_credential_sets_variables_of_the_connection(tmp_path: Path) -> None:
    options = {environment_variable(option): option for option in CONNECTION_OPTIONS}
    filled = {name: f"{name}-of-the-credential" for name in FIELDS}

    # AWX tries them like this when they are saved: every field has a value, and nothing else has one.
    for variable, value in awx.injected(filled, tmp_path, StrictUndefined).items():
        assert variable in options
        field = "ca_certificates" if variable == "INGRESS_CA_PATH" else options[variable]
        written = Path(value).read_text(encoding="utf-8") if variable == "INGRESS_CA_PATH" else value
        assert written == filled[field], variable


def test_the_credential_hides_and_demands_what_the_connection_does() -> None:
    secret, required = (
        {name for name, option in CONNECTION_OPTIONS.items() if option.get(key)} for key in ("no_log", "required")
    )

    assert {name for name, field in FIELDS.items() if field.get("secret")} == secret
    assert set(awx.CREDENTIAL_TYPE["inputs"]["required"]) == required


def test_empty_fields_of_the_credential_leave_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("INGRESS_")]:
        monkeypatch.delenv(name)
    for name, value in awx.injected({**SMALLEST, "api_version": ""}, tmp_path).items():
        monkeypatch.setenv(name, value)

    arguments = checked(work_of("tunnel_info"), {})

    defaults = {name: option.get("default") for name, option in CONNECTION_OPTIONS.items()}
    assert arguments.option_errors == []
    assert {name: arguments.options[name] for name in defaults} == {**defaults, **SMALLEST}


def test_the_playbook_uses_each_variable_and_each_default_of_the_survey() -> None:
    text = (awx.PROJECT / "estate.yml").read_text(encoding="utf-8")
    templates = re.findall(r"\{\{.*?\}\}", text, re.DOTALL)

    for name in (question["variable"] for question in awx.QUESTIONS):
        assert name in ROLE_VARIABLES or any(name in template for template in templates), name
    asked = awx.variables(awx.APPLY, {})
    # AWX wants a string as their default, and a list as their value: without a value, the job gets neither.
    assert set(asked) == {question["variable"] for question in awx.QUESTIONS if question["type"] != "multiselect"}
    assert [PLAY["vars"][name] for name in ("job_parts", "job_purge")] == [[], []]
    assert asked.pop("job_accounts") in PLAY["vars"]["requested"]
    # The answers to a question with several choices are strings, also true and false.
    used = {name: {**ROLE_DEFAULTS, **PLAY["vars"]}[name] for name in asked}
    assert {name: str(one).lower() if isinstance(one, bool) else one for name, one in used.items()} == asked


def test_nothing_is_left_out_of_the_role() -> None:
    """A copy of what the role does would lack what the role learns, such as to reject a plan."""
    assert not [task for task in PLAY["tasks"] if any(name.startswith("edgeops.ingress.") for name in task)]
    [role] = [task["ansible.builtin.import_role"] for task in PLAY["tasks"] if "ansible.builtin.import_role" in task]
    assert role == {"name": "edgeops.ingress.estate"}


@pytest.mark.parametrize(
    ("variable", "allowed"),
    [
        ("job_parts", ROLE_DEFAULTS["estate_parts"]),
        ("job_purge", ESTATE["purge"]["choices"]),
        ("estate_reject_findings", ESTATE["reject_findings"]["choices"]),
        ("estate_update_secrets", ESTATE["update_secrets"]["choices"]),
    ],
)
def test_the_survey_offers_what_the_module_takes(variable: str, allowed: list[str]) -> None:
    [question] = [question for question in awx.QUESTIONS if question["variable"] == variable]

    assert sorted(question["choices"]) == sorted(allowed)
    assert set(str(question["default"]).splitlines()) <= set(allowed)


def test_the_loading_playbook_names_existing_files() -> None:
    [play] = awx.read("load.yml")
    paths = [
        task["awx.awx.inventory_source"]["source_path"] for task in play["tasks"] if "awx.awx.inventory_source" in task
    ]
    text = "".join((awx.FILES / name).read_text(encoding="utf-8") for name in ("load.yml", "objects/report.yml"))
    named = set(re.findall(r"objects/\w+\.yml", text))

    assert all((awx.PROJECT / path).is_file() for path in [*paths, *re.findall(r"playbook: (\w+\.yml)", text)])
    assert {f"objects/{path.name}" for path in (awx.FILES / "objects").iterdir()} == named


def builder(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "ansible_builder", *arguments]
    run = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_the_installed_collection_lists_its_requirements(collections_path: Path, tmp_path: Path) -> None:
    found = yaml.safe_load(builder(tmp_path, "introspect", str(collections_path)))

    lines = (CHECKOUT / "meta" / "ee-requirements.txt").read_text(encoding="utf-8").splitlines()
    [requirement] = [line for line in lines if not line.startswith("#")]
    assert found == {"python": [f"{requirement}  # from collection edgeops.ingress"], "system": []}


def test_the_definition_makes_a_context_with_the_collection(archive: Path, tmp_path: Path) -> None:
    shutil.copy(awx.FILES / "execution-environment.yml", tmp_path)
    shutil.copy(archive, tmp_path)

    builder(tmp_path, "create", "--output-filename", "Containerfile")

    build = tmp_path / "context" / "_build"
    [collection] = yaml.safe_load((build / "requirements.yml").read_text(encoding="utf-8"))["collections"]
    assert (build / collection["name"]).read_bytes() == archive.read_bytes()
    containerfile = (tmp_path / "context" / "Containerfile").read_text(encoding="utf-8")
    assert awx.read("execution-environment.yml")["images"]["base_image"]["name"] in containerfile
    assert "ansible-galaxy collection install" in containerfile
