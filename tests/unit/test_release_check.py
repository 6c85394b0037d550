# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands against a release."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from collection_tree import CHECKOUT
from release_check import problems_of

GALAXY = {"version": "1.1.0"}
CHANGELOG: dict[str, Any] = {
    "releases": {
        "1.0.0": {"modules": [{"name": "estate"}, {"name": "estate_info"}]},
        "1.1.0": {
            "changes": {"release_summary": "What is new."},
            "plugins": {"lookup": [{"name": "object_id"}]},
            "objects": {"role": [{"name": "report"}]},
        },
    },
}
README = """
| Name | Purpose |
|---|---|
| `estate`, `estate_info` | Manage everything in `one` task |
| lookup `object_id` | Find an ID |
| role [`report`](roles/report/README.md) | Write a report |
"""


OF_ONE = {"releases": {"1.1.0": {"changes": {"release_summary": "What is new."}}}}
# The version, the changelog, the fragments, README.md, and what is wrong with them.
CASES: list[tuple[str, dict[str, Any], list[str], str, list[str]]] = [
    ("1.1.0", CHANGELOG, [], README, []),
    ("1.1.0", {"releases": {"1.0.0": {}}}, [], "", ["The changelog does not know 1.1.0, only 1.0.0."]),
    ("1.1.0", {}, [], "", ["The changelog does not know 1.1.0, only no version at all."]),
    ("1.1.0", {"releases": {"1.1.0": {}}}, [], "", ["The changelog has no summary of 1.1.0."]),
    ("1.1.0", CHANGELOG, ["a.yml", "b.yml"], "", ["These fragments are not in the changelog yet: a.yml, b.yml."]),
    (
        "v1.1.0",
        CHANGELOG,
        [],
        "",
        ["galaxy.yml says that this is 1.1.0, not v1.1.0.", "The changelog does not know v1.1.0, only 1.0.0, 1.1.0."],
    ),
    (
        "1.1.0",
        OF_ONE,
        [],
        README,
        ["README.md names what no release in the changelog contains: estate, estate_info, object_id, report."],
    ),
]


@pytest.mark.parametrize(("version", "changelog", "fragments", "readme", "problems"), CASES)
def test_what_stands_against_a_release(
    version: str, changelog: dict[str, Any], fragments: list[str], readme: str, problems: list[str]
) -> None:
    assert problems_of(version, GALAXY, changelog, fragments, readme) == problems


def test_fragments_have_no_markup_of_plugins() -> None:
    """The changelog would show it as it is."""
    markup = re.compile(r"\b(?:[A-Z]|RV)\([^)]*\)")
    fragments = (CHECKOUT / "changelogs" / "fragments").glob("*.yml")
    found = {path.name: markup.findall(path.read_text(encoding="utf-8")) for path in fragments}
    assert {name: each for name, each in found.items() if each} == {}


def test_everything_that_readme_names_is_released_or_new_in_this_version() -> None:
    """What is new is added to the changelog when that is made, by its version in the documentation."""
    changelog = yaml.safe_load((CHECKOUT / "changelogs" / "changelog.yaml").read_text(encoding="utf-8"))
    galaxy = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text(encoding="utf-8"))
    version = galaxy["version"].removesuffix("-dev0")
    new = {"modules": [{"name": name} for name in names_since(version)], "changes": {"release_summary": "What is new."}}
    given = {"releases": {**changelog["releases"], version: new}}
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert "`declaration_yaml`" in readme
    assert problems_of(version, {"version": version}, given, [], readme) == []


def names_since(version: str) -> set[str]:
    """The names of the plugins and roles whose documentation says that they came with this version."""
    added = re.compile(rf"^(    )?version_added: {re.escape(version)}$", re.MULTILINE)
    files = [*CHECKOUT.glob("plugins/*/*.py"), *CHECKOUT.glob("roles/*/meta/argument_specs.yml")]
    found = [path for path in files if added.search(path.read_text(encoding="utf-8"))]
    return {path.stem if path.suffix == ".py" else path.parents[1].name for path in found}
