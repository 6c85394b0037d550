# SPDX-License-Identifier: GPL-3.0-or-later
"""How a task with a single object reads what is around it, if its plan changes who gets in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .._planning.plan import Plan, State
from .._planning.undeclared import Remainder
from .._transport.client import Client


def around(
    client: Client, read_edges: Callable[[Client], Sequence[State | None]], *, are_needed: bool = False
) -> Callable[[Plan], list[Remainder]]:
    """Return a function that reads what may use or take what the plan of an object changes.

    If they `are_needed`, it is whatever serves traffic: another edge, such as one with a wildcard, may take requests.
    """

    def read(plan: Plan) -> list[Remainder]:
        # Few tasks change who gets in, and Ansible compiles whatever is imported, for each playbook.
        from .surroundings import surroundings  # noqa: PLC0415

        return surroundings(client, [plan], read_edges, are_needed=are_needed)

    return read
