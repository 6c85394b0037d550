# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of which nobody knows all, such as providers of webhooks: one that is almost a known one is a warning."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks
from places import HOSTPORT, KEY, seed_edge

SECRET = {"secret": "words-of-the-provider"}
TLS = "tls_termination.min_version"
PROVIDER = "webhook_verification.provider"


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize(
    ("path", "value", "meant"),
    [
        (TLS, "12", "1.2"),
        (TLS, "1,3", "1.3"),
        (TLS, "1.22", "1.2"),
        (PROVIDER, "gihtub", "github"),
        (PROVIDER, "Slak", "slack"),
        (PROVIDER, "stripee", "stripe"),
        (PROVIDER, "smd", ""),
        (PROVIDER, "SLACK", ""),
        (PROVIDER, "acme", ""),
        (TLS, "1.3", ""),
        (TLS, "TLSv1.3", ""),
        (TLS, "", ""),
    ],
)
def test_a_value_that_is_almost_a_known_one_is_a_warning(
    tasks: Tasks, path: str, value: str, meant: str, check: bool
) -> None:
    seed_edge(tasks)
    module, name = path.split(".")
    declared = {module: {name: value, **(SECRET if path == PROVIDER else {})}}
    of_edge = {"routes": [{**KEY, **declared}]} if path == PROVIDER else declared
    edge: dict[str, Any] = {"hostports": [HOSTPORT], **of_edge}
    result = tasks.done("estate", check, https_edges=[edge])
    warnings = [warning for warning in result.get("warnings", ()) if path in warning]
    assert [f"did you mean `{meant}`?" in warning for warning in warnings] == ([True] if meant else [])
    if not check:
        # The service has accepted it.
        assert "did you mean" not in str(tasks.done("estate", https_edges=[edge]).get("warnings"))
