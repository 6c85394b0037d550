# SPDX-License-Identifier: GPL-3.0-or-later
"""A child needs its parent, an object those that it refers to, and a deletion that nothing refers to it. A purge needs
everything that is declared with it: what is not declared may be what a failed declaration is meant to replace. Pure.

Protection comes first: a purge does not wait for declared objects that must not be changed before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping
from itertools import chain

from .._access.parts import grouped, reached
from .._errors import NamesKept
from .._model.protection import SERVING
from .._planning.plan import Plan, is_unclear
from .._planning.referenced_fields import hides_references_to, names_in, names_of
from .._planning.rejected_changes import OBJECT
from .graph import Graph, settle
from .moves import takers_of_deleted


def need_parents(graph: Graph) -> None:
    """Let the children of a new object wait for it, and then be created in it.

    Those of an edge that keeps its hostports wait as well: what is declared for the others would serve these, too.
    """
    new = {
        plan.key: position
        for position, plan in enumerate(graph.plans)
        if plan.before is None or isinstance(plan.error, NamesKept)
    }
    for position, plan in enumerate(graph.plans):
        parent = new.get(plan.target.parent) if plan.target.parent is not None else None
        # An object that is not found, but should not exist either, fails for nobody.
        if parent is not None and parent != position and graph.nodes(parent):
            graph.binds[position].add(parent)
            for node in graph.nodes(position)[:1]:
                graph.need(node, graph.nodes(parent)[0])


def need_referenced(graph: Graph, yielding: Collection[int]) -> None:
    """Let objects wait for those that are declared with them and that they refer to by their IDs.

    They have to wait for new ones. That one of the `yielding` plans waits for the change of another one gives way to
    protection.
    """
    # Of two declarations of the same object, both fail.
    named = {
        identifier: position
        for position, plan in reversed(list(enumerate(graph.plans)))
        if plan.kind.name == OBJECT and (plan.after is not None or plan.error)
        for identifier in _ids_of(plan)
    }
    parts, used = _parts(graph, named), _used(graph, named)
    following = [set[int]().union(*each) for each in used]
    for position, plan in enumerate(graph.plans) if named else ():
        for number, others in enumerate(used[position]):
            for other in others:
                yields = position in yielding and other in yielding and not graph.plans[other].error
                # Of existing objects that refer to each other in a circle, the one that is declared last waits.
                waits = other < position or position not in reached([other], following.__getitem__)
                changes = bool(graph.nodes(other))
                if changes and (graph.plans[other].before is None or (waits and not yields)):
                    graph.binds[position].add(other)
                    graph.need((position, number), graph.nodes(other)[-1])
                # An IP policy without its rules admits others than it is meant to admit.
                for part in parts.get(other, ()):
                    if (changes and plan.kind.name != OBJECT) or (
                        _is_restricted_by(plan, graph.plans[part])
                        and not (position in yielding and part in yielding)
                        and position not in reached([part], following.__getitem__)
                    ):
                        graph.need((position, number), graph.nodes(part)[-1])


def _is_restricted_by(plan: Plan, part: Plan) -> bool:
    """Return whether an edge or a route may be restricted by what belongs to another object, such as a rule."""
    serves = plan.kind.name != OBJECT or plan.target.object_collection in SERVING
    return serves and part.target.object_collection not in SERVING


def _used(graph: Graph, named: Mapping[str, int]) -> list[list[set[int]]]:
    """Return the other plans of objects to which each operation of each plan refers."""
    names = ([(*one.path.split("/"), *names_in(one.body)) for one in plan.operations] for plan in graph.plans)
    return [
        [{named[one] for one in each if one in named} - {position} for each in own]
        for position, own in enumerate(names if named else ())
    ]


def _parts(graph: Graph, named: Mapping[str, int]) -> Mapping[int, list[int]]:
    """Return the declared objects that are found by the ID of another one, and so belong to it, by its position."""
    return grouped(
        (named[identifier], position)
        for position, plan in enumerate(graph.plans if named else ())
        if plan.kind.name == OBJECT and plan.after is not None and graph.nodes(position)
        for identifier in named.keys() & names_in([plan.after[f.name] for f in plan.kind.fields if f.identifies])
    )


def need_to_be_unused(graph: Graph) -> None:
    """Let deletions of objects wait until nothing refers to them any more. What failed objects may refer to is kept."""
    deleted = {
        identifier: position
        for position, plan in enumerate(graph.plans)
        if plan.kind.name == OBJECT and plan.operations and plan.before is not None and plan.after is None
        for identifier in _ids_of(plan)
    }
    users: dict[int, set[int]] = defaultdict(set)
    _need_kinds_to_be_unused(graph, deleted)
    for position, plan in enumerate(graph.plans) if deleted else ():
        # It is not known to what such an object refers.
        used = set(deleted) if is_unclear(plan) else set(names_in(plan.before)) & deleted.keys()
        for other in {deleted[one] for one in used} - {position}:
            if graph.nodes(position):
                users[other].add(position)
    for other, positions in users.items():
        kept = positions - set(deleted.values())
        for position in positions:
            # Of objects that refer to each other in a circle, the one that comes first is deleted first.
            if position in kept or position < other:
                graph.need((other, 0), graph.nodes(position)[-1])
        # What is deleted together with it, such as the rules of an IP policy, counts as long as it is used.
        for needing in {other, *positions & set(deleted.values())}:
            for position in kept:
                # A deleted edge gives up its hostports before, and a kept one may wait for these.
                graph.rely(graph.nodes(needing)[-1], graph.nodes(position)[-1])


def _need_kinds_to_be_unused(graph: Graph, deleted: Mapping[str, int]) -> None:
    for identifier, other in deleted.items():
        for position in set(deleted.values()):
            # If two kinds refer to each other, the object that comes first is deleted first.
            if position < other and hides_references_to(graph.plans[position].before, identifier):
                graph.need((other, 0), graph.nodes(position)[-1])


def need_declared(graph: Graph) -> None:
    """Let each purge or deletion of an object wait for what may replace it, unless that has to come later."""
    kinds = {plan.key: plan.kind.name for plan in graph.plans if plan.target.parent is None}
    declared: dict[Hashable, list[int]] = defaultdict(list)
    deleted: dict[Hashable, list[int]] = defaultdict(list)
    for position, plan in enumerate(graph.plans):
        # What is deleted may be what something else, which is declared with it, replaces.
        gives_way = plan.purge or (plan.kind.name == OBJECT and plan.after is None and not plan.error)
        if not gives_way:
            for family in _families(plan, kinds):
                declared[family].append(position)
        elif plan.operations or plan.error:
            deleted[next(_families(plan, kinds))].append(position)
    takers = takers_of_deleted(graph.plans) if deleted else {}
    for family, positions in deleted.items():
        needed = [node for position in declared[family] for node in graph.nodes(position)[-1:]]
        everything = [graph.join(needed)] if needed else []
        for position in positions:
            *first, last = graph.nodes(position)
            excluded = settle(graph, [position], first)
            # An object of another kind may replace it as well, together with its routes or traffic modules.
            found = [graph.plans[one] for one in takers.get(position, ())]
            # Traffic modules of a TLS edge name it by its ID.
            parents = [name for one in found for name in (one.key, (one.before or one.target.identity).get("id"))]
            others = (takers.get(position, ()), *(declared["parent", one] for one in parents))
            replacing = [node for one in chain(*others) for node in graph.nodes(one)[-1:]]
            for node in (*(needed if excluded else everything), *replacing):
                if node[0] not in excluded:
                    graph.need(last, node)


def _families(plan: Plan, kinds: Mapping[Hashable, str]) -> Iterator[Hashable]:
    """Yield what a plan is declared with: its collection and its children, or its siblings and their parent."""
    parent = plan.target.parent
    if plan.kind.name == OBJECT:
        yield ("collection", plan.target.collection)
    elif parent is None:
        yield ("collection", kinds[plan.key])
        yield ("parent", plan.key)
    else:
        yield ("parent", parent)
        if parent in kinds:
            yield ("collection", kinds[parent])


def _ids_of(plan: Plan) -> Iterator[str]:
    """Yield the ID of an object, and its other fields by which objects refer to it, such as a reserved domain."""
    yield plan.target.identity["id"] if plan.before is None else plan.before["id"]
    yield from names_of(plan.target.identity)
