# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads an account for a comparison with what is remembered of it.

What is missing in a list does not count as deleted until it was confirmed: lists change while their pages are read, and
some responses are incomplete.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress

from ...module_utils import _errors as errors
from ...module_utils._definition import Options
from ...module_utils._exposure.judge import judgement_of
from ...module_utils._model.masking import Masks
from ...module_utils._objects.live_estate import live_estate
from ...module_utils._objects.rejection import today
from ...module_utils._transport.client import Client
from ...module_utils._transport.retries import TOO_MANY_REQUESTS
from .objects import Entries, Reading, finding_entry, presentable, unit_of
from .parts import Edges, Part, Sources, TlsEdge, Tunnels, Units, part_of, parts_of

MOST_CONFIRMATIONS = 20
"""How many missing units are read one by one in each poll."""


def read_account(
    client: Client,
    options: Options,
    known: Mapping[str, Entries],
    gone: Mapping[str, Collection[str]],
    previous: Reading,
) -> Reading:
    """Read what the options name. `known` are the entries of each part, and `gone` what was among them before."""
    reading = Reading()
    # Those that have stopped the previous polls are the last ones, so that they do not hide the others.
    last = {name: number for number, name in enumerate(previous.stopped)}
    parts = sorted(parts_of(options), key=lambda one: last.get(one.name, -1))
    stop = ""
    for part in parts:
        if stop:
            reading.errors[part.name] = f"not read, because of the error of {stop}"
            continue
        before = known.get(part.name)
        try:
            unconfirmed = previous.unconfirmed.get(part.name, ())
            kept = _read_part(client, part, before, frozenset(gone.get(part.name, ())), unconfirmed)
            entries = {key: one for key, one in (before or {}).items() if unit_of(key) in kept}
            read = presentable({key: one for each in part.entries.values() for key, one in each.items()}, client.masks)
        except (errors.IngressError, RecursionError) as error:
            reading.errors[part.name] = str(error) or "the response has too many levels"
            if isinstance(error, errors.RequestError):
                reading.retry_after = max(reading.retry_after, error.request.retry_after or 0.0)
                stop = part.name if _is_about_everything(error) else ""
            continue
        reading.parts[part.name] = {**entries, **read}
        if kept:
            reading.unconfirmed[part.name] = kept
    if stop:
        reading.stopped = [*(name for name in previous.stopped if name != stop), stop]
    _keep_doubtful(parts, reading, known, previous)
    if options["findings"] and not reading.errors and not reading.unconfirmed:
        reading.findings = _findings(options, reading, parts, client.masks)
    return reading


def _is_about_everything(error: errors.RequestError) -> bool:
    """Return whether further requests would probably fail in the same way, each after many retries."""
    is_lost = isinstance(error, errors.OutcomeUnknown) and error.request.status is None
    is_elsewhere = isinstance(error, (errors.Unreachable, errors.Misdirected))
    return is_lost or is_elsewhere or error.request.status == TOO_MANY_REQUESTS


def _read_part(
    client: Client, part: Part, before: Entries | None, gone: frozenset[str], unconfirmed: Collection[str]
) -> frozenset[str]:
    """Read a part, and return the units whose absence was not confirmed. `before` is None if it is not known."""
    part.read(client, before is not None)
    if before is None and part.is_list:
        # Whatever the first list lacks would be new in the next one.
        part.read(client, False)
    if before is None or part.is_doubtful:
        return frozenset()
    postponed = _confirm_return(client, part, gone)
    others = {key for key in before if unit_of(key) not in postponed}
    return postponed | _confirm(client, part, others, unconfirmed)


def _confirm_return(client: Client, part: Part, gone: frozenset[str]) -> frozenset[str]:
    """Read the units that the list contains again, and remove those that do not exist: the list may be an old one.

    If they are many, the next polls read the rest, which is removed until then, and returned.
    """
    returned = {unit for unit, entries in part.entries.items() if not gone.isdisjoint(entries)}
    chosen, _read = _read_some(client, part, returned)
    postponed = frozenset(returned - chosen)
    for unit in postponed:
        part.put(unit, None)
    return postponed


def _read_some(client: Client, part: Part, units: Collection[str]) -> tuple[Set[str], Set[str]]:
    """Read some of these units one by one. Return those that were chosen, and those of them that can be read alone."""
    chosen = random.sample(sorted(units), min(len(units), MOST_CONFIRMATIONS))
    read = set()
    for unit in chosen:
        with suppress(errors.UnsupportedRequest, errors.UnusableIdentifier):
            part.read_one(client, unit)
            read.add(unit)
    return set(chosen), read


def _keep_doubtful(parts: Iterable[Part], reading: Reading, known: Mapping[str, Entries], previous: Reading) -> None:
    """Keep what is known of doubtful parts, unless two readings in sequence say the same, and nothing else failed."""
    for name in (part.name for part in parts if part.is_doubtful and part.name in reading.parts):
        before = known.get(name)
        is_believed = name in previous.unconfirmed and not reading.errors and not previous.errors
        if before is not None and before != reading.parts[name] and not is_believed:
            reading.parts[name] = before
            reading.unconfirmed[name] = frozenset({name})


def _confirm(client: Client, part: Part, before: Set[str], unconfirmed: Collection[str]) -> frozenset[str]:
    """Read missing units, and return those whose absence was not confirmed. `before` are the keys of known entries.

    If many are missing, only some are read. If none of these exists, the others are believed to be missing as well if
    the list has not contained them twice. Otherwise, the list is incomplete.
    """
    missing: dict[str, set[str]] = {}
    for key in before - {key for entries in part.entries.values() for key in entries}:
        missing.setdefault(unit_of(key), set()).add(key)
    _chosen, read = _read_some(client, part, missing)
    is_incomplete = any(not missing[unit].isdisjoint(part.entries.get(unit, ())) for unit in read)
    rest = frozenset(missing.keys() - read)
    return rest if is_incomplete else rest - set(unconfirmed)


def _findings(options: Options, reading: Reading, parts: Sequence[Part], masks: Masks) -> dict[str, Entries]:
    """Return the findings that nobody has accepted, about each part and about all event subscriptions together."""

    def units(kind: type[Part]) -> Units:
        return {unit: found for part in parts if isinstance(part, kind) for unit, found in part.units.items()}

    sources = {part.id: sorted(part.units) for part in parts if isinstance(part, Sources)}
    edges, tunnels = list(units(Edges).values()), list(units(Tunnels).values())
    estate = live_estate(options, edges, units(TlsEdge), sources, tunnels)
    findings: dict[str, Entries] = {name: {} for name in (*reading.parts, *([part_of(None)] if sources else []))}
    for one in judgement_of(estate, options["accept"], today()).findings:
        if one.accepted is None:
            key, entry = finding_entry(one)
            findings[part_of(one.hit.subject)][key] = entry
    return {name: presentable(entries, masks) for name, entries in findings.items()}
