# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schema of declarations in schemas/estate.json, for editors: the options of `estate`, with their descriptions
and limits. It also accepts the variables of the role `estate`, and templates in place of values.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from ansible_collections.edgeops.ingress.plugins.module_utils._access.served_objects import TLS_EDGE
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE, HTTPS_EDGE_ROUTE
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import Integer, Kind, Text
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_types import InSeconds
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_wording import Option, suboptions_of
from collection_tree import CHECKOUT, link_checkout

FILE = CHECKOUT / "schemas" / "estate.json"
DECLARED = ("objects", "https_edges", "tls_edges", "event_subscriptions")
"""The options that a file can declare, by their names or as variables of the role."""

Documentation = Mapping[str, Mapping[str, Any]]
"""The options of modules, by their names."""

Schema = dict[str, Any]

_DOCUMENTED_BY = {"objects": "object", "https_edges": "https_edge", "routes": "https_edge_route"}
"""The modules that document the members of lists."""

_TABLES = {"https_edges": HTTPS_EDGE, "routes": HTTPS_EDGE_ROUTE, "tls_edges": TLS_EDGE}
_TEMPLATE = {"type": "string", "pattern": r"\{\{"}
_A_TEMPLATE = {"$ref": "#/$defs/template"}
_TYPES: Mapping[str, Any] = {
    # Ansible converts numbers to strings.
    "str": {"type": ["string", "number"]},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "dict": {"type": "object"},
}
_MARKUP = re.compile(r"\b(?:[A-Z]|RV|HORIZONTALLINE)\(((?:[^)\\]|\\.)*)\)")
_FIRST_SENTENCE = re.compile(r".*?\.(?= |$)")


def estate_schema() -> str:
    """Return the text of the file, with a line for each option."""
    documented = _documentation()
    made = _Properties(documented)
    properties = {
        **{name: made.value(DEFINITION.options[name], documented["estate"][name], name) for name in DECLARED},
        **{f"estate_{name}": {"$ref": f"#/properties/{name}"} for name in DECLARED},
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in properties.items())
    meta = "https://json-schema.org/draft/2020-12/schema"
    head = {"$schema": meta, "$defs": {"template": _TEMPLATE}, "type": "object"}
    return f'{json.dumps(head)[:-1]},\n"properties": {{\n{lines}\n}}}}\n'


def _documentation() -> Documentation:
    """Return the options of the modules that document a declaration."""
    names = ["estate", *_DOCUMENTED_BY.values()]
    command = (sys.executable, "-m", "ansible", "doc", "--json", *(f"edgeops.ingress.{name}" for name in names))
    environment = {**os.environ, "ANSIBLE_COLLECTIONS_PATH": str(link_checkout())}
    printed = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment).stdout)
    return {name: printed[f"edgeops.ingress.{name}"]["doc"]["options"] for name in names}


class _Properties:
    """The schemas of options, as far as the documentation of the modules describes them."""

    def __init__(self, documentation: Documentation) -> None:
        self._documentation = documentation

    def value(self, option: Option, documented: Mapping[str, Any], name: str, kind: Kind | None = None) -> Schema:
        """Return the schema of an option; `kind` is that of the field that it declares, if there is one."""
        table = _TABLES.get(name, kind)
        if suboptions := suboptions_of(option):
            option = {**option, "options": suboptions}
        if name in _DOCUMENTED_BY:
            suboptions = {**self._documentation[_DOCUMENTED_BY[name]], **(documented.get("suboptions") or {})}
            documented = {**documented, "suboptions": suboptions}
        if option.get("type") == "list":
            own = {key: option[key] for key in ("options", "choices") if key in option}
            member = {"type": option.get("elements", "raw"), **own}
            one = self._one(member, documented, table)
            value: Schema = {"type": "array", "items": {"anyOf": [one, _A_TEMPLATE]}}
        else:
            value = self._one(option, documented, table)
        return {**_described(documented), **({"anyOf": [value, _A_TEMPLATE]} if value else {})}

    def _one(self, option: Option, documented: Mapping[str, Any], kind: Kind | None) -> Schema:
        if "options" in option:
            fields = kind.named if isinstance(kind, Object) else {}
            return self._object(option["options"], documented.get("suboptions") or {}, fields)
        types = {"type": ["integer", "string"]} if isinstance(option, InSeconds) else _TYPES.get(option["type"], {})
        return {**types, **_limits(kind), **({"enum": list(option["choices"])} if option.get("choices") else {})}

    def _object(
        self, options: Mapping[str, Option], documented: Mapping[str, Any], fields: Mapping[str, Any]
    ) -> Schema:
        found = {
            name: self.value(option, documented.get(name, {}), name, fields[name].kind if name in fields else None)
            for name, option in options.items()
        }
        required = [name for name, option in options.items() if option.get("required")]
        return {"type": "object", "additionalProperties": False, "properties": found, "required": required}


def _described(documented: Mapping[str, Any]) -> Schema:
    """Return the first sentence of the description of an option, without its markup."""
    found = documented.get("description") or ""
    text = _MARKUP.sub(r"\1", found if isinstance(found, str) else found[0]).replace("\\", "")
    return {"description": first[0]} if (first := _FIRST_SENTENCE.match(text)) else {}


def _limits(kind: Kind | None) -> dict[str, Any]:
    if isinstance(kind, Integer):
        return {"minimum": kind.minimum, "maximum": kind.maximum}
    if isinstance(kind, Text) and kind.max_bytes and kind.option["type"] == "str":
        return {"maxLength": kind.max_bytes}  # each character has at least one byte
    return {}
