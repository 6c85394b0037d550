# SPDX-License-Identifier: GPL-3.0-or-later
"""What load.yml sends to AWX, held against what AWX accepts, and against what people can do with it afterwards.

The rules are those of AWX 24.6.1, from the source of its serializers and of its access checks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment

from amount import first_alone
from awx import APPLY, APPLY_APPROVED, CHECK, CREDENTIAL_TYPE, FILES, PREVIEW, read
from playbook_run import Ansible, Run

KEY = "ak_of_the_credential"
ACCOUNT = {"INGRESS_BASE_URL": "https://api.example.com", "INGRESS_API_KEY": KEY}
SETTINGS = f"@{FILES / 'settings.yml'}"
WORKFLOW, REPORT = "Ingress: apply after approval", "Ingress: report"
COLLECT, WRITE = "Ingress: collect the accounts", "Ingress: write the report"

Sent = list[tuple[str, dict[str, Any]]]
Load = Callable[..., tuple[Run, Sent]]

# The modules of awx.awx 24.6.1 that load.yml uses. That collection is not installed here: these check their arguments
# as those do, in the worker of Ansible, and record them.
OPTIONS = yaml.safe_load(Path(__file__).with_name("awx_modules.yml").read_text(encoding="utf-8"))
ACTION = """
import json
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.plugins.action import ActionBase

class ActionModule(ActionBase):
    def run(self, tmp=None, task_vars=None):
        validated = ArgumentSpecValidator({specification!r}).validate(dict(self._task.args))
        if validated.error_messages:
            return {{"failed": True, "msg": "; ".join(validated.error_messages)}}
        sent = {{name: value for name, value in validated.validated_parameters.items() if value is not None}}
        with open({record!r}, "a") as record:
            record.write(json.dumps([{module!r}, sent]) + "\\n")
        return {{"changed": True}}
"""


def _specification(options: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option in options.split():
        named, _, choices = option.partition("=")
        name, _, kind = named.rstrip("!").partition(":")
        found[name] = {"type": kind or "str", "required": named.endswith("!")}
        found[name] |= {"elements": "str"} if kind == "list" else {}
        found[name] |= {"choices": choices.split(",")} if choices else {}
    return found


SPECIFICATIONS = {module: _specification(options) for module, options in OPTIONS.items()}


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Runs load.yml with extra variables, and returns the run and what it has sent: the name and the arguments of each
    module of a collection awx.awx, in this order.
    """
    folder = tmp_path_factory.mktemp("load")
    record, collections = folder / "sent.jsonl", folder / "collections"
    actions = collections / "ansible_collections" / "awx" / "awx" / "plugins" / "action"
    actions.mkdir(parents=True)
    for module, specification in SPECIFICATIONS.items():
        text = ACTION.format(specification=specification, record=str(record), module=module)
        (actions / f"{module}.py").write_text(text, encoding="utf-8")

    def loaded(*extra: Any, account: Mapping[str, str] = ACCOUNT) -> tuple[Run, Sent]:
        record.write_text("", encoding="utf-8")
        given = (f"-e{one if isinstance(one, str) else json.dumps(one)}" for one in extra)
        environment = {**account, "ANSIBLE_COLLECTIONS_PATH": str(collections)}
        run = Ansible(folder).playbook(FILES / "load.yml", *given, environment=environment)
        return run, [tuple(json.loads(line)) for line in record.read_text(encoding="utf-8").splitlines()]

    return loaded


@pytest.fixture(scope="module")
def sent(load: Load) -> Sent:
    """What is sent if there is something to send of every kind."""
    access = {key: {"teams": [f"team of {key}"], "users": [f"user of {key}"]} for key in RIGHTS}
    notified = {"more_failure_notifications": ["Mail"], "more_approval_notifications": ["Chat"]}
    return succeeded(load, SETTINGS, {"access": access, "job_slice_count": 3, **notified})


def succeeded(load: Load, *extra: Any) -> Sent:
    run, sent = load(*extra)
    assert run.code == 0, run.output
    return sent


def named(sent: Sent, module: str) -> dict[str, dict[str, Any]]:
    return {arguments["name"]: arguments for name, arguments in sent if name == module}


def rights(sent: Sent, who: str) -> dict[str, set[str]]:
    """What a team or a user can launch, approve, and read: the jobs of a template, their output, and their events."""
    can: dict[str, set[str]] = {"launch": set(), "approve": set(), "read": set()}
    for arguments in (arguments for module, arguments in sent if module == "role"):
        if who in (*arguments["teams"], *arguments["users"]):
            on = {*arguments["job_templates"], *arguments["workflows"]}
            # Execute and Approve include Read of the template itself, and never that of the steps of a workflow.
            can["read"] |= on
            can["launch"] |= on if arguments["role"] in ("execute", "admin") else set()
            can["approve"] |= on if arguments["role"] in ("approval", "admin") else set()
    return can


RIGHTS = {
    "preview": {"launch": {CHECK, PREVIEW}, "approve": set(), "read": {CHECK, PREVIEW}},
    "approve": {"launch": set(), "approve": {WORKFLOW}, "read": {WORKFLOW, PREVIEW, APPLY_APPROVED}},
    "apply": {"launch": {WORKFLOW}, "approve": set(), "read": {WORKFLOW, PREVIEW, APPLY_APPROVED}},
    "apply_without_approval": {"launch": {APPLY}, "approve": set(), "read": {APPLY}},
    "report": {"launch": {REPORT}, "approve": set(), "read": {REPORT, COLLECT, WRITE}},
}


def test_everybody_can_read_what_they_decide_on_and_launch_no_more_than_that(sent: Sent) -> None:
    for key, expected in RIGHTS.items():
        assert rights(sent, f"team of {key}") == rights(sent, f"user of {key}") == expected, key
    grants = [arguments for module, arguments in sent if module == "role"]
    on_templates = {grant["role"] for grant in grants if grant["job_templates"]}
    # AWX fails if an object does not have a role: only workflows have Approve.
    assert on_templates <= {"admin", "execute", "read"}
    assert {grant["lookup_organization"] for grant in grants} == {"Default"}


def test_the_page_lists_who_may_do_what() -> None:
    page = (FILES / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    documented = {key: roles for key, roles, _what in listed if key in RIGHTS}
    assert documented.keys() == RIGHTS.keys()
    for key, roles in documented.items():
        expected: dict[str, set[str]] = {}
        for one in (one for one in read("objects/roles.yml")["grants"] if one["access"] == key):
            on = {*one.get("job_templates", ()), *one.get("workflows", ())}
            expected.setdefault({"approval": "Approve"}.get(one["role"], one["role"].title()), set()).update(on)
        found = {role: set(re.findall("`(.*?)`", on)) for role, on in re.findall(r"\*(\w+)\* on ([^;]*)", roles)}
        assert found == expected, key


@pytest.mark.long(cores=0)
def test_only_what_is_given_is_attached_and_a_name_can_be_set_in_place_of_a_list(load: Load) -> None:
    access = {"approve": {"teams": ["Operations"]}, "report": None}
    more = {"more_credentials": "Vault", "more_failure_notifications": "Mail", "notification_url": ""}
    sent = succeeded(load, SETTINGS, {"access": access, **more})
    roles = {(who, one["role"]) for module, one in sent if module == "role" for who in one["teams"]}
    assert roles == {("Operations", "approval"), ("Operations", "read")}
    templates = named(sent, "job_template")
    assert {tuple(one["credentials"]) for one in templates.values()} == {("Ingress: shop", "Vault")}
    assert named(sent, "notification_template") == {}
    assert templates[CHECK]["notification_templates_error"] == ["Mail"]
    assert named(sent, "workflow_job_template")[WORKFLOW]["notification_templates_approvals"] == []
    nobody = succeeded(load, SETTINGS, {"access": None, "more_failure_notifications": None})
    assert "role" not in {module for module, _arguments in nobody}


def test_whatever_is_named_exists_by_then(sent: Sent) -> None:
    existing = {"organization": {"Default"}, "credential": {"Ingress: vault"}, "job_template": set[str]()}
    existing["notification_template"] = {"Mail", "Chat"}
    references = {
        "credential_type": "credential_type",
        "credentials": "credential",
        "organization": "organization",
        "project": "project",
        "source_project": "project",
        "inventory": "inventory",
        "default_environment": "execution_environment",
        "execution_environment": "execution_environment",
        "unified_job_template": "job_template",
        "job_templates": "job_template",
        "workflows": "workflow_job_template",
        "workflow_job_template": "workflow_job_template",
        **dict.fromkeys(
            [name for name in SPECIFICATIONS["workflow_job_template"] if "notif" in name], "notification_template"
        ),
    }

    for module, arguments in sent:
        for option, kind in references.items():
            value = arguments.get(option, [])
            missing = {*([value] if isinstance(value, str) else value)} - existing.get(kind, set())
            assert not missing, (module, option, missing)
        existing.setdefault(module, set()).add(arguments.get("name") or arguments.get("identifier", ""))


def test_each_step_of_a_workflow_exists_before_it_is_connected(sent: Sent) -> None:
    created: set[tuple[str, str]] = set()
    connected: dict[tuple[str, str], dict[str, list[str]]] = {}
    for step in (arguments for module, arguments in sent if module == "workflow_job_template_node"):
        workflow = step["workflow_job_template"]
        links = {name: step[name] for name in ("success_nodes", "failure_nodes", "always_nodes") if name in step}
        assert all((workflow, one) in created for each in links.values() for one in each)
        # awx.awx would look for the links of an approval in another place.
        assert bool(links) != any(name in step for name in ("unified_job_template", "approval_node"))
        if links:
            connected[workflow, step["identifier"]] = {name: each for name, each in links.items() if each}
        created.add((workflow, step["identifier"]))

    assert connected == {
        (WORKFLOW, "preview"): {"failure_nodes": ["approve"]},
        (WORKFLOW, "approve"): {"success_nodes": ["apply"]},
        (WORKFLOW, "apply"): {},
        (REPORT, "collect"): {"always_nodes": ["write"]},
        (REPORT, "write"): {},
    }


def test_each_survey_is_one_that_awx_accepts(sent: Sent) -> None:
    survey = read("objects/survey.yml")
    assert [arguments["survey_spec"] for _module, arguments in sent if "survey_spec" in arguments] == [survey] * 5
    assert all(isinstance(survey[key], str) for key in ("name", "description"))
    for question in survey["spec"]:
        assert isinstance(question["required"], bool)
        assert all(isinstance(question[key], str) for key in ("type", "question_name", "variable"))
        expected = int if question["type"] == "integer" else str
        assert type(question["default"]) is expected or question["default"] == ""
        assert all(type(question[key]) is int for key in ("min", "max") if key in question)


@pytest.mark.every_core
def test_what_awx_is_to_evaluate_is_sent_as_it_is(sent: Sent) -> None:
    assert named(sent, "credential_type")["Network ingress"]["injectors"] == CREDENTIAL_TYPE["injectors"]
    messages = named(sent, "notification_template")["Ingress: a plan needs approval"]["messages"]
    assert messages == read("objects/approval_messages.yml")


def test_the_limit_of_a_workflow_reaches_its_steps_and_an_open_approval_holds_up_no_launch(sent: Sent) -> None:
    templates, workflows = named(sent, "job_template"), named(sent, "workflow_job_template")
    steps = [arguments for module, arguments in sent if module == "workflow_job_template_node"]
    names = [step["unified_job_template"] for step in steps if step.get("unified_job_template")]
    assert all(one["ask_limit_on_launch"] is True for one in [*workflows.values(), *map(templates.get, names)])
    assert workflows[WORKFLOW]["allow_simultaneous"] is True
    assert not [one for one in templates.values() if one.get("allow_simultaneous")]


def test_a_request_for_approval_says_what_to_read(sent: Sent) -> None:
    templates = named(sent, "notification_template")
    messages = templates["Ingress: a plan needs approval"]["messages"]
    # What AWX gives the templates of this message. Anything else would be an empty message.
    known = {
        "approval_status": "running",
        "approval_node_name": "Ingress: approve the plan",
        "workflow_url": "https://awx.example.com/#/jobs/workflow/1",
        "job_metadata": "{}",
    }
    shown = {
        kind: ImmutableSandboxedEnvironment(undefined=StrictUndefined).from_string(text).render(known)
        for kind, text in messages["workflow_approval"]["running"].items()
    }

    # AWX adds the missing ones, so each run would report a change.
    assert messages.keys() == {"started", "success", "error", "workflow_approval"}
    assert "messages" not in templates["Ingress: a job failed"]
    assert "\n" not in messages["workflow_approval"]["running"]["message"]
    for text in (shown["message"], json.loads(shown["body"])["body"]):
        assert known["workflow_url"] in text
        assert 'the events of its task "List the changes", to the end of the list' in text
    assert "List the changes" in [task["name"] for task in read("project/estate.yml")[0]["tasks"]]
    assert len(shown["body"].encode()) < 1000


def test_more_credentials_notifications_and_slices_are_part_of_what_is_set(sent: Sent) -> None:
    templates, workflows = named(sent, "job_template"), named(sent, "workflow_job_template")

    assert {tuple(one["credentials"]) for one in templates.values()} == {("Ingress: shop", "Ingress: vault")}
    slices = {name: one["job_slice_count"] for name, one in templates.items()}
    assert slices == {**dict.fromkeys((CHECK, APPLY, COLLECT), 3), **dict.fromkeys((PREVIEW, APPLY_APPROVED, WRITE), 1)}
    failed = ["Ingress: a job failed", "Mail"]
    for name in (CHECK, APPLY):
        assert templates[name]["notification_templates_error"] == failed
    # What others add to the steps stays, because nothing is said about it.
    assert not [one for name in (PREVIEW, APPLY_APPROVED) for one in templates[name] if "notification" in one]
    assert [one["notification_templates_error"] for one in workflows.values()] == [failed, failed]
    assert workflows[WORKFLOW]["notification_templates_approvals"] == ["Ingress: a plan needs approval", "Chat"]


@pytest.mark.long(cores=0)
def test_a_run_after_a_rotation_sets_the_same_as_before(load: Load) -> None:
    first = succeeded(load, SETTINGS)
    run, second = load(SETTINGS, "update_secrets=true", account={**ACCOUNT, "INGRESS_API_KEY": "ak_new"})

    assert run.code == 0, run.output
    [changed] = [(before, after) for before, after in zip(first, second, strict=True) if before != after]
    assert [one["update_secrets"] for _module, one in changed] == [False, True]
    assert [one["inputs"]["api_key"] for _module, one in changed] == [KEY, "ak_new"]
    assert "ak_new" not in run.output


GIVEN = "project_url and execution_environment_image must be set, and notification_url must be a URL"
WRONG: list[tuple[list[Any], str, dict[str, str] | None]] = [
    ([SETTINGS, {"access": {"aprove": {"teams": ["A"]}}}], "access: aprove is unknown; expected preview, ", None),
    ([SETTINGS, {"access": {"approve": {"team": ["A"]}}}], "access: team is unknown; expected preview, ", None),
    ([SETTINGS, {"access": ["preview"]}], "access a dictionary", None),
    ([SETTINGS, {"update_secret": True, "job_slices": 2}], "job_slices, update_secret: unknown settings", None),
    ([SETTINGS, {"update_secrets": "ture"}], "update_secrets true or false", None),
    ([SETTINGS, {"job_slice_count": "many"}], "job_slice_count a number from 1", None),
    ([SETTINGS, {"organization": None}], "organization must be strings", None),
    ([SETTINGS, {"project_url": ["a"]}], "project_url, execution_environment_image", None),
    ([SETTINGS, {"project_url": "  "}], GIVEN, None),
    ([SETTINGS, {"account": {"base_url": "https://a", "api_key": None}}], "INGRESS_API_KEY must be set", None),
    # The rotation alone, no project, no image, no decision on notifications, and no key.
    (["update_secrets=true"], GIVEN, None),
    ([SETTINGS, {"execution_environment_image": None}], GIVEN, None),
    (["project_url=https://git.example.com/a.git", "execution_environment_image=a"], GIVEN, None),
    ([SETTINGS, {"notification_url": None}], GIVEN, None),
    ([SETTINGS], GIVEN, {**ACCOUNT, "INGRESS_API_KEY": ""}),
    ([SETTINGS], "Set INGRESS_BASE_URL.", {}),
]


@pytest.mark.parametrize(("extra", "said", "account"), first_alone(WRONG))
def test_a_wrong_or_missing_setting_is_an_error_and_nothing_is_sent(
    load: Load, extra: list[Any], said: str, account: dict[str, str] | None
) -> None:
    run, sent = load(*extra, account=ACCOUNT if account is None else account)
    assert (run.code, sent) == (2, [])
    assert said in run.output
    assert "Nothing was changed" in run.output or said == "Set INGRESS_BASE_URL."
