# SPDX-License-Identifier: GPL-3.0-or-later
"""One drawn change, tried in every way: without failures, with one at each write, and with somebody else who writes in
between. What is complained of is what the collection promises and did not keep.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import unified_diff
from typing import Any

from any_change import AUTHORITIES, Change, any_change, redistribution
from any_served import RULES, seen_by, with_objects
from meddling import any_meddling, without_them
from named_changes import NAMED_CHANGES
from opened import OPENED, Ends, complaints_of_openings, settled
from visitors import ALL, Crowd
from watched_change import FAILURES, IGNORED, Run, Watched, ignoring

PREDICTED = "check mode predicted other requests"
LOST = "the next run did not restore what is declared"
FAILED = "the run failed without a failure of the service"

NO_ORDER = "No order of the changes keeps"
"""What a message says of a change that cannot be made without opening something for a moment."""

NEW_KINDS = ("edghts", "edghtsrt", "ipp", "ipr", "edgtls", "bkdsa", "bkd")
"""What the IDs of new objects begin with."""

SHOWN = 3
"""The most complaints about the same request."""

CLEARED = "which the service cleared"
"""What the reason of a request says that restores a string. Nobody can foresee that a service will clear it."""

LOST_TEXT = ("update has emptied", "which the service may have cleared")
"""What messages say of strings that a failure has left cleared. If they are not declared, they stay so."""

LEFT_CLOSED = "closed"
"""What a message says of a route whose backend a failure has left disabled. If it is not declared, it stays so."""


class Trial:
    """Tries the change of a seed. `complaints` has, for each case with something wrong, what that is."""

    def __init__(self, watched: Watched, change: Change, seed: str = "") -> None:
        self.watched, self.change, self.seed = watched, change, seed
        self.seen = seen_by(change)
        more = {"mutual_tls": {"certificate_authority_ids": AUTHORITIES}}
        # A module of a TLS edge has its policies on top, and the policy of a reference may be live.
        policies = ["ipp_named"] if "ref:office" in str(change.options) else change.options.get("ip_policy_ids")
        more |= {"ip_restriction": {"ip_policy_ids": policies}} if policies else {}
        self.crowd = Crowd(change.live, change.options, more)
        self.chance = random.Random(f"{seed} failures")
        self.complaints: dict[str, list[str]] = {}
        self.sent: dict[str, list[str]] = {}
        self.failures = 0
        self.real = Run(None)
        self.after: Any = None
        self._later: list[Any] = []
        self._options: dict[str, Any] = {}

    def try_without_failures(self) -> None:
        """Run it dry and for real. What the other cases are compared with is known then."""
        self.watched.start_over(self.change)
        dry = self.watched.run(self.change, check=True)
        if self.change.expects_plan and dry.result.get("plan_digest"):
            self._options = {"expect_plan": dry.result["plan_digest"]}
        self.real = self.watched.run(self.change, **self._options)
        self.after = self.real.after
        found = list(self._opened(self.real))
        if self.real.has_failed and NO_ORDER in _messages(self.real):
            # A route that the task does not declare would take requests over in between, and is not closed. The next
            # run has less to do, and may have an order for what waited for that.
            later = self.watched.run_again(self.change)
            self._later = [later.after]
            found += self._opened(later, later.after)
        elif self.real.has_failed:
            found.append(f"{FAILED}: {_messages(self.real)}")
        elif self._operations(dry) != self._operations(self.real):
            found.append(f"{PREDICTED}: {self._operations(dry)} instead of {self._operations(self.real)}")
        if not self.real.has_failed and "plan" in dry.result:
            seen = replace(self.seen, lists_all=not self.change.live["objects"].get(RULES))
            states = (self.real.before, self.after)
            in_fact, told = (Ends(self.crowd, self.change.known, *states, seen=one).ends for one in (ALL, seen))
            shows_all = self.change.switches.get("references") != "single"
            found += complaints_of_openings(dry.result["plan"], in_fact, told, shows_all=shows_all)
        self._complain("no failure", self.real, found)

    def try_failures(self, kinds: Sequence[str] | None = None) -> None:
        """Run it again for each write, with a failure there: of each of these kinds, or of one that is drawn."""
        for position in range(len(self.real.sent)):
            for kind in kinds or [self.chance.choice(list(FAILURES))]:
                self.failures += 1
                retries = 1 if self.chance.random() < 0.25 else 0
                case = f"{kind} at write {position}, retries {retries}"
                self._try_failures(case, kind, range(position, position + 1), retries=retries)

    def try_meddling(self) -> None:
        """Run it again, with somebody else who writes immediately before one of the writes.

        Somebody else may open what they like, and no order of requests can prevent that what this task does and what
        they do open something together: if they delete a protected route, `/` takes its requests. So what is held
        against a request of this task is only what is open in fact and would be open without them as well. In fact
        means: not before or after the run without them, not immediately before the request, and not in the end, when
        the task was run again and has seen what they did.
        """
        position = self.chance.randrange(len(self.real.sent))
        self.watched.start_over(self.change)
        run = self.watched.run(self.change, meddling={position: any_meddling(self.chance)}, **self._options)
        again = self.watched.run_again(self.change)
        alone = self._ends(run)
        found = []
        for step in run.steps:
            if step.meddled is not None:
                ends = self._ends(run, step.before, again.after)
                without = alone.opened(without_them(step.after, *step.meddled))
                opened = [one for what, one in ends.opened(step.after).items() if what in without]
                found += [f"{one}, after {step.request}" for one in opened]
        self._complain(f"somebody else before write {position}", run, found)

    def try_ignoring(self) -> None:
        """Run it again on a service that says 204 to some of the writes, and does nothing."""
        method, name = random.Random(f"{self.seed} ignored").choice(IGNORED)
        self.watched.start_over(self.change)
        run = self.watched.run(self.change, ignoring(method, name), **self._options)
        self._complain(f"{method} of {name} ignored", run, list(self._opened(run)))

    def try_breaking_off(self) -> None:
        """Run it again on a service that rejects everything from one of the writes on."""
        position = random.Random(f"{self.seed} broken off").randrange(len(self.real.sent))
        self._try_failures(f"503 from write {position} on", "503", range(position, sys.maxsize))

    def _try_failures(self, case: str, kind: str, positions: range, retries: int = 0) -> None:
        self.watched.start_over(self.change)
        run = self.watched.run(
            self.change,
            lambda number, _request: FAILURES[kind] if number in positions else None,
            retries=retries,
            **self._options,
        )
        again = self.watched.run_again(self.change)
        # A failure may leave an order for what had none without it, which then ends as it is declared.
        ends = [again.after] if self.real.has_failed and not again.has_failed else self._later
        found = [one for each in (run, again) for one in self._opened(each, *ends)]
        if not self.real.has_failed:
            found += self._lost(run, again, has_lied=kind == "204, ignored")
        self._complain(case, run, found)

    def _opened(self, run: Run, *others: Any) -> Iterator[str]:
        """What a run opens, each with the request after which it is open first."""
        ends = self._ends(run, *others)
        seen: set[str] = set()
        for step in run.steps:
            found = [each for each in ends.opened(step.after).values() if each not in seen]
            seen.update(found)
            yield from (f"{each}, after {step.request}" for each in found[:SHOWN])
            if len(found) > SHOWN:
                yield f"{OPENED}: {len(found) - SHOWN} more"

    def _ends(self, run: Run, *others: Any) -> Ends:
        return Ends(self.crowd, self.change.known, run.before, self.after, *others, seen=self.seen)

    def _lost(self, run: Run, again: Run, has_lied: bool) -> Iterator[str]:
        can_be_stuck = RULES in self.change.live["objects"] or self.change.leaves_routes
        if again.has_failed and NO_ORDER in _messages(again) and can_be_stuck:
            # What is done already may leave no order for the rules of a policy that something uses now, or beside
            # routes that the task does not declare.
            return
        if again.has_failed:
            yield f"{LOST}: it failed: {_messages(again)}"
        is_reported = LEFT_CLOSED in _messages(run)
        # A service that says that it has opened the route again leaves nothing to say.
        closed = self.change.without_declared_backend if is_reported or has_lied else frozenset()
        has_text_fields = not any(text in _messages(run) for text in LOST_TEXT)
        expected, held = (
            settled(state, self.change.known, closed, has_text_fields) for state in (self.after, again.after)
        )
        if expected != held:
            lines = (json.dumps(one, indent=1, sort_keys=True).splitlines() for one in (expected, held))
            yield "\n".join([f"{LOST}:", *unified_diff(*lines, "expected", "held", lineterm="")])

    def _operations(self, run: Run) -> list[str]:
        """The requests in a result, with the same ID for all that is new. In parallel, their order means nothing."""
        planned = [one for one in run.result.get("operations", ()) if CLEARED not in one["reason"]]
        shown = [f"{one['method']} {one['path']} ({one['reason']})" for one in planned]
        shown = [re.sub(r"\b([a-z]+)_[\w-]+", self._placeholder, one) for one in shown]
        return sorted(shown) if self.change.options.get("concurrency", 1) > 1 else shown

    def _placeholder(self, found: re.Match[str]) -> str:
        is_new = found[1] in NEW_KINDS and found[0] not in self.change.known
        return f"{found[1]}_*" if is_new else found[0]

    def _complain(self, case: str, run: Run, found: list[str]) -> None:
        """Note what is wrong, unless it is wrong without failures as well."""
        found = [one for one in found if one not in self.complaints.get("no failure", ())]
        if found:
            self.complaints[case] = list(dict.fromkeys(found))
            self.sent[case] = list(run.sent)

    def report(self, seed: str) -> str:
        """Everything that is needed to see what happened."""
        lines = [f"seed: {seed} (add it to FOUND in test_never_opened.py to run it again)"]
        lines += [f"live: {json.dumps(self.change.live)}", f"switches: {self.change.switches}"]
        lines += [f"{self.change.module}: {json.dumps({**self.change.options, **self._options})}"]
        for case, found in self.complaints.items():
            lines += [f"\n{case}:", *(f"  {one}" for one in found), *(f"    {one}" for one in self.sent[case])]
        return "\n".join(lines)


def tried(watched: Watched, seed: str, kinds: Sequence[str] | None = None) -> Trial:
    """The change of a seed, or of a name, tried in every way."""
    trial = Trial(watched, change_of(seed), seed)
    trial.try_without_failures()
    trial.try_failures(kinds)
    if trial.real.sent:
        trial.try_meddling()
        trial.try_ignoring()
        trial.try_breaking_off()
    return trial


def _messages(run: Run) -> str:
    failures = [f"{one['object']}: {one['msg']}" for one in run.result.get("failures", ())]
    return "; ".join([str(run.result.get("msg", "")), *failures])


def change_of(seed: str) -> Change:
    """The change of a name, or of a seed: with objects if it contains that word, on a service that empties what an
    update lacks if it contains `emptied`, and a redistribution if it contains that word in plural. With `replaced`,
    updates replace objects as a whole, and with `silent`, the service returns 204 to updates."""
    if seed in NAMED_CHANGES:
        return NAMED_CHANGES[seed]
    if "redistributions" in seed.split():
        return redistribution(seed)
    change, words = any_change(seed), seed.split()
    if "objects" in words:
        change = with_objects(change, random.Random(f"{seed} objects"), replaces="replaced" in words)
    if "emptied" in words:
        _empty(change)
    change.is_silent = "silent" in words
    return change


def _empty(change: Change) -> None:
    """Let the service empty what an update lacks, and the task list what would open something until it is restored."""
    # Of several IDs, a service may show one: then, no request can contain all of them.
    if change.switches.get("references") != "single" and not change.options.get("tls_edges"):
        change.switches["patch_empties"] = "everything"
        for one in change.options.get("objects", [change.options]):
            if one.get("collection") == "edges/tls":
                one["always_send"] = ["ip_restriction", "mutual_tls"]
                # What is sent replaces a module as a whole.
                for name in one.get("body", {}).keys() & {*one["always_send"]}:
                    one["body"][name] = {"enabled": True, **one["body"][name]}
