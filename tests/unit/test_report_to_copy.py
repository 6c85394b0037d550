# SPDX-License-Identifier: GPL-3.0-or-later
"""What a report offers to copy fits into the option that it names."""

from __future__ import annotations

from typing import Any

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.page_view import declaration_of
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.wording import yaml

OFFERED: list[tuple[str, Any, str]] = [
    ("https_edges", {"id": "edghts_1"}, "- id: edghts_1\n"),
    ("https_edges[0].routes", {"match": "/"}, "- match: /\n"),
    ("https_edges[0].routes[1].compression", {"enabled": True}, "enabled: true\n"),
    ("https_edges", None, ""),
    ("https_edges[0].mutual_tls", None, ""),
]


def test_a_declaration_is_a_member_of_a_list() -> None:
    for option, declaration, expected in OFFERED:
        assert declaration_of({"option": option, "declaration": declaration}) == expected
    assert (yaml(None), yaml({}), declaration_of({"option": "https_edges"})) == ("", "", "")
