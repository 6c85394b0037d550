# SPDX-License-Identifier: GPL-3.0-or-later
"""Options in brief, as inside lists of objects, compared with the same options in full."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.doc_fragments import _edge as edge
from ansible_collections.edgeops.ingress.plugins.doc_fragments import _route as route
from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import in_brief


def entries(options: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each option at any depth, with its path."""
    for name, option in options.items():
        yield f"{path}.{name}", option
        yield from entries(option.get("suboptions", {}), f"{path}.{name}")


@pytest.mark.parametrize("options", [edge.OPTIONS, route.OPTIONS], ids=["edge", "route"])
def test_a_brief_description_is_the_first_entry_of_the_full_one_which_is_one_sentence(options: dict[str, Any]) -> None:
    full, brief = (dict(entries(one)) for one in (options, in_brief(options)))
    assert brief.keys() == full.keys()
    for path, option in full.items():
        [description] = brief[path]["description"]
        assert description == option["description"][0], path
        assert description.endswith("."), path
        assert ". " not in description, path
        assert brief[path].get("choices") == option.get("choices"), path
