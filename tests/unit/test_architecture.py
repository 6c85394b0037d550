# SPDX-License-Identifier: GPL-3.0-or-later
"""Which folder of the core may import which. A new file is covered by the folder that it is in."""

from __future__ import annotations

import ast
import importlib
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from collection_tree import CHECKOUT, CONTROL_NODE_MODULES, MODULES
from reference_service_process import SOURCES

PLUGINS = CHECKOUT / "plugins"
CORE = PLUGINS / "module_utils"
OWN = "ansible_collections.edgeops.ingress."
TUNNELS = f"{OWN}plugins.plugin_utils._tunnels"

MAY_IMPORT: dict[str, set[str]] = {
    "_errors": set(),
    "_model": {"_errors"},
    "_planning": {"_errors", "_model"},
    "_access": {"_errors", "_model", "_planning"},
    "_exposure": {"_errors", "_model", "_planning", "_access"},
    "_graph": {"_errors", "_model", "_planning", "_access"},
    "_transport": {"_errors", "_model"},
    "_applying": {"_errors", "_model", "_planning", "_access", "_exposure", "_graph", "_transport"},
    "_definition": {"_model", "_applying", "_transport"},
    "_resources": {
        *("_errors", "_model", "_planning", "_access", "_exposure", "_transport", "_applying", "_definition"),
    },
    "_arguments": {"_errors", "_model"},
    "_entry": {"_errors", "_model", "_transport", "_definition", "_arguments"},
}
"""What each folder, and each file next to them, may import in addition to itself."""

PURE = ("_model", "_planning", "_access", "_exposure", "_graph")
KNOW_ANSIBLE = {"_entry", "_arguments"}
MOST_FILES_AT_THE_TOP = 5
LONGEST_FILE = 300
LONGEST_FUNCTION = 40


def name_of(path: Path) -> str:
    """A core module's name below module_utils."""
    return ".".join(path.relative_to(CORE).with_suffix("").parts)


def place_of(name: str) -> str:
    """The folder of a core module, or the module itself if it is in none."""
    return name.split(".", maxsplit=1)[0]


def imported(path: Path) -> set[str]:
    """The absolute names of the modules that a file imports anywhere in it."""
    package = OWN + ".".join(path.relative_to(CHECKOUT).parent.parts) if path.is_relative_to(PLUGINS) else ""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            stem = ".".join(filter(None, (base, node.module)))
            # `from . import plan` names a module, `from .plan import Plan` something in it.
            names.update(f"{stem}.{alias.name}" for alias in node.names)
    return names


def core_imports(path: Path) -> set[str]:
    """The core modules that a file imports."""
    prefix = f"{OWN}plugins.module_utils."
    found = set()
    for name in imported(path):
        if name.startswith(prefix):
            parts = name.removeprefix(prefix).split(".")
            found.update(".".join(parts[:end]) for end in (1, 2) if ".".join(parts[:end]) in ALL)
    return found


CORE_FILES = sorted(path for path in CORE.rglob("*.py") if path.name != "__init__.py")
ALL = {name_of(path) for path in CORE_FILES}
IMPORTS = {name_of(path): core_imports(path) for path in CORE_FILES}


def reached(name: str) -> set[str]:
    """The core modules that a core module imports, directly or indirectly."""
    found: set[str] = set()
    waiting = set(IMPORTS[name])
    while waiting:
        one = waiting.pop()
        found.add(one)
        waiting |= IMPORTS[one] - found
    return found


def test_the_imports_are_seen() -> None:
    """So that the tests below can fail."""
    assert IMPORTS["_entry"] >= {"_transport.client", "_definition"}
    assert IMPORTS["_resources.https_edge_route"] >= {"_planning.plan", "_resources.https_edge"}
    assert reached("_entry") >= {"_transport.client", "_errors", "_transport.addresses"}


def test_every_folder_has_a_rule() -> None:
    assert {place_of(name) for name in ALL} == MAY_IMPORT.keys()


def test_imports_form_no_circle() -> None:
    assert set(TopologicalSorter(IMPORTS).static_order()) == ALL
    assert set(TopologicalSorter(MAY_IMPORT).static_order()) == MAY_IMPORT.keys()


@pytest.mark.parametrize("name", sorted(ALL))
def test_a_file_imports_only_what_its_folder_may_import(name: str) -> None:
    place = place_of(name)
    assert {place_of(each) for each in IMPORTS[name]} <= MAY_IMPORT[place] | ({place} if "." in name else set())


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_only_the_entry_and_the_arguments_know_ansible(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)}
    assert ("ansible" in tops) == (name_of(path) in KNOW_ANSIBLE)


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_the_core_needs_requests_alone(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)} - {"ansible", "ansible_collections"}
    libraries = {name for name in tops if name not in sys.stdlib_module_names}
    assert libraries <= {"requests"}
    assert not libraries or name_of(path) == "_transport.exchange"


@pytest.mark.parametrize("name", sorted(name for name in ALL if place_of(name) in PURE))
def test_what_decides_performs_no_input_or_output(name: str) -> None:
    for each in {name, *reached(name)}:
        tops = {imports.split(".")[0] for imports in imported(CORE / f"{each.replace('.', '/')}.py")}
        assert not tops & {"requests", "socket", "time", "os", "pathlib", "subprocess", "random", "threading"}, each


def test_few_files_are_at_the_top() -> None:
    assert len([name for name in ALL if "." not in name]) <= MOST_FILES_AT_THE_TOP


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < LONGEST_FUNCTION, node.name


@pytest.mark.parametrize(
    "path", [*CORE_FILES, *(PLUGINS / "modules").glob("*.py")], ids=lambda path: str(path.relative_to(PLUGINS))
)
def test_what_runs_on_other_hosts_needs_nothing_of_the_control_node(path: Path) -> None:
    only_there = ("ansible.plugins", "ansible.template", "ansible.utils", f"{OWN}plugins.plugin_utils")
    assert not any(name.startswith(only_there) for name in imported(path))


@pytest.mark.parametrize("path", sorted(PLUGINS.rglob("*.py")), ids=lambda path: str(path.relative_to(PLUGINS)))
def test_only_the_inventory_knows_how_tunnels_become_hosts(path: Path) -> None:
    is_inventory = path.parent.name in ("inventory", "_tunnels")
    assert is_inventory or not any(name.startswith(TUNNELS) for name in imported(path))


@pytest.mark.parametrize("path", sorted(PLUGINS.rglob("*.py")), ids=lambda path: str(path.relative_to(PLUGINS)))
def test_the_plugins_know_nothing_of_the_reference_service(path: Path) -> None:
    assert not any("reference_service" in name for name in imported(path))


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_the_reference_service_knows_nothing_of_the_plugins(path: Path) -> None:
    assert not any(name.split(".")[0] in ("ansible", "ansible_collections") for name in imported(path))
    assert "module_utils" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("module", MODULES)
def test_a_module_names_its_definition_and_nothing_else(module: str) -> None:
    core = core_imports(PLUGINS / "modules" / f"{module}.py")
    assert "_entry" in core
    assert len(core - {"_entry"}) == 1


BYTECODE = f"{OWN}plugins.plugin_utils._bytecode"
ON_THE_CONTROL_NODE = sorted(
    path for kind in ("action", "filter", "inventory", "lookup") for path in (PLUGINS / kind).glob("*.py")
)


@pytest.mark.parametrize("module", MODULES)
def test_an_action_plugin_names_the_definition_of_its_module(module: str) -> None:
    action, ordinary = (importlib.import_module(f"{OWN}plugins.{kind}.{module}") for kind in ("action", "modules"))
    assert action.ActionModule.definition is ordinary.DEFINITION
    assert {name.rpartition(".")[0] for name in imported(PLUGINS / "action" / f"{module}.py")} == {
        "__future__",
        BYTECODE.rpartition(".")[0],
        f"{OWN}plugins.plugin_utils._in_process",
        ordinary.DEFINITION.perform.__module__,
    }


@pytest.mark.parametrize("path", ON_THE_CONTROL_NODE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_plugin_lets_bytecode_be_cached_before_it_imports_anything_else_of_the_collection(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if line.startswith(("import ansible_collections.", "from ansible_collections."))]
    assert own[0].startswith(f"import {BYTECODE} ")


@pytest.mark.parametrize("module", CONTROL_NODE_MODULES)
def test_a_module_of_the_control_node_is_documentation_only(module: str) -> None:
    assert imported(PLUGINS / "modules" / f"{module}.py") == {"__future__.annotations"}


REPORT = PLUGINS / "plugin_utils" / "_report"
WITH_FILES = {"file", "html", "task"}


@pytest.mark.parametrize("path", sorted(REPORT.glob("*.py")), ids=lambda path: path.stem)
def test_only_a_few_files_of_a_report_read_or_write_files(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)}
    assert bool(tops & {"pathlib", "os", "tempfile"}) == (path.stem in WITH_FILES)
    assert not tops & {"ansible", "requests", "socket", "subprocess", "random", "time"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


CHANGES = PLUGINS / "plugin_utils" / "_changes"
PURE_CHANGES = ("events", "harmless", "memory", "objects")


@pytest.mark.parametrize("path", sorted(CHANGES.glob("*.py")), ids=lambda path: path.stem)
def test_what_decides_about_events_performs_no_input_or_output(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)}
    assert not (path.stem in PURE_CHANGES and tops & {"asyncio", "os", "pathlib", "random", "threading", "time"})
    assert bool(tops & {"os", "pathlib", "tempfile"}) == (path.stem == "state_file")
    assert "ansible" not in tops
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_errors_are_not_changed_after_they_were_raised(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    caught = {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)}
    changed = [
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    ]
    assert not {*caught, "error"} & set(changed)


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_zip_is_not_strict(path: Path) -> None:
    """Modules can run on Python 3.9, whose zip() has no such argument."""
    calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    names = {keyword.arg for call in calls if getattr(call.func, "id", "") == "zip" for keyword in call.keywords}
    assert "strict" not in names
