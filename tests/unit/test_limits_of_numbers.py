# SPDX-License-Identifier: GPL-3.0-or-later
"""The limits of numbers: those that are checked, those of the reference service, and those that users read."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from ansible_collections.edgeops.ingress.plugins.doc_fragments._route import ModuleDocFragment
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import Integer
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import ROUTE_MODULES
from reference_service_process import SOURCES, remote_control

Limits = dict[str, tuple[float, float]]
"""The smallest and the largest number of each field, by its path."""

MODULE_PATH = "/edges/https/{edge_id}/routes/{id}"
DOCUMENTED = re.compile(r"From V\(([\d.]+)\) to V\(([\d.]+)\)")
REFERENCE = re.compile(r"See C\((\w+)\)\.")
OPTIONS = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]
NUMBERS = ("int", "float")


def of_the_schema(kind: Object, path: str) -> Iterator[tuple[str, tuple[float, float]]]:
    for field in kind.fields:
        where = f"{path}.{field.name}"
        if isinstance(field.kind, Integer) and not field.read_only:
            yield where, (field.kind.minimum, field.kind.maximum)
        if isinstance(field.kind, Object):
            yield from of_the_schema(field.kind, where)


@pytest.fixture(scope="module")
def api() -> Any:
    """The OpenAPI document of the reference service, which is a second reading of the API reference."""
    command = (remote_control.service_python(), "-m", "reference_service", "openapi")
    return json.loads(subprocess.run(command, env={"PYTHONPATH": str(SOURCES)}, check=True, capture_output=True).stdout)


def of_the_service(api: Any, schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, tuple[float, float]]]:
    for one in [schema, *schema.get("anyOf", ())]:
        if "$ref" in one:
            yield from of_the_service(api, api["components"]["schemas"][one["$ref"].rpartition("/")[2]], path)
        if one.get("type") in ("integer", "number"):
            yield path, (one.get("minimum", float("-inf")), one.get("maximum", float("inf")))
        for name, member in one.get("properties", {}).items():
            yield from of_the_service(api, member, f"{path}.{name}")


def of_the_documentation(options: Mapping[str, Any], path: str) -> Iterator[tuple[str, tuple[float, float]]]:
    for name, option in options.items():
        where = f"{path}.{name}"
        if option["type"] in NUMBERS:
            found = DOCUMENTED.search(description_of(name, option))
            assert found, f"{where}: expected a sentence such as: From V(0) to V(100)."
            yield where, (float(found[1]), float(found[2]))
        yield from of_the_documentation(option.get("suboptions", {}), where)


def description_of(name: str, option: Mapping[str, Any]) -> str:
    """Return the description of an option. Some refer to the option of the same name in another traffic module."""
    text = " ".join(option["description"])
    other = REFERENCE.fullmatch(text)
    return " ".join(OPTIONS[other[1]]["suboptions"][name]["description"]) if other else text


CHECKED: Limits = {path: limits for name, kind in ROUTE_MODULES.items() for path, limits in of_the_schema(kind, name)}


@pytest.mark.parametrize("module", ROUTE_MODULES)
def test_the_service_has_the_same_limits(api: Any, module: str) -> None:
    body = api["paths"][f"{MODULE_PATH}/{module}"]["put"]["requestBody"]["content"]["application/json"]["schema"]
    own = {path: limits for path, limits in CHECKED.items() if path.startswith(f"{module}.")}
    assert own == dict(of_the_service(api, body, module))


def test_the_documentation_names_the_limits() -> None:
    found = {
        path: limits
        for name in ROUTE_MODULES
        for path, limits in of_the_documentation(OPTIONS[name]["suboptions"], name)
    }
    assert found == CHECKED
