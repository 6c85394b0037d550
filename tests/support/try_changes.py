# SPDX-License-Identifier: GPL-3.0-or-later
"""Try drawn changes against a service of its own, and print what opens something.

python tests/support/try_changes.py --count 300 --seed mine          # without failures: 10 changes a second
python tests/support/try_changes.py --count 50 --failures            # with a failure at each write
python tests/support/try_changes.py --named                          # the small ones that are written down
python tests/support/try_changes.py --only "mine 17" --smaller       # one of them, made smaller
"""

from __future__ import annotations

import sys
from pathlib import Path

for folder in ("tests/support", "dev"):
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / folder))

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
import argparse
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ansible.plugins.loader import init_plugin_loader

from collection_tree import link_checkout
from reference_service_process import running_reference_service

init_plugin_loader([str(link_checkout())])

from named_changes import NAMED_CHANGES
from opened import OPENED
from smaller_change import smaller
from trial import Trial, change_of, tried
from watched_change import FAILURES, Watched, watched


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="1", help="what all changes are drawn from")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", help="the seed of one change, as it is printed")
    parser.add_argument("--named", action="store_true", help="the changes with names instead of drawn ones")
    parser.add_argument("--failures", action="store_true", help="also with a failure at each write")
    parser.add_argument("--all-kinds", action="store_true", help="with a failure of each kind at each write")
    parser.add_argument("--smaller", action="store_true", help="make the changes smaller that open something")
    parser.add_argument("--show", type=int, default=5, help="how many to print in full")
    given = parser.parse_args()
    drawn = [f"{given.seed} {number}" for number in range(given.count)]
    seeds = [given.only] if given.only else list(NAMED_CHANGES) if given.named else drawn
    kinds: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder, _watched_service(Path(folder)) as between:
        for seed in seeds:
            try:
                trial = _trial(between, seed, given)
            except Exception:
                traceback.print_exc()
                kinds["broke"] += 1
                wrong.append(seed)
                print(f"seed: {seed} broke", flush=True)
                continue
            found = {one.partition(":")[0] for complaints in trial.complaints.values() for one in complaints}
            kinds.update(found)
            if found:
                wrong.append(seed)
            if found and len(wrong) <= given.show:
                _show(between, trial, seed, given.smaller)
    print(f"{len(seeds)} changes, {len(wrong)} with complaints: {dict(kinds)}")
    print("seeds:", *(repr(seed) for seed in wrong[:20]))
    return 1 if wrong else 0


@contextmanager
def _watched_service(folder: Path) -> Iterator[Watched]:
    with running_reference_service(folder) as service, watched(service) as between:
        yield between


def _trial(between: Watched, seed: str, given: argparse.Namespace) -> Trial:
    if given.failures or given.all_kinds:
        return tried(between, seed, list(FAILURES) if given.all_kinds else None)
    trial = Trial(between, change_of(seed), seed)
    trial.try_without_failures()
    return trial


def _show(between: Watched, trial: Trial, seed: str, is_made_smaller: bool) -> None:
    opening = [case for case, found in trial.complaints.items() if any(one.startswith(OPENED) for one in found)]
    kind = opening[0].partition(" at write ")[0] if opening else ""
    if is_made_smaller and kind in ("no failure", *FAILURES):
        trial = smaller(between, trial.change, kind if kind in FAILURES else "") or trial
    print(trial.report(seed), end="\n\n")


if __name__ == "__main__":
    sys.exit(main())
