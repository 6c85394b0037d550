# SPDX-License-Identifier: GPL-3.0-or-later
"""A state as it could be declared, and the diff that is made of two of them."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model import identifiers
from ansible_collections.edgeops.ingress.plugins.module_utils._model.declaration import (
    NEW_SECRET,
    declaration,
    without_secrets,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import MASK
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._planning.plan import Plan, Target

pytestmark = pytest.mark.every_core

KEY = {"match_type": "exact_path", "match": "/"}
APP = {"client_id": "c", "client_secret": "canary_one"}


def state(**wire: Any) -> dict[str, Any]:
    """The normal form of a route that the service shows so."""
    read: dict[str, Any] = HTTPS_EDGE_ROUTE.read({"id": "edghtsrt_a", **KEY, **wire}, "")
    return read


SECRETS = {
    "webhook_verification": {"provider": "slack", "secret": "canary_two"},
    "oauth": {"provider": {"github": APP}},
}


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


@pytest.mark.parametrize(
    ("changes", "app", "webhook"),
    [
        ((), MASK, MASK),
        (("oauth.provider.github.client_secret",), NEW_SECRET, MASK),
        (("webhook_verification.secret", "match"), MASK, NEW_SECRET),
        (("oauth", "secret", "client_secret"), MASK, MASK),
    ],
)
def test_a_secret_is_masked_and_one_that_changes_says_so(changes: tuple[str, ...], app: str, webhook: str) -> None:
    shown = declaration(HTTPS_EDGE_ROUTE, state(**SECRETS), changes) or {}
    assert shown["oauth"]["provider"]["github"]["client_secret"] == app
    assert shown["webhook_verification"]["secret"] == webhook
    assert "canary" not in str(shown)


def test_a_value_like_a_mask_is_not_shown_as_new() -> None:
    shown = declaration(HTTPS_EDGE_ROUTE, state(description=MASK), ("webhook_verification.secret",))
    assert shown == {**KEY, "description": MASK}


def test_secrets_are_omitted_unless_another_setting_needs_them() -> None:
    shown = declaration(HTTPS_EDGE_ROUTE, state(**SECRETS, compression={"enabled": True})) or {}
    assert without_secrets(HTTPS_EDGE_ROUTE, shown) == {
        **KEY,
        "compression": {"enabled": True},
        "webhook_verification": {"enabled": True, "provider": "slack"},
        "oauth": {"enabled": True, "provider": {"github": {"client_id": "c", "client_secret": MASK}}},
    }
    assert "secret" in shown["webhook_verification"], "what it is made from stays as it is"


def test_a_diff_has_its_object_for_a_header_and_new_secrets_on_one_side() -> None:
    before, after = state(description="a", **SECRETS), state(description="b", **SECRETS)
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
