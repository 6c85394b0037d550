# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles `estate` and `report` reject variables that they do not have: a misspelt one must not count as not set."""

from __future__ import annotations

import pytest

from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

REJECTS = "Reject unknown variables"
MAKES = "Make the service match the declaration"
ROLE = "- ansible.builtin.include_role:\n    name: edgeops.ingress.estate\n"
REPORT = ROLE.replace("estate", "report")


def role_with(ansible: Ansible, variables: dict[str, object], *arguments: str, tasks: str = ROLE) -> Run:
    prefix = "report" if REPORT in tasks else "estate"
    connection = {f"{prefix}_{name}": value for name, value in ansible.connection.items()}
    return ansible.tasks(tasks, *arguments, play={"vars": {**connection, **variables}})


def test_misspelled_variables_are_errors_with_suggestions(ansible: Ansible) -> None:
    misspelt = {
        # No value is templated: this one would fail in its own way.
        "estate_https_edge": "{{ nothing_of_that_name }}",
        "estate_event_subcriptions": [],
        "estate_url": "https://api.example.com",
        "estate_purge": ["edges"],
        "estate_zzz": "{{ lookup('ansible.builtin.pipe', 'exit 1') }}",
    }
    run = role_with(ansible, misspelt)
    assert run.code != 0
    record = run.of(REJECTS)
    assert record["failed"]
    said = " ".join(record["result"]["msg"].split())
    for part in (
        "estate_event_subcriptions: unknown variable; did you mean estate_event_subscriptions?",
        "estate_https_edge: unknown variable; did you mean estate_https_edges",
        "estate_url: unknown variable; did you mean estate_base_url?",
        "estate_zzz: unknown variable. Names that start with estate_ are reserved for the role",
    ):
        assert part in said
    assert said.count("unknown variable") == 4
    assert ansible.service.journal() == []


def test_the_variables_of_the_role_pass_again_and_again(ansible: Ansible) -> None:
    declared = {"estate_https_edges": [{"hostports": ["one.example.com:443"]}], "estate_purge": ["edges"]}
    # The second run of the role sees the result of the first.
    run = role_with(ansible, {**declared, "my_estate_owner": "me"}, "--check", tasks=ROLE + ROLE)
    assert run.code == 0, run.output
    assert [record["failed"] for record in run.records if record["task"] == MAKES] == [False, False]


@pytest.mark.long(cores=0)
@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"estate_https_edges": None}, "estate_https_edges: is null; expected a list."),
        ({"estate_https_edges": "{{ shop_edgs }}"}, "shop_edgs"),
        ({"estate_api_key": "{{ vault_of_shop }}"}, "vault_of_shop"),
    ],
    ids=str,
)
def test_a_variable_without_a_value_is_an_error(ansible: Ansible, variables: dict[str, object], said: str) -> None:
    run = role_with(ansible, {"estate_event_subscriptions": [], **variables}, "--check")
    assert run.code != 0
    # Ansible's own check of the arguments comes first, and notices some of them.
    [failed] = [record for record in run.records if record["failed"]]
    assert failed["task"] != MAKES
    assert said in failed["result"]["msg"]
    assert ansible.service.journal() == []


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("report_fail_on_nev", "low", "unknown variable; did you mean report_fail_on_new?"),
        ("report_destt", "{{ nothing_of_that_name }}", "unknown variable; did you mean report_dest?"),
        ("report_accounts", None, "unknown variable. Names that start with report_ are reserved for the role."),
        ("report_expected_accounts", None, "is null; expected a list."),
    ],
)
def test_the_role_report_rejects_them_as_well(ansible: Ansible, name: str, value: object, said: str) -> None:
    run = role_with(ansible, {"report_dest": "report.html", name: value}, tasks=REPORT)
    message = run.of(REJECTS)["result"]["msg"]
    assert (run.code != 0, f"{name}: {said}" in message) == (True, True)
    assert ("Names that start with" in message) == ("unknown" in said)
    assert ansible.service.journal() == []


def test_the_role_report_accepts_its_variables_again_and_again(ansible: Ansible) -> None:
    run = role_with(
        ansible, {"report_dest": "report.html", "report_owners": [], "report_tunnels": False}, tasks=REPORT + REPORT
    )
    assert run.code == 0, run.output
    assert (ansible.folder / "report.html").exists()
