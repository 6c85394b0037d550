# SPDX-License-Identifier: GPL-3.0-or-later
"""What may import what: the core is drawn as one way down, and only its entry knows Ansible."""

from __future__ import annotations

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from collection_tree import CHECKOUT
from reference_service_process import SOURCES

PLUGINS = CHECKOUT / "plugins"
CORE = PLUGINS / "module_utils"
OWN = "ansible_collections.edgeops.ingress."
ALLOWED_LIBRARIES = {"requests"}

PURE = (
    "plan",
    "matching",
    "moves",
    "widening",
    "schema",
    "objects",
    "fields",
    "identifiers",
    "hostports",
    "option_types",
    "identity_providers",
    "traffic_rules",
    "event_catalogue",
    "addresses",
    "answers",
    "retries",
    "placeholders",
    "tunnel_host",
    "host_filters",
    "host_groups",
    "host_names",
)


def name_of(path: Path) -> str:
    """A core module's name below module_utils."""
    return ".".join(path.relative_to(CORE).with_suffix("").parts)


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
            # `from . import plan` names a module, `from .plan import Plan` a thing in it.
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
    """The core modules that a core module imports, directly or by others."""
    found: set[str] = set()
    waiting = set(IMPORTS[name])
    while waiting:
        one = waiting.pop()
        found.add(one)
        waiting |= IMPORTS[one] - found
    return found


def test_the_imports_are_seen() -> None:
    """So that the tests below can fail."""
    assert IMPORTS["entry"] >= {"client", "work"}
    assert IMPORTS["resources.https_edge_route"] >= {"plan", "resources.https_edge"}
    assert reached("entry") >= {"client", "errors", "addresses"}


def test_imports_make_no_circle() -> None:
    assert set(TopologicalSorter(IMPORTS).static_order()) == ALL


def test_the_entry_is_the_top_and_the_resources_are_below_it() -> None:
    for name, imports in IMPORTS.items():
        assert "entry" not in imports, name
        if not name.startswith("resources."):
            assert not any(each.startswith("resources.") for each in imports), name


def test_the_errors_are_at_the_bottom() -> None:
    assert IMPORTS["errors"] == set()


def test_the_client_knows_no_resource() -> None:
    assert not reached("client") & {"schema", "objects", "plan", "apply", "diff", "work", "arguments"}


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_only_the_entry_and_its_check_of_arguments_know_ansible(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)}
    assert ("ansible" in tops) == (name_of(path) in {"entry", "argument_check"})


@pytest.mark.parametrize("path", CORE_FILES, ids=name_of)
def test_the_core_needs_requests_alone(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)} - {"ansible", "ansible_collections"}
    libraries = {name for name in tops if name not in sys.stdlib_module_names}
    assert libraries <= ALLOWED_LIBRARIES
    assert not libraries or name_of(path) == "exchange"


@pytest.mark.parametrize("name", PURE)
def test_what_decides_does_no_input_or_output(name: str) -> None:
    assert not reached(name) & {"client", "apply", "work"}
    for each in {name, *reached(name)}:
        tops = {imports.split(".")[0] for imports in imported(CORE / f"{each}.py")}
        assert not tops & {"requests", "socket", "time", "os", "pathlib", "subprocess", "random", "threading"}, each


@pytest.mark.parametrize(
    "path", [*CORE_FILES, *(PLUGINS / "modules").glob("*.py")], ids=lambda path: str(path.relative_to(PLUGINS))
)
def test_what_runs_elsewhere_needs_nothing_of_the_controller(path: Path) -> None:
    controllers = ("ansible.plugins", "ansible.template", "ansible.utils", f"{OWN}plugins.plugin_utils")
    assert not any(name.startswith(controllers) for name in imported(path))


@pytest.mark.parametrize("path", sorted(PLUGINS.rglob("*.py")), ids=lambda path: str(path.relative_to(PLUGINS)))
def test_the_plugins_know_nothing_of_the_reference_service(path: Path) -> None:
    assert not any("reference_service" in name for name in imported(path))


@pytest.mark.parametrize("path", sorted(SOURCES.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCES)))
def test_the_reference_service_knows_nothing_of_the_plugins(path: Path) -> None:
    assert not any(name.split(".")[0] in ("ansible", "ansible_collections") for name in imported(path))
    assert "module_utils" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((PLUGINS / "modules").glob("*.py")), ids=lambda path: path.stem)
def test_a_module_names_its_work_and_nothing_else(path: Path) -> None:
    core = core_imports(path)
    assert "entry" in core
    assert len(core - {"entry"}) == 1
