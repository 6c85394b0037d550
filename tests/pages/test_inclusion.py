# SPDX-License-Identifier: GPL-3.0-or-later
"""What Ansible's community requires of a collection, as far as a machine can check it.

docs/contributing/inclusion.md lists all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from ansible.playbook.block import Block
from ansible.playbook.play import Play
from ansible.playbook.task import Task

from ansible_collections.edgeops.ingress.plugins.doc_fragments import _attributes as attributes
from collection_tree import CHECKOUT, MODULES, tracked_files
from module_examples import constants_of
from module_task import work_of
from supported_cores import CORES, PYTHONS_OF_MODULES

# The kinds of plugins with documentation. Ansible also knows action, doc_fragments, module_utils, and plugin_utils.
DOCUMENTED = ("filter", "inventory", "lookup", "modules")
ALLOWED_FOLDERS = {*DOCUMENTED, "action", "doc_fragments", "module_utils", "plugin_utils"}
FILES = tracked_files()
PLUGIN_FILES = [name for name in FILES if name.startswith("plugins/")]
PLUGINS = sorted((CHECKOUT / "plugins").glob("*/*.py"))
DOCUMENTED_PLUGINS = [(path.parent.name, path.stem) for path in PLUGINS if path.parent.name in DOCUMENTED]
KEYWORDS = {*Task.fattributes, *Block.fattributes, *Play.fattributes, "action"}
GALAXY = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (CHECKOUT / name).read_text(encoding="utf-8")


INCLUSION = text("docs/contributing/inclusion.md")
# Paths of the checkout on that page. Only names that begin with a directory or end with a suffix are meant.
PATHS = sorted(
    path
    for path in set(re.findall(r"`(\.?[\w.-]+(?:/[\w.-]+)*)`", INCLUSION))
    if re.match(r"(?:\.github|changelogs|dev|docs|meta|plugins|tests)/|.*\.(?:yml|yaml|py)$", path)
)


def test_what_the_page_names_exists() -> None:
    assert len(PATHS) > 15
    assert [path for path in PATHS if path != "tests/sanity" and not (CHECKOUT / path).exists()] == []
    targets = set(re.findall(r"`make ([a-z-]+)", INCLUSION))
    assert {"docs", "sanity", "unit"} <= targets <= set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))


def test_the_supported_pythons_are_documented_everywhere() -> None:
    [requirement] = yaml.safe_load(attributes.ModuleDocFragment.DOCUMENTATION)["requirements"]
    oldest, newest = PYTHONS_OF_MODULES[0], PYTHONS_OF_MODULES[-1]
    assert requirement == f"python >= {oldest}"
    assert yaml.safe_load(text("tests/config.yml"))["modules"]["python_requires"] == f">={oldest}"
    install = text("README.md").partition("\n## Install the collection\n")[2].partition("\n## ")[0]
    assert f"| Any other host where a module runs | {oldest} to {newest}." in install
    on_control_nodes = sorted((python for core in CORES for python in core.pythons), key=lambda it: int(it[2:]))
    assert f"3.{on_control_nodes[0][2:]} to 3.{on_control_nodes[-1][2:]} |" in install


def test_every_plugin_is_licensed_as_required() -> None:
    documented = tuple(f"plugins/{folder}/" for folder in DOCUMENTED)
    for name in (name for name in PLUGIN_FILES if not name.endswith("__init__.py")):
        head = "\n".join(text(name).splitlines()[:4])
        assert "SPDX-License-Identifier: GPL-3.0-or-later" in head, name
        assert "GNU General Public License v3.0+" in head or not name.startswith(documented), name


def test_files_are_where_ansible_and_its_tools_look_for_them() -> None:
    assert {name.split("/")[1] for name in PLUGIN_FILES} == ALLOWED_FOLDERS
    # Shared code is private.
    shared = {tuple(name.split("/")[1:3]) for name in PLUGIN_FILES if name.split("/")[1].endswith("_utils")}
    assert [name for _folder, name in shared if not name.startswith("_")] == []
    assert "`plugins/module_utils` and `plugins/plugin_utils`" in text("docs/support.md")
    # Without files under `meta`, ansible-builder takes those at the root.
    assert [name for name in FILES if name in ("requirements.txt", "bindep.txt")] == []
    assert [name for name in FILES if name.startswith("tests/sanity/")] == []
    assert (bool(GALAXY["tags"]), GALAXY["dependencies"]) == (True, {})


def tasks(value: Any) -> Iterator[dict[str, Any]]:
    """All dictionaries of example tasks and plays, those inside of blocks and plays as well."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict) and "name" in item:
                yield item
                for key in ("tasks", "pre_tasks", "post_tasks", "handlers", "block", "rescue", "always"):
                    yield from tasks(item.get(key))


@pytest.mark.parametrize(("folder", "name"), DOCUMENTED_PLUGINS)
def test_documentation_names_plugins_in_full(folder: str, name: str) -> None:
    constants = constants_of(name, folder)
    documentation, examples = constants["DOCUMENTATION"], list(yaml.safe_load_all(constants["EXAMPLES"]))
    macros = re.findall(r"\b[MP]\(([\w.]+)", f"{documentation}{constants.get('RETURN', '')}")
    fragments = yaml.safe_load(documentation).get("extends_documentation_fragment", [])
    lookups = re.findall(r"(?:lookup|query|q)\('([\w.]+)'", constants["EXAMPLES"])
    modules = [key for document in examples for task in tasks(document) for key in task.keys() - KEYWORDS]
    named = [*macros, *fragments, *lookups, *modules]
    assert [each for each in named if each.count(".") < 2 and not each.startswith("with_")] == []
    assert modules or folder == "inventory"


@pytest.mark.parametrize("module", MODULES)
def test_modules_read_only_if_their_name_says_so(module: str) -> None:
    documentation = yaml.safe_load(constants_of(module)["DOCUMENTATION"])
    state = work_of(module).options.get("state", {"choices": ["present", "absent"]})
    assert list(state["choices"]) == ["present", "absent"]
    assert "ansible_facts" not in yaml.safe_load(constants_of(module)["RETURN"])
    if module.endswith("_info"):
        check_mode = documentation.get("attributes", {}).get("check_mode", {})
        assert check_mode.get("support", "full") == "full"


# Only sites and pages that are made from the public repository show these.
MAY_NAME_THE_REPOSITORY = ("galaxy.yml", "docs/docsite/", ".github/")


def test_no_page_claims_a_repository_that_is_not_public() -> None:
    host_and_owner = GALAXY["repository"].removeprefix("https://").rpartition("/")[0]
    if "placeholders until somebody has done this" in text("CONTRIBUTING.md"):
        pages = [name for name in FILES if not name.startswith(MAY_NAME_THE_REPOSITORY) and not name.endswith(".png")]
        assert [name for name in pages if host_and_owner in text(name)] == []
        assert GALAXY.keys().isdisjoint({"documentation", "homepage", "issues"})
    else:
        assert GALAXY.keys() >= {"documentation", "homepage", "issues"}
