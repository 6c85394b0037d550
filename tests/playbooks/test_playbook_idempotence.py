# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo playbook has nothing to do in its second run, whatever the service's habits."""

from __future__ import annotations

import random

import pytest

from collection_tree import CHECKOUT
from every_switch import REJECT, every_switch
from module_task import WRITES
from playbook_run import COLLECTION, Ansible

pytestmark = [pytest.mark.every_core, pytest.mark.long(cores=0)]

# The demo finds its edge by the list of edges, which a service need not have.
LEFT_ALONE = {*REJECT, "operations"}


@pytest.mark.parametrize("number", range(4))
def test_the_demo_changes_nothing_the_second_time(number: int, ansible: Ansible) -> None:
    switches = dict(random.Random(number).sample(every_switch(), len(every_switch())))
    switches = {name: value for name, value in switches.items() if name not in LEFT_ALONE}
    ansible.service.switches(**switches)
    environment = {
        "INGRESS_BASE_URL": ansible.service.base_url,
        "INGRESS_API_KEY": ansible.service.api_key,
        "SHOP_LOGIN_SECRET": "words-for-the-shop",
    }

    first = ansible.playbook(CHECKOUT / "playbooks" / "demo.yml", environment=environment)
    ansible.service.forget_journal()
    second = ansible.playbook(CHECKOUT / "playbooks" / "demo.yml", environment=environment)

    assert (first.code, second.code) == (0, 0), f"{switches}\n{first.output}{second.output}"
    ours = [[record for record in run.records if record["action"].startswith(COLLECTION)] for run in (first, second)]
    assert len(ours[0]) == len(ours[1]) == 4
    assert all(record["result"]["changed"] for record in ours[0] if not record["action"].endswith("_info"))
    assert [record["task"] for record in ours[1] if record["result"]["changed"]] == [], switches
    assert [request for request in ansible.service.journal() if request["method"] in WRITES] == [], switches
