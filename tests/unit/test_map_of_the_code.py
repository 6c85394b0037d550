# SPDX-License-Identifier: GPL-3.0-or-later
"""The map in CONTRIBUTING.md names files, directories, and functions that exist."""

from __future__ import annotations

import ast
import re

from collection_tree import CHECKOUT

PAGE = (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAP = PAGE.partition("## Find your way")[2].partition("## Conventions")[0]
LINKS = sorted(set(re.findall(r"\]\(([^)#]+)\)", MAP)))
FUNCTION = re.compile(r"`(\w+)`\s+in\s+\[[^]]+\]\(([^)]+)\)")
DIRECTORIES = sorted(set(re.findall(r"\*\*`([\w/]+)`\*\*", MAP)))


def test_the_map_names_what_exists_and_describes_every_directory_of_the_core() -> None:
    assert len(re.findall(r"^\| .*\? \|", MAP, re.MULTILINE)) >= 10
    assert [path for path in LINKS if not (CHECKOUT / path).is_file()] == []
    assert [name for name in DIRECTORIES if not (CHECKOUT / "plugins" / name).is_dir()] == []
    core = (CHECKOUT / "plugins" / "module_utils").glob("*/__init__.py")
    assert {f"module_utils/{path.parent.name}" for path in core} <= set(DIRECTORIES)


def test_the_functions_of_the_map_exist() -> None:
    functions = sorted(set(FUNCTION.findall(MAP)))
    assert functions
    for name, path in functions:
        tree = ast.parse((CHECKOUT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, path


def test_a_task_passes_six_stations_that_each_name_their_function() -> None:
    way = MAP.partition("passes six stations")[2].partition("###")[0]
    stations = re.split(r"^\d\. ", way, flags=re.MULTILINE)[1:]
    assert len(stations) == 6
    assert all(FUNCTION.search(station) for station in stations)
