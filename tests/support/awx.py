# SPDX-License-Identifier: GPL-3.0-or-later
"""What AWX makes of the files of docs/awx: a credential's environment, the variables of a launched job, the job itself,
and the workflow, from node to node, with the artifacts of each job for the next ones.

Jobs are started by ansible-runner, in a private folder, with nothing around them but what they are given.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml
from jinja2 import Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from collection_tree import CHECKOUT

FILES = CHECKOUT / "docs" / "awx"
PROJECT = FILES / "project"
SECONDS = 120

Event = dict[str, Any]
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


@dataclass(frozen=True)
class Job:
    code: int
    output: str
    artifacts: Path
    events: list[Event]

    def of(self, kind: str, task: str | None) -> Event:
        of_kind = [event["event_data"] for event in self.events if event["event"] == kind]
        [found] = [data for data in of_kind if data.get("task") == task]
        return found

    def custom_stats(self) -> Any:
        """What the job hands on: its artifacts in AWX."""
        return self.of("playbook_on_stats", None)["artifact_data"]

    def kept_files(self) -> dict[str, str]:
        """What is kept of the job, without `command`: that is how the job was started, with its environment."""
        files = [path for path in self.artifacts.rglob("*") if path.is_file() and path.name != "command"]
        return {path.name: path.read_text(encoding="utf-8") for path in files}


class ControlNode:
    """Runs the playbooks of the project, with the collection from one folder only."""

    def __init__(self, folder: Path, collections_path: Path) -> None:
        self.project = folder / "project"
        self._folder = folder
        # All that a job gets from its surroundings. Ansible's own commands are next to the Python that runs this.
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
        self._environment = {"PATH": path, "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
        self._environment["ANSIBLE_COLLECTIONS_PATH"] = str(collections_path)
        self._hosts: dict[str, Any] = {}
        self._jobs = 0
        shutil.copytree(PROJECT, self.project)
        for name in ("env", "inventory", "home"):
            (folder / name).mkdir()

    def set_accounts(self, variables: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace the hosts of the project by these accounts, each with its variables."""
        for name, declared in variables.items():
            (self.project / "host_vars" / f"{name}.yml").write_text(json.dumps(declared), encoding="utf-8")
        self._hosts = {"accounts": {"hosts": list(variables)}}
        self.deal(1, 1)

    def synchronize(self) -> None:
        """Take the hosts from the project."""
        source = ("-i", "inventory/accounts.yml", "--playbook-dir", "inventory")
        listed = self._run("ansible", "inventory", *source, "--list", "--export")
        assert listed.returncode == 0, listed.stderr
        self._hosts = json.loads(listed.stdout)
        self.deal(1, 1)

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        how: Any = {"cwd": self.project, "env": self._environment, "timeout": SECONDS}
        return subprocess.run([sys.executable, "-m", *command], check=False, capture_output=True, text=True, **how)

    def deal(self, number: int, count: int) -> None:
        """Let jobs be this slice of so many: every so-many-th host, by name. They get their hosts from a script."""
        names = sorted({host for group in self._hosts.values() for host in group.get("hosts", ())})
        dealt = names[number - 1 :: count]
        hosts = {
            name: {**group, "hosts": [host for host in group.get("hosts", ()) if host in dealt]}
            for name, group in self._hosts.items()
        }
        script = self._folder / "inventory" / "hosts"
        script.write_text(f"#! {sys.executable}\nprint({json.dumps(hosts)!r})\n", encoding="utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    def job(self, playbook: str, extra_vars: Mapping[str, Any] | str, *arguments: str, **environment: str) -> Job:
        self._jobs += 1
        files = {"envvars": environment, "extravars": extra_vars, "cmdline": shlex.join(arguments)}
        for name, content in files.items():
            text = content if isinstance(content, str) else json.dumps(content)
            (self._folder / "env" / name).write_text(text, encoding="utf-8")
        options = ("--playbook", playbook, "--ident", str(self._jobs), "--quiet")
        run = self._run("ansible_runner", "run", str(self._folder), *options)
        artifacts = self._folder / "artifacts" / str(self._jobs)
        assert (artifacts / "stdout").exists(), run.stdout + run.stderr
        events = [json.loads(path.read_text(encoding="utf-8")) for path in (artifacts / "job_events").glob("*.json")]
        output = (artifacts / "stdout").read_text(encoding="utf-8")
        return Job(run.returncode, output, artifacts, sorted(events, key=lambda event: event["counter"]))


def launch(control_node: ControlNode, template: str, given: Mapping[str, Any], **environment: str) -> Job:
    """Launch a job template with these variables, which nobody may write expressions of Jinja into."""
    return control_node.job("estate.yml", extra_vars_file(given, template), *arguments_of(template), **environment)


def arguments_of(template: str) -> list[str]:
    return [*["--check"] * (TEMPLATES[template]["job_type"] == "check"), "--diff", "--forks", "10"]


def run_workflow(control_node: ControlNode, approve: Callable[[Job], bool], **responses: Any) -> dict[str, Job]:
    """Run the workflow with responses to its survey. Return the job of each node that ran.

    `approve` is asked when the approval node is reached, with the job before it.
    """
    links = ("success_nodes", "failure_nodes")
    linked = {one for node in NODES.values() for link in links for one in node.get(link, ())}
    jobs: dict[str, Job] = {}
    artifacts: dict[str, Any] = {}
    job: Job | None = None
    next_nodes = [*NODES.keys() - linked]
    while next_nodes:
        [name] = next_nodes
        if "approval_node" in NODES[name]:
            assert job is not None
            succeeded = approve(job)
        else:
            template = NODES[name]["unified_job_template"]
            given = {**variables(template, {}), **artifacts, **responses}
            job = jobs[name] = launch(control_node, template, given)
            artifacts.update(job.custom_stats())
            succeeded = job.code == 0
        next_nodes = NODES[name].get("success_nodes" if succeeded else "failure_nodes", [])
    return jobs
