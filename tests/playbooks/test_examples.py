# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation of the modules, compared with what they do: the examples run, and their results are checked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml
from ansible import release

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.option_specs import DocumentedElsewhere
from collection_tree import CHECKOUT, MODULES
from deprecations import SHOWN, deprecations
from reference_service_process import ReferenceService

pytestmark = pytest.mark.every_core

COLLECTION = "edgeops.ingress"
CALLBACKS = CHECKOUT / "tests" / "support" / "callbacks"
PLAYBOOK_SECONDS = 300
# ansible-doc of 2.16 puts each option's name on a line of its own.
ESTATE_OPTION_LINES = 1070 if release.__version__.startswith("2.16.") else 900
"""More than a reader can be expected to scroll through. Details belong to the pages of single objects."""

SEED = {
    "https_edges": [
        {
            "id": "edghts_2fQmJ8sYv1",
            "hostports": ["blog.example.com:443"],
            "metadata": '{"team":"web"}',
            "routes": [
                {"id": "edghtsrt_2fQmJ8sYv1", "match_type": "path_prefix", "match": "/"},
                {
                    "match_type": "path_prefix",
                    "match": "/drafts",
                    "oauth": {"provider": {"github": {"client_id": "client", "client_secret": "words"}}},
                },
            ],
        },
        {"description": "Without hostports", "tls_termination": {"min_version": "1.3"}},
    ],
    "tls_edges": [{"id": "edgtls_2fQmJ8sYv1"}],
    "event_subscriptions": [{"id": "esb_2fQmJ8sYv1", "sources": ["http_request_complete.v0"]}],
    "tunnels": [
        {"id": "tn_2fQmJ8sYv1", "labels": {"service": "shop"}, "backends": [{"id": "bk_2fQmJ8sYv1"}]},
        {"proto": "tcp", "region": "eu", "metadata": "ssh", "public_url": "tcp://1.tcp.example.net:12345"},
        {"proto": "https", "region": "us", "public_url": "https://shop.example.app", "forwards_to": "localhost:80"},
    ],
}
"""The objects on the service when the examples run."""

VARIABLES = {
    "github_client_id": "Iv1.example",
    "github_client_secret": "words-for-github",
    "oidc_client_secret": "words-for-oidc",
    "payment_webhook_secret": "words-for-payments",
    "vault_password": "words-for-the-vault",
}
"""The variables that the examples use."""

OF_ANY_SHAPE = ("invocation", "json", "status", "object", "objects")
"""What check mode cannot predict: the fields that a service adds to a response or an object that nobody knows."""

OWN_KEYS = {"changed", "failed", "msg", "invocation", "diff", "exception", "warnings"}
"""Keys of results that all modules of Ansible can have. They need no documentation."""

IN_EVERY_RESULT = frozenset({"always"})
IN_EVERY_SUCCESS = frozenset(
    {
        "always",
        "success",
        "unless the options are invalid",
        "success, when some objects failed, and when the plan is rejected",
    }
)

TYPES: dict[str, Any] = {"str": str, "int": int, "float": (float, int), "bool": bool, "dict": dict, "list": list}

Record = dict[str, Any]


@pytest.fixture(scope="session")
def documentation() -> dict[str, dict[str, Any]]:
    """What ansible-doc returns for each module: `doc` (with fragments), `examples`, and `return`."""
    names = [f"{COLLECTION}.{module}" for module in MODULES]
    found = json.loads(ansible_doc("--json", *names))
    return {name.removeprefix(f"{COLLECTION}."): documentation for name, documentation in found.items()}


def ansible_doc(*arguments: str) -> str:
    """Return what ansible-doc prints, in the width that it uses without a terminal."""
    command = [sys.executable, "-m", "ansible", "doc", "--type", "module", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PLAYBOOK_SECONDS).stdout


class Playbooks:
    """Runs tasks with ansible-playbook, and returns the results of the collection's modules."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(
        self, *plays: str, arguments: Sequence[str] = (), keywords: str = "", environment: dict[str, str] | None = None
    ) -> list[Record]:
        """Run plays, each the YAML of a list of tasks. `keywords` is the YAML of further keywords for all plays."""
        playbook, results = self._folder / "playbook.yml", self._folder / "results.jsonl"
        head = f"- name: Examples\n  hosts: localhost\n  gather_facts: false\n{indent(keywords, '  ')}  tasks:\n"
        playbook.write_text("".join(f"{head}{indent(tasks, '    ')}\n" for tasks in plays), encoding="utf-8")
        results.write_text("", encoding="utf-8")
        command = [sys.executable, "-m", "ansible", "playbook", "--diff", "--extra-vars", json.dumps(VARIABLES)]
        run = subprocess.run(
            [*command, *arguments, str(playbook)],
            check=False,
            capture_output=True,
            text=True,
            timeout=PLAYBOOK_SECONDS,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("INGRESS_")},
                "AUDIT_SECRET": "secret-of-the-audit",
                **(environment or {}),
                **SHOWN,
                "LC_ALL": "C.UTF-8",
                "ANSIBLE_HOME": str(self._folder / "ansible_home"),
                "ANSIBLE_CALLBACK_PLUGINS": str(CALLBACKS),
                "ANSIBLE_CALLBACKS_ENABLED": "record_results",
                "RECORDED_RESULTS": str(results),
            },
        )
        assert run.returncode == 0, run.stdout + run.stderr
        records = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
        assert deprecations(run.stdout + run.stderr, (record["result"] for record in records)) == []
        own = (record for record in records if record["action"].startswith(COLLECTION))
        return [record for record in own if "censored" not in record["result"]]  # no_log


@pytest.fixture
def playbooks(tmp_path: Path) -> Playbooks:
    return Playbooks(tmp_path)


def test_examples_run_unchanged_in_check_mode(
    documentation: dict[str, Any], service: ReferenceService, playbooks: Playbooks
) -> None:
    service.reset()
    service.seed(**SEED)
    before = service.state()
    connection = {"INGRESS_BASE_URL": service.base_url, "INGRESS_API_KEY": service.api_key}

    examples = [yaml.safe_dump(approved_tasks(documentation[module]["examples"])) for module in MODULES]
    records = playbooks.run(*examples, arguments=["--check"], environment=connection)

    assert {record["action"] for record in records} == {f"{COLLECTION}.{module}" for module in MODULES}
    assert list(undocumented(records, documentation)) == []
    assert service.state() == before


@pytest.mark.parametrize(
    "module", [pytest.param(module, marks=pytest.mark.long(cores=int(module == "estate"))) for module in MODULES]
)
def test_examples_do_what_check_mode_predicts_and_are_idempotent(
    module: str, documentation: dict[str, Any], service: ReferenceService, playbooks: Playbooks
) -> None:
    service.reset()
    service.seed(**SEED)

    records = playbooks.run(
        yaml.safe_dump(
            approved_tasks(documentation[module]["examples"], {"check_mode": True}, {}, {}), sort_keys=False
        ),
        keywords=f"module_defaults:\n  group/{COLLECTION}.all:\n"
        f"    base_url: {service.base_url}\n    api_key: {service.api_key}\n",
    )

    assert list(undocumented(records, documentation)) == []
    assert len(records) % 3 == 0
    assert any(record["result"]["changed"] for record in records) or module.endswith("_info")
    for predicted, real, again in zip(records[::3], records[1::3], records[2::3], strict=True):
        attributes = attributes_of(real, documentation)
        assert shape(predicted["result"]) == shape(real["result"])
        expected, actual = predicted["result"], with_placeholder_ids(real["result"], predicted["result"])
        for key in ("changed", "operations", "diff", "summary"):
            assert expected.get(key) == actual.get(key)
        assert ("diff" in real["result"]) == (attributes["diff_mode"]["support"] == "full")
        if attributes["idempotent"]["support"] != "none":
            assert not again["result"]["changed"], again


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"api_key": "not-the-key"}, "error"),
        pytest.param({"base_url": "ftp://example.com"}, "option_errors", marks=pytest.mark.long(cores=0)),
    ],
)
def test_failures_are_documented(
    wrong: dict[str, str], key: str, documentation: dict[str, Any], service: ReferenceService, playbooks: Playbooks
) -> None:
    service.reset()
    connection = {"base_url": service.base_url, "api_key": service.api_key, **wrong}
    tasks = [first_task(module, documentation) for module in MODULES]
    for task in tasks:
        task["ignore_errors"] = True
        [action] = [name for name in task if name.startswith(COLLECTION)]
        task[action] = {**(task[action] or {}), **connection}

    records = playbooks.run(json.dumps(tasks))

    assert [record["action"] for record in records] == [f"{COLLECTION}.{module}" for module in MODULES]
    assert [record["action"] for record in records if not record["failed"] or key not in record["result"]] == []
    assert list(undocumented(records, documentation)) == []


@pytest.mark.parametrize(
    ("module", "options", "key", "part"),
    [
        (
            "https_edge_routes",
            {"edge_id": "edghts_2fQmJ8sYv1", "routes": [{"id": "edghtsrt_unknown", "description": "?"}]},
            "failures",
            "msg",
        ),
        (
            "event_sources",
            {"subscription_id": "esb_2fQmJ8sYv1", "types": ["unknown.v0"], "allow_unknown_type": True},
            "failures",
            "error",
        ),
        (
            "estate",
            {
                "https_edges": [
                    {"hostports": ["blog.example.com:443", "wiki.example.com:443"]},
                    {"id": "edghts_unknown", "routes": [{"match_type": "path_prefix", "match": "/"}]},
                    {"hostports": ["shop.example.com:443"]},
                ]
            },
            "failures",
            "ids",
        ),
        (
            "estate",
            {"tls_edges": [{"edge_id": "edgtls_upstream", "tls_termination": {"min_version": "1.3"}}]},
            "failures",
            "object",
        ),
        (
            "estate",
            {"https_edges": [], "purge": ["edges"], "allow_empty": True, "max_deletions": 2},
            "planned_deletions",
            "reason",
        ),
    ],
)
@pytest.mark.long(cores=0)
@pytest.mark.parametrize("arguments", [(), ("--check",)], ids=["real", "check"])
def test_failures_of_some_objects_are_documented(  # noqa: PLR0913, PLR0917 - a case's parts, and fixtures
    module: str,
    options: dict[str, Any],
    key: str,
    part: str,
    arguments: tuple[str, ...],
    documentation: dict[str, Any],
    service: ReferenceService,
    playbooks: Playbooks,
) -> None:
    service.reset()
    service.seed(**SEED)
    service.seed(
        https_edges=[{"hostports": ["wiki.example.com:443"]}],
        tls_edges=[{"id": "edgtls_upstream", "tls_termination": {"terminate_at": "upstream"}}],
    )
    connection = {"base_url": service.base_url, "api_key": service.api_key}
    task = {"name": "Fail", f"{COLLECTION}.{module}": {**options, **connection}, "ignore_errors": True}

    [record] = playbooks.run(json.dumps([task]), arguments=arguments)

    if module != "event_sources" or not arguments:  # only the service itself rejects that
        assert record["failed"]
        assert [one for one in record["result"][key] if part in one] != []
    assert list(undocumented([record], documentation)) == []


@pytest.mark.parametrize(
    ("module", "key", "kind"),
    [
        ("https_edge", "https_edge", schema.HTTPS_EDGE),
        ("https_edge_route", "https_edge_route", schema.HTTPS_EDGE_ROUTE),
        ("tls_edge_ip_restriction", "ip_restriction", schema.TLS_EDGE_MODULES["ip_restriction"]),
        ("tls_edge_tls_termination", "tls_termination", schema.TLS_EDGE_MODULES["tls_termination"]),
        ("event_source", "event_source", schema.EVENT_SOURCE),
        ("event_sources", "event_sources", schema.EVENT_SOURCE),
        ("tunnel_info", "tunnels", schema.TUNNEL),
    ],
)
def test_every_field_of_an_object_is_documented(
    module: str, key: str, kind: Object, documentation: dict[str, Any]
) -> None:
    """The examples do not set every field, but the schema lists them all."""
    assert field_differences(documentation[module]["return"][key], kind, key) == []


def test_the_options_of_estate_fit_on_a_short_page() -> None:
    """The details of nested options are on the pages of the modules that manage these objects alone."""
    options, _, examples = ansible_doc(f"{COLLECTION}.estate").partition("EXAMPLES:")
    assert examples
    assert options.count("\n") <= ESTATE_OPTION_LINES


def approved_tasks(examples: str, *modes: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tasks, ours in each of these modes, which are keywords, and each with an approval if it needs one."""
    tasks = []
    for task in yaml.safe_load(examples):
        ours = [name for name in task if name.startswith(COLLECTION)]
        for mode in modes if modes and ours else [{}]:
            tasks += [*(plan for name in ours for plan in approvals(task, name)), {**task, **mode}]
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


def first_task(module: str, documentation: dict[str, Any]) -> dict[str, Any]:
    """Return the first example of the module itself, without values from earlier tasks."""
    examples = yaml.safe_load(documentation[module]["examples"])
    task: dict[str, Any] = next(task for task in examples if f"{COLLECTION}.{module}" in task)
    options = task[f"{COLLECTION}.{module}"] or {}
    if "edge_id" in options and "{{" in options["edge_id"]:
        options["edge_id"] = "edghts_2fQmJ8sYv1"
    return task


def attributes_of(record: Record, documentation: dict[str, Any]) -> dict[str, Any]:
    attributes: dict[str, Any] = documentation[record["action"].removeprefix(f"{COLLECTION}.")]["doc"]["attributes"]
    return attributes


def undocumented(records: list[Record], documentation: dict[str, Any]) -> Iterator[str]:
    """Yield the differences between results and the documentation of their modules."""
    for record in records:
        returned = documentation[record["action"].removeprefix(f"{COLLECTION}.")]["return"]
        expected = IN_EVERY_RESULT if record["failed"] else IN_EVERY_SUCCESS
        result = {
            key: value
            for key, value in record["result"].items()
            if key not in OWN_KEYS and not key.startswith("_ansible_")
        }
        yield from member_differences(result, returned, record["action"], expected)


def member_differences(
    values: dict[str, Any], documented: dict[str, Any], path: str, expected: frozenset[str] = IN_EVERY_SUCCESS
) -> Iterator[str]:
    for key in values.keys() - documented.keys():
        yield f"{path}.{key} is not documented: {values[key]!r}"
    for key, about in documented.items():
        if key in values:
            yield from value_differences(values[key], about, f"{path}.{key}")
        # Members of an object say when they are returned only if that is not always.
        elif about.get("returned", "always").split(",")[0] in expected:
            yield f"{path}.{key} is missing"


def value_differences(value: Any, about: dict[str, Any], path: str) -> Iterator[str]:
    if value is None:
        if "null" not in str(about["description"]).lower():
            yield f"{path} is null, and the documentation does not say so"
    elif about["type"] != "raw" and (
        not isinstance(value, TYPES[about["type"]]) or (isinstance(value, bool) and about["type"] != "bool")
    ):
        yield f"{path}: expected {about['type']}, got {value!r}"
    elif isinstance(value, dict) and "contains" in about:
        yield from member_differences(value, about["contains"], path)
    elif isinstance(value, list):
        element = {"description": "", "type": "raw" if about["type"] == "raw" else about["elements"]}
        if "contains" in about:
            element["contains"] = about["contains"]
        for number, item in enumerate(value):
            yield from value_differences(item, element, f"{path}[{number}]")


def with_placeholder_ids(real: Record, predicted: Record) -> Record:
    """Return the result of an estate with the placeholder IDs that check mode has for new edges."""
    text = json.dumps(real)
    for created, expected in zip(real.get("https_edges", ()), predicted.get("https_edges", ()), strict=True):
        text = text.replace(created["id"], expected["id"])
    for name, created in named_objects(real).items():
        text = text.replace(created["id"], named_objects(predicted)[name]["id"])
    result: Record = json.loads(text)
    return result


def named_objects(result: Record) -> dict[str, Any]:
    found = result.get("objects")
    return found if isinstance(found, dict) else {}


def shape(value: Any) -> Any:
    """Return the keys of a result and of the objects in it. An object without a value could have any keys."""
    if isinstance(value, dict):
        return {key: shape(member) for key, member in value.items() if key not in OF_ANY_SHAPE}
    return [shape(item) for item in value] if isinstance(value, list) else None


def field_differences(about: dict[str, Any], kind: Object, path: str) -> list[str]:
    documented = about.get("contains", {})
    differences = [f"{path}: {name}" for name in sorted({f.name for f in kind.fields} ^ documented.keys())]
    elsewhere = {name for name, option in kind.options().items() if isinstance(option, DocumentedElsewhere)}
    for f in kind.fields:
        if isinstance(f.kind, Object) and f.name in documented and f.name not in elsewhere:
            differences += field_differences(documented[f.name], f.kind, f"{path}.{f.name}")
    return differences
