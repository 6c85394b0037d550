# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that have the name of the same thing in another module as well."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import SOURCE, SUBSCRIPTION, TLS_EDGE, seed_subscription, seed_tls_edge

ALIASES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("tls_edge_info", {"id": TLS_EDGE}, {"edge_id": TLS_EDGE}),
    (
        "event_sources",
        {"subscription_id": SUBSCRIPTION, "types": [SOURCE]},
        {"subscription_id": SUBSCRIPTION, "sources": [SOURCE]},
    ),
    (
        "estate",
        {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "sources": [SOURCE]}]},
        {"event_subscriptions": [{"subscription_id": SUBSCRIPTION, "types": [SOURCE]}]},
    ),
]


@pytest.mark.parametrize(("module", "options", "aliased"), ALIASES, ids=[module for module, *_rest in ALIASES])
def test_an_alias_means_the_option(tasks: Tasks, module: str, options: dict[str, Any], aliased: dict[str, Any]) -> None:
    seed_tls_edge(tasks, ip_restriction={"ip_policy_ids": ["ipp_one"]})
    seed_subscription(tasks)
    by_name, by_alias = (tasks.done(module, True, **given) for given in (options, aliased))
    requests = [[(one["method"], one["path"]) for one in result.pop("sent")] for result in (by_name, by_alias)]
    assert by_name == by_alias
    assert requests[0] == requests[1] != []
