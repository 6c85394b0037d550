# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that can be declared, on a service with any one habit: check mode predicts it with all keys of the result,
it comes about, and is then left alone.
"""

from __future__ import annotations

from typing import Any

import pytest

from amount import WHOLE, some_of
from convergence import converges
from every_switch import every_switch, harmless_switches
from module_task import Given, Tasks
from rich_world import BARE_WORLD, CHANGED_WORLD, EDGE, FIRST, FIRST_WORLD, SEED, TLS_EDGE

NOT_A_FIELD = {"id", "edge_id", "purge_modules", "purge_hostports"}
MODULES = {*FIRST, "mutual_tls", "tls_termination"}


def test_the_table_of_switches_is_read_right(tasks: Tasks) -> None:
    """Every value is one that the service takes."""
    table = every_switch()
    assert len(table) > 20
    for name, values in table.items():
        for value in values:
            tasks.service.switches(**{name: value})


def shape(value: Any) -> Any:
    """The keys in a value, at any depth. The members of a list have one shape."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items() if name not in ("sent", "warnings")}
    return [shape(member) for member in value[:1]] if isinstance(value, list) else None


SOME = harmless_switches() if WHOLE else [{}, *some_of(harmless_switches()[1:], 12, "harmless switches")]
"""Any estate is tried on services with any of them, too."""


@pytest.mark.parametrize("switches", SOME, ids=str)
def test_everything_is_foretold_comes_about_and_stays(tasks: Tasks, switches: Given) -> None:
    tasks.service.seed(**SEED)
    tasks.service.switches(**switches)
    worlds = [FIRST_WORLD, CHANGED_WORLD]
    if "operations" not in switches:  # the documented operations cannot remove traffic modules
        worlds.append(BARE_WORLD)
    for world in worlds:
        for module, options in world:
            dry, real = tasks.done(module, check=True, **options), converges(tasks, module, **options)
            assert real["changed"], (module, options)
            assert shape(dry) == shape(real)
        state = tasks.service.state()
        for module, options in world:
            assert holds(state, module, options), (module, options)


def holds(state: Given, module: str, options: Given) -> bool:
    """Whether the service holds what was declared, in request form."""
    if module == "event_source":
        [subscription] = state["event_subscriptions"]
        return (options["type"] in subscription["sources"]) == (options["state"] == "present")
    if module.startswith("tls_edge_"):
        [edge] = (each for each in state["tls_edges"] if each["id"] == TLS_EDGE)
        held = edge.get(module.removeprefix("tls_edge_"))
        return held is None if options.get("state") == "absent" else held is not None and _has(held, options)
    [edge] = (each for each in state["https_edges"] if each["id"] == EDGE)
    if module == "https_edge_route":
        [edge] = (each for each in edge["routes"] if each["match"] == options["match"])
    if options.get("purge_modules"):
        return not any(isinstance(value, dict) for value in edge.values())
    return _has(edge, {**options, "metadata": f'{{"text":"{options["description"]}"}}'})


def _has(held: Given, options: Given) -> bool:
    """Whether all that is declared is held. Whatever else a module holds was there before, and was sent with it."""
    return all(
        _has(held[name], value) if name in MODULES else _normal(held[name]) == _normal(value)
        for name, value in options.items()
        if name not in NOT_A_FIELD
    )


def _normal(value: Any) -> Any:
    return sorted(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else value
