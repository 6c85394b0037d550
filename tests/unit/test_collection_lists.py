# SPDX-License-Identifier: GPL-3.0-or-later
"""The lists and files that Ansible wants next to the modules, compared with these, and the parts of files that `make
format` writes, compared with what it would write.
"""

from __future__ import annotations

import os
import re

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.doc_fragments._connection import ModuleDocFragment
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import connection
from collection_tree import CHECKOUT, CONTROL_NODE_MODULES, MODULES
from generate import generated
from module_examples import constants_of

# The kinds of plugins that a playbook or an inventory names.
PLUGINS = sorted(
    (folder, path.stem)
    for folder in ("filter", "inventory", "lookup", "modules")
    for path in (CHECKOUT / "plugins" / folder).glob("*.py")
    if path.stem != "__init__"
)
ROLES = sorted(path.name for path in (CHECKOUT / "roles").iterdir() if path.is_dir())
README_ROWS = [line for line in (CHECKOUT / "README.md").read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
KINDS = re.compile(r"^\| (filter|inventory|lookup|role) ")
FIRST_CELL = re.compile(r"\| (?:\w+ )?\[?`.*?(?= \| )")
FRAGMENTS = sorted((CHECKOUT / "changelogs" / "fragments").glob("*.y*ml"))
GALAXY = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text(encoding="utf-8"))
CHANGELOG = yaml.safe_load((CHECKOUT / "changelogs" / "changelog.yaml").read_text(encoding="utf-8"))
RUNTIME = yaml.safe_load((CHECKOUT / "meta" / "runtime.yml").read_text(encoding="utf-8"))


def test_lists_of_modules_name_all_of_them() -> None:
    """Ansible finds the action plugin of a module by its name. With a route, `module_defaults` of one reach others."""
    assert RUNTIME["action_groups"] == {"all": MODULES}
    assert "plugin_routing" not in RUNTIME
    names = {path.stem for path in (CHECKOUT / "plugins" / "action").glob("*.py")}
    assert names == {*MODULES, *CONTROL_NODE_MODULES}


def test_the_connection_of_plugins_is_documented_with_its_environment_variables() -> None:
    """What modules get from their argument specs, other plugins get from the documentation."""
    documentation, plugin = map(yaml.safe_load, (ModuleDocFragment.DOCUMENTATION, ModuleDocFragment.PLUGIN))
    assert documentation["options"].keys() == connection.CONNECTION_OPTIONS.keys()
    variables = {name: connection.environment_variable(name) for name in connection.CONNECTION_OPTIONS}
    assert plugin["options"] == {name: {"env": [{"name": variable}]} for name, variable in variables.items()}


@pytest.mark.parametrize(("folder", "name"), PLUGINS)
def test_every_plugin_says_since_when_it_is_there_and_is_in_the_table_of_the_readme(folder: str, name: str) -> None:
    added = str(yaml.safe_load(constants_of(name, folder)["DOCUMENTATION"])["version_added"])
    assert added in {GALAXY["version"].partition("-")[0], *CHANGELOG["releases"]}
    # The rows of modules hold nothing but names; the others say what kind of plugin it is.
    kind = "" if folder == "modules" else f"{folder} "
    assert any(f"{kind}`{name}`" in row and (kind or not KINDS.search(row)) for row in README_ROWS)


def test_what_is_not_released_has_the_next_version_and_says_so() -> None:
    """`make release` names the version that it wants to release."""
    version, _, suffix = GALAXY["version"].partition("-")
    assert os.environ.get("RELEASE") in (None, "a development version" if suffix else version)
    assert suffix == ("dev0" if FRAGMENTS else "")
    assert (version in CHANGELOG["releases"]) is not bool(FRAGMENTS)
    assert FRAGMENTS or CHANGELOG["releases"][version]["changes"]["release_summary"]
    readme = " ".join((CHECKOUT / "README.md").read_text(encoding="utf-8").split())
    assert f"This page describes version {GALAXY['version']}." in readme


def test_fragments_have_no_markup_of_plugins() -> None:
    """The changelog would show it as it is."""
    markup = re.compile(r"\b(?:[A-Z]|RV)\([^)]*\)")
    assert [path.name for path in FRAGMENTS if markup.search(path.read_text(encoding="utf-8"))] == []


def test_everything_that_the_readme_names_is_released_or_new_in_this_version() -> None:
    """What is new is added to the changelog when that is made, by its version in the documentation."""
    version, _, suffix = GALAXY["version"].partition("-")
    added = re.compile(rf"^(    )?version_added: {re.escape(version)}$", re.MULTILINE)
    files = [*CHECKOUT.glob("plugins/*/*.py"), *CHECKOUT.glob("roles/*/meta/argument_specs.yml")]
    new = [path for path in files if suffix and added.search(path.read_text(encoding="utf-8"))]
    known = {path.stem if path.suffix == ".py" else path.parents[1].name for path in new}
    for release in CHANGELOG["releases"].values():
        kinds = {"modules": release.get("modules", []), **release.get("plugins", {}), **release.get("objects", {})}
        known |= {entry["name"] for entries in kinds.values() for entry in entries}
    cells = [found[0] for row in README_ROWS if (found := FIRST_CELL.match(row))]
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert "declaration_yaml" in named
    assert named - known == set()


def test_every_playbook_is_on_a_page_and_those_about_awx_use_the_archive_of_this_version() -> None:
    files = [CHECKOUT / "README.md", *(CHECKOUT / "docs").rglob("*.md")]
    pages = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [path.name for path in CHECKOUT.glob("playbooks/*.y*ml") if f"playbooks/{path.name}" not in pages] == []
    definition = (CHECKOUT / "docs" / "awx" / "execution-environment.yml").read_text(encoding="utf-8")
    assert definition.count(f"edgeops-ingress-{GALAXY['version']}.tar.gz") == definition.count(".tar.gz") > 0


def test_the_hosted_documentation_leads_to_the_issue_templates() -> None:
    links = yaml.safe_load((CHECKOUT / "docs" / "docsite" / "links.yml").read_text(encoding="utf-8"))
    assert links["edit_on_github"]["repository"] == GALAXY["repository"].removeprefix("https://github.com/")
    named = [link["url"].partition("template=")[2] for link in links["extra_links"] if "template=" in link["url"]]
    templates = {path.name for path in (CHECKOUT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")}
    assert sorted(named) == sorted(templates - {"config.yml"})


@pytest.mark.parametrize("role", ROLES)
def test_every_role_is_in_the_table_of_the_readme_and_its_scenario_looks_for_changes(role: str) -> None:
    """In a second run and in a dry one."""
    assert any(f"role [`{role}`](roles/{role}/README.md)" in row for row in README_ROWS)
    assert (CHECKOUT / "roles" / role / "README.md").is_file()
    assert (CHECKOUT / "roles" / role / "meta" / "argument_specs.yml").is_file()
    scenarios = CHECKOUT / "extensions" / "molecule"
    files = (scenarios / "config.yml", scenarios / role / "molecule.yml")
    shared, own = (yaml.safe_load(file.read_text(encoding="utf-8")) for file in files)
    sequence = own.get("scenario", shared["scenario"])["test_sequence"]
    converged = sequence.index("converge")
    assert sequence[converged : converged + 4] == ["converge", "idempotence", "check", "verify"]
    assert "check" in sequence[:converged], "check mode before the objects exist"


FILES = {file.relative_to(CHECKOUT).as_posix(): text for file, text in generated().items()}


@pytest.mark.parametrize("name", FILES)
def test_generated_file_is_current(name: str) -> None:
    assert (CHECKOUT / name).read_text(encoding="utf-8") == FILES[name], "run `make format`"
