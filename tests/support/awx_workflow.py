# SPDX-License-Identifier: GPL-3.0-or-later
"""The workflow of docs/awx, as AWX runs it: from node to node, with the artifacts of each job for the next ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from awx import TEMPLATES, extra_vars_file, read, variables
from awx_job import ControlNode, Job

NODES: dict[str, Mapping[str, Any]] = {
    node["identifier"]: node for node in read("objects/workflow.yml")["workflow"]["nodes"]
}


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
