# SPDX-License-Identifier: GPL-3.0-or-later
"""The traffic modules of a TLS edge, read. The API reference defines no list of TLS edges."""

from __future__ import annotations

from .._definition import Client, Options, Outcome, PluginDefinition
from .._model.schema import TLS_EDGE_MODULES, TLS_EDGE_PREFIX
from .._objects.common_options import identifier_errors
from .._objects.tls_edges import edge_doubt, read_modules


def _perform(client: Client, options: Options, check_mode: bool) -> Outcome:
    edge_id = options["id"]
    states, is_found = read_modules(client, edge_id)
    modules = {name: kind.shown(states[name]) for name, kind in TLS_EDGE_MODULES.items()}
    return Outcome(
        objects={"tls_edges": [{"id": edge_id, "found": is_found, **modules}]},
        warnings=[] if is_found else [edge_doubt(edge_id)],
    )


DEFINITION = PluginDefinition(
    options={"id": {"type": "str", "required": True}},
    option_errors=lambda options, check_mode: identifier_errors(options, "id", TLS_EDGE_PREFIX, check_mode),
    perform=_perform,
    writes=False,
)
