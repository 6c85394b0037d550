# SPDX-License-Identifier: GPL-3.0-or-later
"""Which folder of the core may import which, and that an import does nothing but define. A new file is covered by the
folder that it is in.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from collection_tree import CHECKOUT, CONTROL_NODE_MODULES, MODULES
from reference_service_process import SOURCES

PLUGINS = CHECKOUT / "plugins"
CORE = PLUGINS / "module_utils"
OWN = "ansible_collections.edgeops.ingress."

MODEL = {"_errors", "_values", "_model"}
BELOW_OBJECTS = {*MODEL, "_planning", "_access", "_exposure", "_transport", "_applying", "_definition"}
MAY_IMPORT: dict[str, set[str]] = {
    "_errors": set(),
    "_values": {"_errors"},
    "_model": {"_errors", "_values"},
    "_planning": MODEL,
    "_access": {*MODEL, "_planning"},
    "_exposure": {*MODEL, "_planning", "_access"},
    "_graph": {*MODEL, "_planning", "_access"},
    "_transport": MODEL,
    "_applying": {*MODEL, "_planning", "_access", "_exposure", "_graph", "_transport"},
    "_definition": {"_values", "_model", "_applying", "_transport"},
    "_objects": BELOW_OBJECTS,
    "_resources": {*BELOW_OBJECTS, "_objects"},
    "_arguments": MODEL,
    "_entry": {*MODEL, "_transport", "_definition", "_arguments"},
}
"""What each folder, and each file next to them, may import in addition to itself."""

PURE = ("_errors", "_values", "_model", "_planning", "_access", "_exposure", "_graph")
LONGEST_FILE = 300
LONGEST_FUNCTION = 40


def name_of(path: Path) -> str:
    """A core module's name below module_utils."""
    return ".".join(path.relative_to(CORE).with_suffix("").parts)


def place_of(name: str) -> str:
    """The folder of a core module, or the module itself if it is in none."""
    return name.split(".", maxsplit=1)[0]


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def imported(path: Path) -> set[str]:
    """The absolute names of the modules that a file imports anywhere in it."""
    package = OWN + ".".join(path.relative_to(CHECKOUT).parent.parts) if path.is_relative_to(PLUGINS) else ""
    names: set[str] = set()
    for node in nodes(path):
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
EVERY_PLUGIN = sorted(PLUGINS.rglob("*.py"))
ALL = {name_of(path) for path in CORE_FILES}
IMPORTS = {name_of(path): core_imports(path) for path in CORE_FILES}


def test_imports_form_no_circle() -> None:
    assert IMPORTS["_resources.https_edge_route"] >= {"_planning.plan", "_objects.routes_of_edge"}, "they are seen"
    assert set(TopologicalSorter(IMPORTS).static_order()) == ALL
    assert set(TopologicalSorter(MAY_IMPORT).static_order()) == MAY_IMPORT.keys() == {place_of(name) for name in ALL}


def test_a_file_imports_only_what_its_folder_may_import_and_none_imports_the_definition_of_a_module() -> None:
    for name, names in IMPORTS.items():
        own = {place_of(name)} - {"_resources"} if "." in name else set()
        assert {place_of(one) for one in names} <= MAY_IMPORT[place_of(name)] | own, name


def test_the_core_needs_requests_alone() -> None:
    own = {*sys.stdlib_module_names, "ansible", "ansible_collections"}
    libraries = {(name.split(".")[0], name_of(path)) for path in CORE_FILES for name in imported(path)}
    assert {one for one in libraries if one[0] not in own} == {("requests", "_transport.exchange")}


REPORT = sorted((PLUGINS / "plugin_utils").glob("_report*/*.py"))
CHANGES = sorted((PLUGINS / "plugin_utils" / "_changes").glob("*.py"))


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_files_and_functions_are_short() -> None:
    assert [path for path in (*CORE_FILES, *REPORT, *CHANGES) if len(lines(path)) > LONGEST_FILE] == []
    for path in CORE_FILES:
        for node in nodes(path):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                assert (node.end_lineno or 0) - node.lineno < LONGEST_FUNCTION, (path, node.name)


EFFECTS = {"asyncio", "os", "pathlib", "random", "requests", "socket", "subprocess", "tempfile", "threading", "time"}
FILES = {"os", "pathlib", "tempfile"}
DECIDING = ("harmless", "memory", "objects")
CONTROL_NODE = {"ansible.plugins", "ansible.template", "ansible.utils", f"{OWN}plugins.plugin_utils"}
OTHERS = [path for path in EVERY_PLUGIN if path.parent.name not in ("inventory", "_tunnels")]
SERVICE = SOURCES / "reference_service"
SERVICE_FOLDERS = ("values", "models", "responses", "operations", "serving")
# Some files, what they may not import, and the names of those that do.
RULES: dict[str, tuple[list[Path], set[str], set[str]]] = {
    "the entry and the arguments know Ansible": (CORE_FILES, {"ansible"}, {"_entry", "_arguments"}),
    "what decides has no effects": ([one for one in CORE_FILES if place_of(name_of(one)) in PURE], EFFECTS, set()),
    "what runs on other hosts is there": ([*CORE_FILES, *PLUGINS.glob("modules/*.py")], CONTROL_NODE, set()),
    "the inventory makes hosts of tunnels": (OTHERS, {f"{OWN}plugins.plugin_utils._tunnels"}, set()),
    "plugins do not know the service": (EVERY_PLUGIN, {"reference_service"}, set()),
    "the service does not know plugins": (list(SOURCES.rglob("*.py")), {"ansible", "ansible_collections"}, set()),
    **{
        f"{folder} of the service imports nothing above": (sorted((SERVICE / folder).glob("*.py")), {*above}, set())
        for folder, *above in (SERVICE_FOLDERS[place:] for place in range(len(SERVICE_FOLDERS) - 1))
    },
    "few files of a report read or write files": (REPORT, FILES, {"file", "html", "task"}),
    "a report asks nobody": (REPORT, EFFECTS - FILES, set()),
    "a report reads its own documentation with Ansible": (REPORT, {"ansible"}, {"options"}),
    "what decides about events has no effects": ([one for one in CHANGES if one.stem in DECIDING], EFFECTS, set()),
    "one file remembers events": (CHANGES, FILES, {"state_file"}),
    "events do not need Ansible": (CHANGES, {"ansible"}, set()),
}


@pytest.mark.parametrize("rule", RULES)
def test_what_files_may_not_import(rule: str) -> None:
    files, names, exceptions = RULES[rule]
    assert files
    importing = {
        path.stem
        for path in files
        if any(f"{one}.".startswith(tuple(f"{name}." for name in names)) for one in imported(path))
    }
    assert importing == exceptions


BYTECODE = f"{OWN}plugins.plugin_utils._bytecode"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_and_its_action_plugin_name_its_definition_and_nothing_else(module: str) -> None:
    core = core_imports(PLUGINS / "modules" / f"{module}.py")
    assert "_entry" in core
    assert len(core - {"_entry"}) == 1
    action, ordinary = (importlib.import_module(f"{OWN}plugins.{kind}.{module}") for kind in ("action", "modules"))
    assert action.ActionModule.definition is ordinary.DEFINITION
    assert {name.rpartition(".")[0] for name in imported(PLUGINS / "action" / f"{module}.py")} == {
        "__future__",
        BYTECODE.rpartition(".")[0],
        f"{OWN}plugins.plugin_utils._in_process",
        ordinary.DEFINITION.perform.__module__,
    }


@pytest.mark.parametrize("kind", ["action", "filter", "inventory", "lookup"])
def test_a_plugin_lets_bytecode_be_cached_before_it_imports_anything_else_of_the_collection(kind: str) -> None:
    own = ("import ansible_collections.", "from ansible_collections.")
    first = {next(line for line in lines(path) if line.startswith(own)) for path in (PLUGINS / kind).glob("*.py")}
    assert {line.partition("  #")[0] for line in first} == {f"import {BYTECODE}"}


@pytest.mark.parametrize("module", CONTROL_NODE_MODULES)
def test_a_module_of_the_control_node_is_documentation_only(module: str) -> None:
    assert imported(PLUGINS / "modules" / f"{module}.py") == {"__future__.annotations"}


def test_errors_are_not_changed_after_they_were_raised() -> None:
    for path in CORE_FILES:
        caught = {node.name for node in nodes(path) if isinstance(node, ast.ExceptHandler)} | {"error"}
        stored = [node for node in nodes(path) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
        assert not caught & {node.value.id for node in stored if isinstance(node.value, ast.Name)}, path


def test_zip_is_not_strict() -> None:
    """Modules can run on Python 3.9, whose zip() has no such argument."""
    for path in CORE_FILES:
        calls = [node for node in nodes(path) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip"]
        assert "strict" not in {keyword.arg for call in calls for keyword in call.keywords}, path


# Documentation builders, linters, and editors import plugins in order to look at them. This does so in a process of its
# own, which has imported nothing yet. What Python reports to its audit hooks is what reaches out of
# the process, and what ends it is caught.
PROGRAM = """
import importlib, json, os, sys
from ansible.plugins.loader import init_plugin_loader
import ansible.plugins.action.normal, ansible.plugins.inventory, ansible.module_utils.basic, requests

init_plugin_loader([os.environ["ANSIBLE_COLLECTIONS_PATH"]])
done = []
WATCHED = ("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.mkdir", "os.remove",
           "os.rename", "os.putenv", "os.unsetenv", "shutil.", "tempfile.", "http.client.")

def watch(event, arguments):
    written = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if written or (event.startswith(WATCHED) and event != "socket.__new__"):
        done.append(f"{event} {arguments}")

sys.addaudithook(watch)
for name in json.load(sys.stdin):
    before = dict(os.environ)
    try:
        importlib.import_module(name)
    except BaseException as exc:
        done.append(f"{name} raises {exc!r}")
    if dict(os.environ) != before:
        done.append(f"{name} changes the environment")
print(json.dumps(done))
"""


@pytest.mark.every_core
def test_importing_a_plugin_does_nothing() -> None:
    names = [OWN + ".".join(path.relative_to(CHECKOUT).with_suffix("").parts) for path in EVERY_PLUGIN]
    run = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM],
        env={**os.environ, "INGRESS_BASE_URL": "http://127.0.0.1:9", "INGRESS_API_KEY": "ak_of_nobody"},
        input=json.dumps(names),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == []
    assert run.stderr == ""
