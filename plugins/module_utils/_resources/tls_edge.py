# SPDX-License-Identifier: GPL-3.0-or-later
"""A traffic module of a TLS edge in a task of its own."""

from __future__ import annotations

from .._applying.carry_out import carry_out_one
from .._definition import Client, OptionErrors, Options, Outcome, PluginDefinition
from .._model.schema import TLS_EDGE_MODULES, TLS_EDGE_PREFIX
from .._objects import common_options
from .._objects.edge_of_task import EDGE_OPTIONS, TLS, edge_errors, edge_id_of
from .._objects.tls_edges import module_plan, module_target
from .._planning.changes import ABSENT
from .._planning.plan import Plan


def tls_edge_module(name: str) -> PluginDefinition:
    """Return the definition of the Ansible module for the traffic module with this name."""
    kind = TLS_EDGE_MODULES[name]
    restricts = any(f.restricts for f in kind.fields)
    more = common_options.SINGLE_OPTIONS if restricts else {}

    def option_errors(options: Options, check_mode: bool) -> OptionErrors:
        yield from edge_errors(options, TLS_EDGE_PREFIX, check_mode)
        yield from common_options.openings_errors(options)
        declared = {f.name: options.get(f.name) for f in kind.declarable}
        errors_of = kind.value_errors if options.get("state") == "absent" else kind.option_errors
        yield from errors_of(declared, "")

    def perform(client: Client, options: Options, check_mode: bool) -> Outcome:
        absent = ABSENT if options["state"] == "absent" else ""

        def planned() -> Plan:
            edge_id = edge_id_of(client, options, check_mode, TLS)
            # Otherwise, the response to the PUT shows whether the edge exists.
            how = {"prove_edge": check_mode, "allow_empty": bool(options.get("allow_empty"))}
            return module_plan(client, module_target(edge_id, name), name, options, absent, **how)

        return carry_out_one(client, check_mode, name, planned, common_options.rejected_kinds(options))

    return PluginDefinition(
        options={**EDGE_OPTIONS, "state": common_options.STATE, **more, **kind.options()},
        option_errors=option_errors,
        perform=perform,
    )


IP_RESTRICTION = tls_edge_module("ip_restriction")
TLS_TERMINATION = tls_edge_module("tls_termination")
