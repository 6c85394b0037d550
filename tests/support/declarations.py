# SPDX-License-Identifier: GPL-3.0-or-later
"""Anything that a user may declare, and the switches of services that accept it, as strategies of hypothesis."""

from __future__ import annotations

import ast
from typing import Any

from hypothesis import strategies as st

from reference_fields import EDGE, EDGE_ITSELF, FLAG, ROUTE, ROUTE_ITSELF, TLS_EDGE, a_set, declarations_of, some
from reference_service_process import SOURCES

AUTH_MODULES = ("oauth", "oidc", "saml")
ROUTE_MODULES = {name: declarations_of(fields) for name, fields in ROUTE.items()}
FIELDS_OF_ROUTE, FIELDS_OF_EDGE = declarations_of(ROUTE_ITSELF), declarations_of(EDGE_ITSELF)


@st.composite
def route(draw: st.DrawFn) -> dict[str, Any]:
    """Options of a route, besides its place and its key; of the authentication modules one at the most."""
    modules = draw(st.sets(st.sampled_from(sorted(ROUTE_MODULES)), max_size=4))
    chosen = [name for name in AUTH_MODULES if name in modules][:1]
    options = draw(FIELDS_OF_ROUTE) | {
        name: draw(ROUTE_MODULES[name]) for name in sorted(modules) if name not in AUTH_MODULES or name in chosen
    }
    others = [name for name in ROUTE_MODULES if name not in options]
    # Not more than one may be left, because some services take just one of them.
    logins = [name for name in others if name in AUTH_MODULES]
    removals = [{"absent_modules": logins}, {"absent_modules": others}, {"purge_modules": True}]
    return options | draw(st.sampled_from(removals))


EDGE_MODULES = {name: declarations_of(fields) for name, fields in EDGE.items()}

IN_ANOTHER_SCRIPT = ("bücher.example.com:443", "BÜCHER.example.com:443", "xn--bcher-kva.example.com:443")


@st.composite
def edge(draw: st.DrawFn) -> dict[str, Any]:
    """Options of an HTTPS edge; it keeps one hostport by which it is found."""
    more = draw(a_set("two.example.com:443", "Two.Example.com:443", "three.example.com:8443", *IN_ANOTHER_SCRIPT))
    return (
        draw(FIELDS_OF_EDGE)
        | draw(some(EDGE_MODULES))
        | {"hostports": ["One.example.com:443", *more], "purge_hostports": True, "purge_modules": draw(FLAG)}
    )


def _without_contradictions(termination: dict[str, Any]) -> dict[str, Any]:
    """The options without those that depend on where TLS is terminated, unless it is terminated at the edge."""
    if "terminate_at" not in termination:
        return {}
    excluded = {"min_version"} if termination["terminate_at"] == "upstream" else set()
    return {name: value for name, value in termination.items() if name not in excluded}


TLS_MODULES = {
    "ip_restriction": declarations_of(TLS_EDGE["ip_restriction"]),
    "tls_termination": declarations_of(TLS_EDGE["tls_termination"]).map(_without_contradictions),
}

REJECT = (
    "account",
    "rate_limit",
    "rejected_creations",
    "one_login_per_edge",
    "unknown_references",
    "empty_pages",
    "changed_identity",
    "cleared_text",
    "unreserved_hostports",
)
"""Switches that make the service reject what is right elsewhere, or unusable: the worlds have a login on each route."""

NUMBERS = {
    "page_size": [100, 1],
    "rate_limit": [0, 1],
    "response_delay_ms": [0, 1],
    "slow_creations_ms": [0, 1],
    "slow_releases": [0, 1],
    "creation_rejection": [400, 403],
}
"""Values to try of the switches that take any number of a range; the first is the default."""


def every_switch() -> dict[str, list[Any]]:
    """The values that each switch can have, of which the first is the default."""
    tree = ast.parse((SOURCES / "reference_service" / "switches.py").read_text(encoding="utf-8"))
    switches = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Switches")
    fields = [node for node in switches.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
    return {ast.unparse(field.target): _values(field) for field in fields}


def harmless_switches() -> list[dict[str, Any]]:
    """None, and each alone with each value but its default, of those under which a right declaration comes about."""
    table = every_switch().items()
    return [{}, *({name: value} for name, values in table if name not in REJECT for value in values[1:])]


def _values(field: ast.AnnAssign) -> list[Any]:
    annotation, name = ast.unparse(field.annotation), ast.unparse(field.target)
    if annotation.startswith("Literal["):
        values = ast.literal_eval(annotation.removeprefix("Literal"))
        return list(values)
    if annotation == "bool":
        return [False, True]
    return NUMBERS[name]


# Some services do not list what there is, some need a second attempt, and check mode cannot know what an update empties
# that further requests restore.
NOT_DRAWN = {"operations": "documented", "slow_releases": 1, "patch_empties": "everything"}
SWITCHES = some(
    {
        name: st.sampled_from([value for value in values if NOT_DRAWN.get(name) != value])
        for name, values in every_switch().items()
        if name not in REJECT
    }
)
"""What services of any kind do without refusing what is right elsewhere."""
