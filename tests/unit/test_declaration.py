# SPDX-License-Identifier: GPL-3.0-or-later
"""A state as it could be declared, and the diff that is made of two of them."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model import identifiers
from ansible_collections.edgeops.ingress.plugins.module_utils._model.declaration import (
    NEW_SECRET,
    declaration,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import MASK
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Plan, Target

pytestmark = pytest.mark.every_core

KEY = {"match_type": "exact_path", "match": "/"}
WEBHOOK = {"webhook_verification": {"provider": "slack", "secret": "canary"}}


def state(**wire: Any) -> dict[str, Any]:
    """The normal form of a route that the service shows so."""
    read: dict[str, Any] = HTTPS_EDGE_ROUTE.read({"id": "edghtsrt_a", **KEY, **wire}, "")
    return read


def test_empty_values_are_omitted_unless_they_say_something() -> None:
    assert declaration(HTTPS_EDGE_ROUTE, None) is None
    assert declaration(HTTPS_EDGE_ROUTE, state(description="", compression=None)) == KEY
    # Without content, headers say that they have none.
    fields = {"description": "d", "request_headers": {"enabled": True, "add": {}, "remove": []}}
    fields["compression"] = {"enabled": False}
    assert declaration(HTTPS_EDGE_ROUTE, state(**fields)) == {**KEY, **fields}
    breaker = {"enabled": False, "num_buckets": 0, "error_threshold_percentage": 0}
    shown = declaration(HTTPS_EDGE_ROUTE, state(circuit_breaker=breaker)) or {}
    assert shown["circuit_breaker"].items() >= breaker.items()


def test_a_diff_has_its_object_for_a_header_and_new_secrets_on_one_side() -> None:
    before, after = state(description="a", **WEBHOOK), state(description="b", **WEBHOOK)
    changes = ("description", "webhook_verification.secret")
    shown = Plan(Target("a", HTTPS_EDGE_ROUTE), before, after, after, changes=changes).diff
    assert (shown["before_header"], shown["after_header"]) == ("~ update https_edge_route a",) * 2
    assert shown["before"] == declaration(HTTPS_EDGE_ROUTE, before)
    assert shown["after"] == declaration(HTTPS_EDGE_ROUTE, after, changes)
    assert shown["before"]["webhook_verification"]["secret"] == MASK
    assert shown["after"]["webhook_verification"]["secret"] == NEW_SECRET


@pytest.mark.parametrize("one", ["before", "after"])
def test_a_diff_of_what_is_not_there_has_nothing_on_that_side(one: str) -> None:
    sides = {"before": state(), "after": state(), one: None}
    shown = Plan(Target("a", HTTPS_EDGE_ROUTE), sides["before"], None, sides["after"]).diff
    assert {side: shown[side] is None for side in sides} == {side: side == one for side in sides}


def test_a_placeholder_is_distinguished_from_an_id() -> None:
    made = identifiers.placeholder("edghts_")
    assert made.startswith("edghts_")
    assert identifiers.is_placeholder(made)
    for other in ("", "edghts_a", made + "_", made.removeprefix("edghts_"), made.replace("_", "-"), None, 5, [made]):
        assert not identifiers.is_placeholder(other), other


def test_a_placeholder_means_something_in_check_mode_only() -> None:
    made = identifiers.placeholder("edghts_")
    assert list(identifiers.placeholder_errors(made, "edge_id", check_mode=True)) == []
    assert list(identifiers.placeholder_errors("edghts_a", "edge_id", check_mode=False)) == []
    [option_error] = map(str, identifiers.placeholder_errors(made, "edge_id", check_mode=False))
    assert option_error.startswith(f"edge_id: {made} ")
