# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles `estate` and `report` reject variables that they do not have: a misspelt one must not count as not set."""

from __future__ import annotations

from typing import Any

import pytest

from playbook_run import Ansible, Run, attempts

pytestmark = pytest.mark.every_core

# Variables of a role, and all that is said of them. No value of an unknown one is templated: it would fail in its
# own way. Ansible's own check of the arguments comes first, and notices some of the others.
REJECTED: dict[str, list[tuple[dict[str, Any], list[str]]]] = {
    "estate": [
        (
            {
                "estate_https_edge": "{{ nothing_of_that_name }}",
                "estate_event_subcriptions": [],
                "estate_url": "https://api.example.com",
                "estate_purge": ["edges"],
                "estate_zzz": "{{ lookup('ansible.builtin.pipe', 'exit 1') }}",
            },
            [
                "estate_event_subcriptions: unknown variable; did you mean estate_event_subscriptions?",
                "estate_https_edge: unknown variable; did you mean estate_https_edges",
                "estate_url: unknown variable; did you mean estate_base_url?",
                "estate_zzz: unknown variable. Names that start with estate_ are reserved for the role",
            ],
        ),
        ({"estate_https_edges": None}, ["estate_https_edges: is null; expected a list."]),
        ({"estate_https_edges": "{{ shop_edgs }}"}, ["shop_edgs"]),
        ({"estate_api_key": "{{ vault_of_shop }}"}, ["vault_of_shop"]),
    ],
    "report": [
        (
            {"report_fail_on_nev": "low", "report_destt": "{{ nothing_of_that_name }}", "report_accounts": None},
            [
                "report_accounts: unknown variable.",
                "report_destt: unknown variable; did you mean report_dest?",
                "report_fail_on_nev: unknown variable; did you mean report_fail_on_new?",
                "Names that start with report_ are reserved for the role.",
            ],
        ),
        ({"report_expected_accounts": None}, ["report_expected_accounts: is null; expected a list."]),
    ],
}
ROLES = """
- ansible.builtin.include_role: {name: edgeops.ingress.estate}
  loop: [first, again]
- ansible.builtin.include_role: {name: edgeops.ingress.report}
  loop: [first, again]
"""


def run_of(ansible: Ansible, tasks: str, **variables: Any) -> Run:
    connection = {f"{role}_{name}": one for role in REJECTED for name, one in ansible.connection.items()}
    return ansible.done(tasks, play={"vars": {**connection, "report_dest": "report.html", **variables}})


def test_misspelt_variables_and_those_without_a_value_are_errors(ansible: Ansible) -> None:
    run = run_of(
        ansible, "".join(attempts(role, *(variables for variables, _said in some)) for role, some in REJECTED.items())
    )
    expected = [said for some in REJECTED.values() for _variables, said in some]
    for said, message in zip(expected, run.errors(), strict=True):
        assert [part for part in said if part not in " ".join(message.split())] == []
        for words in ("unknown variable", "Names that start with"):
            assert message.count(words) == str(said).count(words)
    assert ansible.service.journal() == []


def test_the_variables_of_the_roles_pass_again_and_again(ansible: Ansible) -> None:
    estate = {"estate_https_edges": [{"hostports": ["one.example.com:443"]}], "estate_purge": ["edges"]}
    report = {"report_owners": [], "report_tunnels": False}
    # The second run of a role sees the result of the first.
    run = run_of(ansible, ROLES, my_estate_owner="me", **estate, **report)
    made = [one["result"]["changed"] for one in run.records if one["action"] == "edgeops.ingress.estate"]
    assert made == [True, False]
    assert (ansible.folder / "report.html").exists()
