# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of awx.awx 24.6.1 that docs/awx/load.yml uses: they check their arguments as those do, and record them.

Written from the source of that collection, which is not installed here. They run in Ansible's worker and send nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_NOTIFICATIONS = "notification_templates_started:list notification_templates_success:list notification_templates_error:list"
_STATE = "state=present|absent|exists"
_PROMPTS = " ".join(
    f"ask_{name}_on_launch:bool"
    for name in (
        *("diff_mode", "variables", "limit", "tags", "skip_tags", "job_type", "verbosity", "inventory", "credential"),
        *("execution_environment", "forks", "instance_groups", "job_slice_count", "labels", "timeout", "scm_branch"),
    )
)
# name! is required, name:type has a type other than string, and name=a|b has choices.
_OPTIONS = {
    "credential_type": f"name! new_name description kind=ssh|vault|net|scm|cloud|insights inputs:dict "
    f"injectors:dict {_STATE}",
    "credential": f"name! new_name copy_from description organization credential_type! inputs:dict update_secrets:bool user "
    f"team {_STATE}",
    "execution_environment": f"name! new_name image description organization credential {_STATE} pull=always|missing|never",
    "project": f"name! new_name copy_from description scm_type=manual|git|svn|insights|archive scm_url local_path scm_branch "
    "scm_refspec credential scm_clean:bool scm_delete_on_update:bool scm_track_submodules:bool scm_update_on_launch:bool "
    "scm_update_cache_timeout:int allow_override:bool timeout:int default_environment custom_virtualenv organization "
    f"{_NOTIFICATIONS} {_STATE} wait:bool update_project:bool interval:float signature_validation_credential",
    "inventory": "name! new_name copy_from description organization! variables:dict kind=|smart|constructed host_filter "
    f"instance_groups:list prevent_instance_group_fallback:bool {_STATE} input_inventories:list",
    "inventory_source": "name! new_name description inventory! source=scm|ec2|gce|azure_rm|vmware|satellite6|openstack|rhv|"
    "controller|insights|terraform|openshift_virtualization source_path source_vars:dict enabled_var enabled_value "
    "host_filter limit credential execution_environment custom_virtualenv organization overwrite:bool overwrite_vars:bool "
    "timeout:int verbosity:int update_on_launch:bool update_cache_timeout:int source_project scm_branch "
    f"{_NOTIFICATIONS} {_STATE}",
    "notification_template": "name! new_name copy_from description organization notification_type=awssns|email|grafana|irc|"
    "mattermost|pagerduty|rocketchat|slack|twilio|webhook notification_configuration:dict messages:dict " + _STATE,
    "job_template": "name! new_name copy_from description organization job_type=run|check inventory project playbook "
    "credential vault_credential credentials:list execution_environment custom_virtualenv instance_groups:list forks:int "
    "limit verbosity:int extra_vars:dict job_tags force_handlers:bool skip_tags start_at_task timeout:int "
    f"use_fact_cache:bool host_config_key {_PROMPTS} survey_enabled:bool survey_spec:dict become_enabled:bool "
    "diff_mode:bool allow_simultaneous:bool scm_branch job_slice_count:int webhook_service=github|gitlab| "
    f"webhook_credential labels:list {_NOTIFICATIONS} prevent_instance_group_fallback:bool {_STATE}",
    "workflow_job_template": "name! new_name copy_from description extra_vars:dict job_tags skip_tags organization "
    "survey_spec:dict survey_enabled:bool allow_simultaneous:bool ask_variables_on_launch:bool ask_labels_on_launch:bool "
    "ask_tags_on_launch:bool ask_skip_tags_on_launch:bool inventory limit scm_branch ask_inventory_on_launch:bool "
    "ask_scm_branch_on_launch:bool ask_limit_on_launch:bool webhook_service=github|gitlab webhook_credential labels:list "
    f"{_NOTIFICATIONS} notification_templates_approvals:list workflow_nodes:dicts destroy_current_nodes:bool {_STATE}",
    "schedule": "rrule name! new_name description execution_environment extra_data:dict forks:int instance_groups:list "
    "inventory job_slice_count:int labels:list timeout:int credentials:list scm_branch job_type=run|check job_tags "
    f"skip_tags limit diff_mode:bool verbosity:int unified_job_template organization enabled:bool {_STATE}",
    "role": "user users:list team teams:list role!=admin|read|member|execute|adhoc|update|use|approval|auditor|project_admin|"
    "inventory_admin|credential_admin|workflow_admin|notification_admin|job_template_admin|execution_environment_admin "
    "target_team target_teams:list inventory inventories:list job_template job_templates:list workflow workflows:list "
    "credential credentials:list organization organizations:list lookup_organization project projects:list "
    "instance_groups:list state=present|absent",
}

_ACTION = """
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


def write_modules(collections: Path, record: Path) -> None:
    """Write a collection awx.awx whose modules append a line for each task to the file `record`."""
    actions = collections / "ansible_collections" / "awx" / "awx" / "plugins" / "action"
    actions.mkdir(parents=True)
    for module, options in _OPTIONS.items():
        text = _ACTION.format(specification=specification(options), record=str(record), module=module)
        (actions / f"{module}.py").write_text(text, encoding="utf-8")


def recorded(record: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return the name and the arguments of each module that ran, in this order."""
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    return [(module, arguments) for module, arguments in map(json.loads, lines)]


def specification(options: str) -> dict[str, Any]:
    """Return the argument spec of a module."""
    found: dict[str, Any] = {}
    for option in options.split():
        named, _, choices = option.partition("=")
        name, _, kind = named.rstrip("!").partition(":")
        found[name] = {"type": kind or "str", "required": named.endswith("!")}
        if kind in ("list", "dicts"):
            found[name].update(type="list", elements="dict" if kind == "dicts" else "str")
        if choices:
            found[name]["choices"] = choices.split("|")
    return found


SPECIFICATIONS = {module: specification(options) for module, options in _OPTIONS.items()}
