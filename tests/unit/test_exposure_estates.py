# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates made to look real. Their findings were read one by one: none of them is a false alarm."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION as ESTATE

ESTATES = sorted((Path(__file__).parent / "estates").glob("*.yml"))
CONNECTION = {"base_url": "http://127.0.0.1", "api_key": "key"}


def loaded(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("path", ESTATES, ids=lambda path: path.stem)
def test_findings_of_a_realistic_estate(path: Path) -> None:
    given = loaded(path)
    result = judge(given["estate"], given.get("tunnels")).result()
    assert [f"{one['severity']} {one['rule']} {one['path']}" for one in result["findings"]] == given["findings"]
    assert "words-for" not in json.dumps(result)


@pytest.mark.parametrize("path", ESTATES, ids=lambda path: path.stem)
def test_the_estate_could_be_applied(path: Path) -> None:
    """So nobody reads findings about what the service would reject."""
    arguments = checked(ESTATE, {**CONNECTION, **loaded(path)["estate"]})
    assert [*arguments.option_errors, *ESTATE.option_errors(arguments.options, False)] == []


@pytest.mark.parametrize("path", ESTATES, ids=lambda path: path.stem)
def test_validated_options_are_judged_like_what_was_written(path: Path) -> None:
    """Ansible adds every suboption that is omitted, as null."""
    given = loaded(path)["estate"]
    options = checked(ESTATE, {**CONNECTION, **given}).options
    assert judge(options).result() == judge(given).result()
