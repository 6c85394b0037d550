# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples in the documentation of the modules: they run, in check mode as well, and are idempotent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import yaml

from collection_tree import MODULES
from playbook_run import COLLECTION, Ansible, Record

pytestmark = pytest.mark.every_core

# The objects on the service when the examples run.
BLOG = {
    "id": "edghts_2fQmJ8sYv1",
    "hostports": ["blog.example.com:443"],
    "routes": [{"id": "edghtsrt_2fQmJ8sYv1", "match_type": "path_prefix", "match": "/"}],
}
SEED = {
    "https_edges": [BLOG],
    "tls_edges": [{"id": "edgtls_2fQmJ8sYv1"}],
    "event_subscriptions": [{"id": "esb_2fQmJ8sYv1", "sources": ["http_request_complete.v0"]}],
    "tunnels": [{"id": "tn_2fQmJ8sYv1", "labels": {"service": "shop"}, "backends": [{"id": "bk_2fQmJ8sYv1"}]}],
}
# The variables that the examples use.
VARIABLES = {
    "github_client_id": "Iv1.example",
    "github_client_secret": "words-for-github",
    "oidc_client_secret": "words-for-oidc",
    "payment_webhook_secret": "words-for-payments",
    "vault_password": "words-for-the-vault",
}


@pytest.fixture(scope="session")
def documentation(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What ansible-doc returns for each module: `doc` (with fragments), `examples`, and `return`."""
    names = [f"{COLLECTION}.{module}" for module in MODULES]
    return json.loads(Ansible(tmp_path_factory.mktemp("documentation")).command("doc", "--json", *names).output)


def results_of(ansible: Ansible, *plays: list[dict[str, Any]], arguments: Sequence[str] = ()) -> list[Record]:
    """Run plays, each a list of tasks, and return what the collection's modules returned."""
    connection = {f"INGRESS_{name.upper()}": value for name, value in ansible.connection.items()}
    keywords = {"name": "Examples", "hosts": "localhost", "gather_facts": False}
    text = yaml.safe_dump([{**keywords, "tasks": tasks} for tasks in plays], sort_keys=False)
    given = ("--diff", "--extra-vars", json.dumps(VARIABLES), *arguments)
    run = ansible.playbook(text, *given, environment=connection)
    assert run.code == 0, run.output
    own = (record for record in run.records if record["action"].startswith(COLLECTION))
    return [record for record in own if "censored" not in record["result"]]  # no_log


@pytest.fixture
def ansible(ansible: Ansible) -> Ansible:
    ansible.service.seed(**SEED)
    return ansible


def test_examples_run_unchanged_in_check_mode(documentation: dict[str, Any], ansible: Ansible) -> None:
    before = ansible.service.state()
    examples = [approved_tasks(one["examples"]) for one in documentation.values()]
    records = results_of(ansible, *examples, arguments=["--check"])
    assert {record["action"] for record in records} == documentation.keys()
    assert ansible.service.state() == before


@pytest.mark.parametrize(
    "module", [pytest.param(module, marks=pytest.mark.long(cores=int(module == "estate"))) for module in MODULES]
)
def test_examples_are_idempotent_and_have_the_documented_attributes(
    module: str, documentation: dict[str, Any], ansible: Ansible
) -> None:
    records = results_of(ansible, approved_tasks(documentation[f"{COLLECTION}.{module}"]["examples"], 2))
    assert any(record["result"]["changed"] for record in records) or module.endswith("_info")
    for first, again in zip(records[::2], records[1::2], strict=True):
        attributes = documentation[first["action"]]["doc"]["attributes"]
        assert ("diff" in first["result"]) == (attributes["diff_mode"]["support"] == "full")
        if attributes["idempotent"]["support"] != "none":
            assert not again["result"]["changed"], again


def test_the_options_of_estate_fit_on_a_short_page(documentation: dict[str, Any]) -> None:
    """The details of nested options are on the pages of the modules that manage these objects alone."""
    assert yaml.safe_dump(documentation[f"{COLLECTION}.estate"]["doc"]["options"]).count("\n") <= 830


def approved_tasks(examples: str, times: int = 1) -> list[dict[str, Any]]:
    """Return the tasks, ours so many times in a row, and each with an approval if it needs one."""
    tasks = []
    for task in yaml.safe_load(examples):
        ours = [name for name in task if name.startswith(COLLECTION)]
        for _each in range(times if ours else 1):
            tasks += [*(plan for name in ours for plan in approvals(task, name)), task]
    return tasks


def approvals(task: dict[str, Any], module: str) -> Iterator[dict[str, Any]]:
    """Yield the tasks that set the variable of `expect_plan` to the digest of the plan. None of them is recorded."""
    options = dict(task[module] or {})
    if given := options.pop("expect_plan", None):
        # Anything else, such as a default, would execute a plan that nobody has approved.
        found = re.fullmatch(r"\{\{ (\w+) \}\}", given)
        assert found, given
        yield {module: options, "check_mode": True, "register": "planned", "no_log": True}
        yield {"ansible.builtin.set_fact": {found[1]: "{{ planned.plan_digest }}"}}
