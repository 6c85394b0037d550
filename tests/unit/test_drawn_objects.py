# SPDX-License-Identifier: GPL-3.0-or-later
"""The changes with objects that are drawn: what they contain, and that those without objects stay what they are."""

from __future__ import annotations

import copy
import random
from collections import Counter

from any_change import any_change
from any_served import POLICIES, RULES, TLS, with_objects
from trial import change_of

SEEDS = [f"unit objects {number}" for number in range(300)]
DRAWN = [change_of(seed) for seed in SEEDS]


def test_the_same_seed_draws_the_same() -> None:
    assert [change_of(seed) for seed in SEEDS[:20]] == DRAWN[:20]


def test_what_has_objects_added_stays_as_it_is() -> None:
    change = any_change("unit 1")
    before = copy.deepcopy(change)
    assert with_objects(change, random.Random("x")) != before
    assert change == before
    assert change_of("unit 1") == before


def test_everything_is_drawn() -> None:
    found: Counter[str] = Counter()
    for change in DRAWN:
        found.update(change.options.keys() & {"tls_edges", "objects"})
        found.update({change.module} - {"estate"})
        found.update("live TLS edge" for _edge in change.live["tls_edges"])
        found.update(f"live {rule['action']}" for rule in change.live["objects"][RULES])
        for one in change.options.get("objects", ()):
            found[f"{one['collection']} {one.get('state', 'present')}"] += 1
            found.update(f"{one['collection']} {name}" for name in one if name in ("id", "find_by", "body"))
    wanted = [f"{one} {state}" for one in (RULES, POLICIES, TLS) for state in ("present", "absent")]
    wanted += [f"{one} {how}" for one in (RULES, TLS) for how in ("id", "find_by", "body")]
    wanted += ["live allow", "live deny", "live TLS edge", "tls_edges", "objects", "object", "tls_edge_ip_restriction"]
    assert {name: found[name] for name in wanted if found[name] < 2} == {}
