# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report offers to copy fits into the option that it names."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.to_copy import declaration_of, yaml

ROUTE = {"match": "/"}


@pytest.mark.parametrize(
    ("undeclared", "expected"),
    [
        ({"option": "https_edges", "declaration": {"id": "edghts_1"}}, "- id: edghts_1\n"),
        ({"option": "https_edges[0].routes", "declaration": ROUTE}, "- match: /\n"),
        ({"option": "https_edges[0].routes[1].compression", "declaration": {"enabled": True}}, "enabled: true\n"),
        ({"option": "https_edges"}, ""),
        ({"option": "https_edges", "declaration": None}, ""),
        ({"option": "https_edges[0].mutual_tls", "declaration": None}, ""),
    ],
    ids=["edge", "route", "traffic module", "no declaration", "null", "null for a traffic module"],
)
def test_a_declaration_is_a_member_of_a_list(undeclared: dict[str, Any], expected: str) -> None:
    assert declaration_of(undeclared) == expected


def test_without_options_nothing_is_offered() -> None:
    assert (yaml(None), yaml({})) == ("", "")
