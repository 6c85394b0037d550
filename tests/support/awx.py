# SPDX-License-Identifier: GPL-3.0-or-later
"""What AWX makes of the files of docs/awx: a credential's environment, the variables of a launched job, and the
workflow, from node to node, with the artifacts of each job for the next ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml
from jinja2 import StrictUndefined, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from awx_job import ControlNode, Job
from collection_tree import CHECKOUT

FILES = CHECKOUT / "docs" / "awx"
PROJECT = FILES / "project"

Question = Mapping[str, Any]


def read(name: str) -> Any:
    return yaml.safe_load((FILES / name).read_text(encoding="utf-8"))


CREDENTIAL_TYPE = read("objects/credential_type.yml")
QUESTIONS: list[Question] = read("objects/survey.yml")["spec"]
TEMPLATES = {template["name"]: template for template in read("objects/job_templates.yml")["job_templates"]}
NODES: dict[str, Mapping[str, Any]] = {
    node["identifier"]: node for node in read("objects/workflow.yml")["workflow"]["nodes"]
}
CHECK, APPLY = "Ingress: detect drift", "Ingress: apply"
PREVIEW, APPLY_APPROVED = "Ingress: preview", "Ingress: apply the approved plan"


def injected(inputs: Mapping[str, str], folder: Path, undefined: type[Undefined] = Undefined) -> dict[str, str]:
    """The environment variables of a job with a credential of these inputs; its files are written to `folder`.

    Fields that are empty in AWX's form are not variables of the templates.
    """
    sandbox = ImmutableSandboxedEnvironment(undefined=undefined)
    injectors, filled = CREDENTIAL_TYPE["injectors"], {name: value for name, value in inputs.items() if value}
    names = {}
    for label, template in injectors["file"].items():
        path = folder / label
        path.write_text(sandbox.from_string(template).render(filled), encoding="utf-8")
        names[label.partition(".")[2]] = str(path)
    known = {**filled, "tower": SimpleNamespace(filename=SimpleNamespace(**names))}
    return {name: sandbox.from_string(template).render(known) for name, template in injectors["env"].items()}


def checked_templates(folder: Path) -> dict[str, str]:
    """The injectors as AWX tries them when they are saved: every field has a value, and nothing else has one."""
    return injected({field["id"]: "EXAMPLE" for field in CREDENTIAL_TYPE["inputs"]["fields"]}, folder, StrictUndefined)


def is_accepted(question: Question, response: Any) -> bool:
    """Return whether AWX accepts the response. AWX silently omits a default that it would not accept."""
    match question["type"]:
        case "text":
            return isinstance(response, str) and question["min"] <= len(response) <= question["max"]
        case "integer":
            is_number = isinstance(response, int) and not isinstance(response, bool)
            return is_number and question["min"] <= response <= question["max"]
        case "multiplechoice":
            return response in question["choices"]
        case "multiselect":
            return isinstance(response, list) and set(response) <= set(question["choices"])
    raise AssertionError(question["type"])


def variables(template: str, responses: Mapping[str, Any]) -> dict[str, Any]:
    """The extra variables of a job: those of its template, then the survey's defaults, then the responses."""
    questions = {question["variable"]: question for question in QUESTIONS}
    assert set(responses) <= set(questions), "AWX drops responses to what the survey does not ask"
    assert all(is_accepted(questions[name], response) for name, response in responses.items())
    defaults = {name: asked["default"] for name, asked in questions.items() if is_accepted(asked, asked["default"])}
    missing = {name for name, asked in questions.items() if asked["required"]} - set(defaults) - set(responses)
    assert not missing, "AWX does not start a job without them"
    return {**TEMPLATES[template]["extra_vars"], **defaults, **responses}


def extra_vars_file(given: Mapping[str, Any], template: str) -> str:
    """The file of these variables. Only what the job template sets itself may contain expressions of Jinja."""
    own = TEMPLATES[template]["extra_vars"]
    return "".join(
        yaml.dump({name: value}, Dumper=yaml.SafeDumper if own.get(name) == value else _UnsafeDumper)
        for name, value in given.items()
    )


class _UnsafeDumper(yaml.SafeDumper):
    """Tags every string, those of keys included."""


_UnsafeDumper.add_representer(str, lambda dumper, text: dumper.represent_scalar("!unsafe", text))


def launch(control_node: ControlNode, template: str, given: Mapping[str, Any], environment: Mapping[str, str]) -> Job:
    """Launch a job template with these variables, which nobody may write expressions of Jinja into."""
    mode = ["--check"] if TEMPLATES[template]["job_type"] == "check" else []
    arguments = [*mode, "--diff", "--forks", "10"]
    return control_node.job("estate.yml", arguments, extra_vars_file(given, template), environment)


def run_workflow(
    control_node: ControlNode, environment: Mapping[str, str], approve: Callable[[Job], bool], **responses: Any
) -> dict[str, Job]:
    """Run the workflow with responses to its survey. Return the job of each node that ran.

    `approve` is asked when the approval node is reached, with the job before it.
    """
    [waiting] = NODES.keys() - following(NODES)
    jobs: dict[str, Job] = {}
    artifacts: dict[str, Any] = {}
    job: Job | None = None
    next_nodes = [waiting]
    while next_nodes:
        [name] = next_nodes
        if "approval_node" in NODES[name]:
            assert job is not None
            succeeded = approve(job)
        else:
            template = NODES[name]["unified_job_template"]
            given = {**variables(template, {}), **artifacts, **responses}
            job = jobs[name] = launch(control_node, template, given, environment)
            artifacts.update(job.custom_stats())
            succeeded = job.code == 0
        next_nodes = NODES[name].get("success_nodes" if succeeded else "failure_nodes", [])
    return jobs


def following(nodes: Mapping[str, Mapping[str, Any]]) -> set[str]:
    return {
        one for node in nodes.values() for links in ("success_nodes", "failure_nodes") for one in node.get(links, ())
    }
