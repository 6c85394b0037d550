# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes small changes to the core, one at a time in a copy of the checkout, and lists those that no test detects.

Which lines each test executes is found out first. Of a change, the tests that execute its lines are run, the quickest
first, until one fails; all of them, where its lines are executed by an import.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from chosen_tests import WHILE_IMPORTED
from collection_tree import CHECKOUT, copy_checkout
from mutants import Edit, Mutant, edits, mutant

HERE = Path(__file__).resolve().parent
Tests = dict[str, dict[str, Any]]
"""Of each test, its seconds and the lines that it executes, by file."""


LIMIT = 15.0
"""Seconds that each test may take longer than it usually does; so many times it may take as long."""


class Fate(Enum):
    """What became of a mutant."""

    CAUGHT = "caught"
    STUCK = "caught by a time limit"
    SURVIVED = "survived"
    NOT_EXECUTED = "not executed by any test"


@dataclass(frozen=True)
class Project:
    """What is mutated: the files in `folder`, below `root`; `copy` makes a copy of all that its tests need."""

    root: Path
    folder: str
    tests: tuple[str, ...]
    copy: Callable[[Path], Path]

    def sources(self) -> dict[str, str]:
        """The text of each file, by its path in the folder."""
        top = self.root / self.folder
        return {str(path.relative_to(top)): path.read_text(encoding="utf-8") for path in sorted(top.rglob("*.py"))}


def sample(sources: dict[str, str], seed: str, count: int) -> list[Mutant]:
    """So many mutants: one change to each statement that is drawn, so that long files get more than short ones.

    The same seed draws the same ones of the same sources.
    """
    chance = random.Random(seed)
    statements: dict[tuple[str, tuple[int, int]], dict[str, list[Edit]]] = {}
    for path, source in sources.items():
        for edit in edits(source):
            statements.setdefault((path, edit.lines), {}).setdefault(edit.kind, []).append(edit)
    order = list(statements)
    chance.shuffle(order)
    drawn: list[Mutant] = []
    while order and len(drawn) < count:
        place = order.pop(0)
        kinds = statements[place]
        kind = chance.choice(sorted(kinds))
        edit = kinds[kind].pop(chance.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        if kinds:
            order.append(place)  # once more, after all others
        path, _lines = place
        made = mutant(path, sources[path], edit)
        drawn += [made] if made else []
    return sorted(drawn, key=lambda one: (one.path, one.edit))


class Trial:
    """Tries mutants of a project, each in one of several copies of it that lie in `folder`."""

    def __init__(self, project: Project, folder: Path, copies: int) -> None:
        self._project, self._folder = project, folder
        self._running: set[subprocess.Popen[bytes]] = set()
        self._copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(copies):
            self._copies.put(project.copy(folder / str(number)))
        self._tests: Tests = {}

    def record(self) -> None:
        """Find out what each test executes, and whether they are green in another order. Raises SystemExit if not."""
        file = self._folder / "recorded.json"
        with self._copy() as (copy, folder):
            self._must_be_green(copy, folder, f"--record={file}", f"--lines-of={self._project.folder}")
            self._tests = json.loads(file.read_text(encoding="utf-8"))
            self._must_be_green(copy, folder, *self._ordered(folder, {WHILE_IMPORTED}))

    def fate(self, one: Mutant) -> Fate:
        """What the tests make of a change."""
        first, last = one.edit.lines
        touching = {
            name
            for name, test in self._tests.items()
            if any(first <= line <= last for line in test["lines"].get(one.path, ()))
        }
        if not touching:
            return Fate.NOT_EXECUTED
        touching |= {name for name, test in self._tests.items() if test["may_execute_anything"]} - {WHILE_IMPORTED}
        with self._copy() as (copy, folder):
            changed = copy / self._project.folder / one.path
            before = changed.read_bytes()
            changed.write_text(one.source, encoding="utf-8")
            # Python recognizes outdated bytecode by the size and the time, in seconds, of the source.
            shutil.rmtree(changed.parent / "__pycache__", ignore_errors=True)
            try:
                status = self._run(copy, folder, *self._ordered(folder, touching))
            finally:
                changed.write_bytes(before)
            is_stuck = status is None or (folder / "stuck").stat().st_size
        return Fate.SURVIVED if status == 0 else Fate.STUCK if is_stuck else Fate.CAUGHT

    def fates(self, chosen: list[Mutant]) -> Iterator[tuple[Mutant, Fate]]:
        """What becomes of each mutant, as soon as that is known."""
        executor = ThreadPoolExecutor(self._copies.qsize())
        try:
            waiting = {executor.submit(self.fate, one): one for one in chosen}
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        finally:
            executor.shutdown(wait=False, cancel_futures=True)
            for process in list(self._running):
                _kill(process)
            executor.shutdown()

    @contextmanager
    def _copy(self) -> Iterator[tuple[Path, Path]]:
        """A copy that nothing else uses, and a folder for what is needed meanwhile."""
        copy = self._copies.get()
        try:
            with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:
                yield copy, Path(folder)
        finally:
            self._copies.put(copy)

    def _ordered(self, folder: Path, touching: set[str]) -> tuple[str, str]:
        """Options of a run of some tests, the quickest first, each with a time limit."""
        seconds = {name: test["seconds"] for name, test in self._tests.items() if name != WHILE_IMPORTED}
        if WHILE_IMPORTED not in touching:
            seconds = {name: seconds[name] for name in touching}
        limits = {name: LIMIT + LIMIT * seconds[name] for name in sorted(seconds, key=seconds.__getitem__)}
        (folder / "order").write_text(json.dumps(limits), encoding="utf-8")
        (folder / "stuck").touch()
        return f"--order={folder / 'order'}", f"--stuck={folder / 'stuck'}"

    def _must_be_green(self, copy: Path, folder: Path, *options: str) -> None:
        if self._run(copy, folder, *options) != 0:
            print((folder / "output").read_text(encoding="utf-8"))
            sys.exit("The tests fail without any change. Fix them first.")

    def _run(self, copy: Path, folder: Path, *options: str) -> int | None:
        """The exit status of the tests, which end with the first failure; None if they came to no end."""
        command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "chosen_tests")
        temporary = folder / "t"  # short: Ansible makes sockets below it
        temporary.mkdir(exist_ok=True)
        path = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
        whole = 10 * LIMIT + 3 * sum(test["seconds"] for test in self._tests.values()) if self._tests else None
        with (folder / "output").open("wb") as output:
            process = subprocess.Popen(
                (*command, *options, *self._project.tests),
                cwd=copy,
                env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(temporary)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._running.add(process)
            try:
                return process.wait(whole)
            except subprocess.TimeoutExpired:
                return None
            finally:
                _kill(process)
                self._running.discard(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started, which may be there still when it is gone itself."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def described(project: Project, one: Mutant) -> str:
    """A change as people read it."""
    name = f"{project.folder}/{one.path}"
    before = project.sources()[one.path].splitlines()
    diff = difflib.unified_diff(before, one.source.splitlines(), name, name, lineterm="")
    return "\n".join((f"{name}:{one.edit.start[0]}: {one.edit.kind}", *diff, ""))


def summary(found: dict[Mutant, Fate]) -> str:
    """How many met which fate."""
    counts = Counter(found.values())
    return f"{len(found)} changes: " + ", ".join(f"{counts[one]} {one.value}" for one in Fate)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1", help="what the changes are drawn from")
    parser.add_argument("--count", type=int, default=150, help="how many changes to try")
    parser.add_argument("--jobs", type=int, default=2, help="how many of them in parallel")
    parser.add_argument("--files", nargs="+", default=["*"], help="patterns: files of the core to change (all)")
    given = parser.parse_args()
    if not hasattr(sys, "monitoring"):
        sys.exit("Python 3.12 or newer is needed, to see what each test executes.")
    project = Project(
        CHECKOUT, "plugins/module_utils", ("tests/unit", "tests/resources", "tests/faults"), copy_checkout
    )
    sources = {
        path: text for path, text in project.sources().items() if any(fnmatch(path, pattern) for pattern in given.files)
    }
    chosen = sample(sources, given.seed, given.count)
    found: dict[Mutant, Fate] = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        trial = Trial(project, Path(folder), given.jobs)
        print("Running the tests without any change, twice", flush=True)
        trial.record()
        for one, fate in trial.fates(chosen):
            found[one] = fate
            where = f"{one.path}:{one.edit.start[0]}"
            print(f"{len(found)} of {len(chosen)}: {where}: {one.edit.kind}: {fate.value}", flush=True)
    print()
    for one in chosen:
        if found[one] in (Fate.SURVIVED, Fate.NOT_EXECUTED):
            print(described(project, one).replace("\n", f" ({found[one].value})\n", 1))
    print(summary(found))


if __name__ == "__main__":
    main()
