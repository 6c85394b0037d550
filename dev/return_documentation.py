# SPDX-License-Identifier: GPL-3.0-or-later
"""The RETURN of each module, made from dev/return_values.yml, the schema, and the documentation of the options.

ansible-core 2.16 does not read documentation fragments for RETURN, so the text must be in each module.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.field import Field
from ansible_collections.edgeops.ingress.plugins.module_utils._model.headers_and_labels import Headers
from ansible_collections.edgeops.ingress.plugins.module_utils._model.kinds import Boolean, Integer, Kind, Text
from ansible_collections.edgeops.ingress.plugins.module_utils._model.listing import Listing
from ansible_collections.edgeops.ingress.plugins.module_utils._model.metadata import Metadata
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.references import Ref, RefList
from ansible_collections.edgeops.ingress.plugins.module_utils._model.secret import Secret
from ansible_collections.edgeops.ingress.plugins.module_utils._model.string_sets import Hostports, StringSet
from ansible_collections.edgeops.ingress.plugins.module_utils._model.traffic_rules import Rules
from collection_tree import CHECKOUT
from option_documentation import documented_options, module_file

SOURCE = yaml.safe_load((CHECKOUT / "dev" / "return_values.yml").read_text(encoding="utf-8"))
MODULES: tuple[str, ...] = tuple(SOURCE["modules"])

_RETURN = re.compile(r'(?<=^RETURN = r"""\n).*?(?=^"""$)', re.DOTALL | re.MULTILINE)
_WIDTH = 100
"""PyYAML breaks a line after the word that exceeds this width, and lines have up to 120 characters."""

_TYPES: tuple[tuple[type[Kind], dict[str, Any]], ...] = (
    (Listing, {"type": "list", "elements": "dict"}),
    (Object, {"type": "dict"}),
    (Text, {"type": "str"}),
    (Ref, {"type": "dict"}),
    (RefList, {"type": "list", "elements": "dict"}),
    (Rules, {"type": "list", "elements": "dict"}),
)
"""The types of returned fields, if they differ from those of options, or if there is no option."""

_REMARKS: tuple[tuple[type[Kind], str], ...] = (
    (Object, "Null if it is not set."),
    (Metadata, "Returned as a string. Empty if it is not set."),
    (Text, "Empty if the service does not return it."),
    (Boolean, "Null if the service does not return it."),
    (Integer, "Null if the service does not return it."),
    (Hostports, "In lower case and alphabetical order."),
    (StringSet, "In alphabetical order."),
    (Headers, "The names are in lower case."),
    (Rules, "Always a list, as are the actions of each rule."),
)
"""What is added to the description of an option, because the form of a returned value can differ."""

_SECRET = "The mask V(********) if there is a secret or might be one. Otherwise, empty."

_REFERENCE = {
    "id": {"description": "The ID.", "type": "str"},
    "uri": {"description": "The URI.", "type": "str"},
}

_RULE = {
    "name": {"description": "The name of the rule.", "type": "str"},
    "expressions": {"description": "The CEL expressions.", "type": "list", "elements": "str"},
    "actions": {
        "description": "The actions.",
        "type": "list",
        "elements": "dict",
        "contains": {
            "type": {"description": "The type of the action.", "type": "str"},
            "config": {"description": "The configuration, without empty values.", "type": "dict"},
        },
    },
}


class _Dumper(yaml.SafeDumper):
    """Writes block sequences indented, and anchors for dictionaries only."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:
        return not isinstance(data, dict)


def return_documentation(module: str) -> str:
    """Return the YAML of the module's RETURN."""
    values = {
        name: _resolved({**SOURCE["common"].get(name, {}), **(own or {})}, not module.endswith("_info"))
        for name, own in SOURCE["modules"][module].items()
    }
    return str(yaml.dump(_shared(values, {}), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH))


def with_return(module: str) -> str:
    """Return the source of the module with its RETURN as it should be."""
    source = module_file(module).read_text(encoding="utf-8")
    return _RETURN.sub(lambda _: return_documentation(module), source, count=1)


def _resolved(value: dict[str, Any], is_predicted: bool) -> dict[str, Any]:
    """Return a value with the fields of the `object` that it names, at any depth, as `contains`."""
    resolved: dict[str, Any] = {}
    for key, part in value.items():
        if key == "object":
            options = documented_options(value["options"]) if "options" in value else {}
            resolved["contains"] = _fields(_table(part), options, part, is_predicted)
        elif key == "contains":
            resolved["contains"] = {name: _resolved(member, is_predicted) for name, member in part.items()}
        elif key != "options":
            resolved[key] = part
    return resolved


def _table(name: str) -> Object:
    table, _, member = name.partition(".")
    found = getattr(schema, table)
    return found[member] if member else found  # type: ignore[no-any-return]


def _fields(kind: Object, options: Mapping[str, Any], path: str, is_predicted: bool) -> dict[str, Any]:
    return {f.name: _field(f, options.get(f.name, {}), path, is_predicted) for f in kind.fields}


def _field(f: Field, option: Mapping[str, Any], path: str, is_predicted: bool) -> dict[str, Any]:
    own = SOURCE["fields"].get(path, {}).get(f.name, {})
    description = own.get("description") or _description(f, option)
    if is_predicted and "predicted" in own:
        description = f"{description} {own['predicted']}"
    entry: dict[str, Any] = {"description": description, **_type(f.kind)}
    if isinstance(f.kind, Object) and "suboptions" in option:
        entry["contains"] = _fields(f.kind, option["suboptions"], f"{path}.{f.name}", is_predicted)
    elif isinstance(f.kind, (Ref, RefList)):
        entry["contains"] = _REFERENCE
    elif isinstance(f.kind, Rules):
        entry["contains"] = _RULE
    return {**entry, "sample": own["sample"]} if "sample" in own else entry


def _description(f: Field, option: Mapping[str, Any]) -> str:
    """Return what the option's description says first, and how the returned value can differ."""
    if isinstance(f.kind, Secret):
        return _SECRET
    described = option["description"]
    brief = described if isinstance(described, str) else described[0]
    is_always_returned = (f.identifies and isinstance(f.kind, Text)) or f.default is not None
    remark = "" if is_always_returned else _first(_REMARKS, f.kind, "")
    return f"{brief} {remark}".strip()


def _type(kind: Kind) -> dict[str, Any]:
    argument = kind.argument() if kind.option else {}
    of_option = {str(key): argument[key] for key in ("type", "elements") if key in argument}
    return dict(_first(_TYPES, kind, None) or of_option or {"type": "dict"})


def _first(table: tuple[tuple[type[Kind], Any], ...], kind: Kind, default: Any) -> Any:
    return next((found for cls, found in table if isinstance(kind, cls)), default)


def _shared(value: Any, seen: dict[str, Any]) -> Any:
    """Return the value with equal parts made one object each, which YAML writes once, with an anchor."""
    if isinstance(value, list):
        return [_shared(item, seen) for item in value]
    if not isinstance(value, dict):
        return value
    return seen.setdefault(json.dumps(value), {key: _shared(part, seen) for key, part in value.items()})
