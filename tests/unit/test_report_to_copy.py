# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report offers to copy fits into the option that it names."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.to_copy import declaration_of, yaml

OFFERED: list[tuple[str, Any, str]] = [
    ("https_edges", {"id": "edghts_1"}, "- id: edghts_1\n"),
    ("https_edges[0].routes", {"match": "/"}, "- match: /\n"),
    ("https_edges[0].routes[1].compression", {"enabled": True}, "enabled: true\n"),
    ("https_edges", None, ""),
    ("https_edges[0].mutual_tls", None, ""),
]


@pytest.mark.parametrize(("option", "declaration", "expected"), OFFERED)
def test_a_declaration_is_a_member_of_a_list(option: str, declaration: Any, expected: str) -> None:
    assert declaration_of({"option": option, "declaration": declaration}) == expected


def test_without_options_nothing_is_offered() -> None:
    assert (yaml(None), yaml({}), declaration_of({"option": "https_edges"})) == ("", "", "")
