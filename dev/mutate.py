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
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from chosen_tests import WHILE_IMPORTED
from collection_tree import CHECKOUT, copy_checkout
from mutants import Edit, Mutant, edits, mutant

HERE = Path(__file__).resolve().parent
CAUGHT, SURVIVED, NOT_EXECUTED = FATES = ("caught", "survived", "not executed by any test")
LIMIT = 15.0
"""Seconds that a test may take longer than usual; so many times it may take as long."""


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
        made = mutant(place[0], sources[place[0]], edit)
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
        # Of each test, its seconds and the lines that it executes, by file.
        self._tests: dict[str, dict[str, Any]] = {}

    def record(self) -> None:
        """Find out what each test executes, and whether they are green in another order. Raises SystemExit if not."""
        file = self._folder / "recorded.json"
        for options in ((f"--record={file}", f"--lines-of={self._project.folder}"), ()):
            is_green, output = self._run(set(self._tests), *options)
            if not is_green:
                print(output)
                sys.exit("The tests fail without any change. Fix them first.")
            self._tests = json.loads(file.read_text(encoding="utf-8"))

    def fate(self, one: Mutant) -> str:
        """What the tests make of a change."""
        first, last = one.edit.lines
        touching = {
            name
            for name, test in self._tests.items()
            if any(first <= line <= last for line in test["lines"].get(one.path, ()))
        }
        if not touching:
            return NOT_EXECUTED
        if one.edit.is_imported or WHILE_IMPORTED in touching:
            touching = set(self._tests)
        touching |= {name for name, test in self._tests.items() if test["may_execute_anything"]}
        return SURVIVED if self._run(touching, change=one)[0] else CAUGHT

    def fates(self, chosen: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
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

    def _run(self, tests: set[str], *options: str, change: Mutant | None = None) -> tuple[bool, str]:
        """Whether these tests are green, and what they print; all tests, if there are none."""
        copy = self._copies.get()
        changed = copy / self._project.folder / (change.path if change else "")
        before = changed.read_bytes() if change else b""
        try:
            with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:
                if change:
                    changed.write_text(change.source, encoding="utf-8")
                    # Python recognizes outdated bytecode by the size and the time, in seconds, of the source.
                    shutil.rmtree(changed.parent / "__pycache__", ignore_errors=True)
                return self._run_in(copy, Path(folder), [*options, *self._ordered(Path(folder), tests)])
        finally:
            if change:
                changed.write_bytes(before)
            self._copies.put(copy)

    def _ordered(self, folder: Path, tests: set[str]) -> list[str]:
        """Options of a run of some tests, the quickest first, none of which may take much longer than the others."""
        seconds = {name: self._tests[name]["seconds"] for name in tests - {WHILE_IMPORTED}}
        if not seconds:
            return []
        (folder / "order").write_text(json.dumps(sorted(sorted(seconds), key=seconds.__getitem__)), encoding="utf-8")
        limit = LIMIT + LIMIT * max(seconds.values())
        return [f"--order={folder / 'order'}", f"-ofaulthandler_timeout={limit}", "-ofaulthandler_exit_on_timeout=true"]

    def _run_in(self, copy: Path, folder: Path, options: list[str]) -> tuple[bool, str]:
        command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "chosen_tests")
        temporary = folder / "t"  # short: Ansible makes sockets below it
        temporary.mkdir()
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
                is_green = process.wait(whole) == 0
            except subprocess.TimeoutExpired:
                is_green = False
            finally:
                _kill(process)
                self._running.discard(process)
        return is_green, (folder / "output").read_text(encoding="utf-8")


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


def summary(found: dict[Mutant, str]) -> str:
    """How many met which fate."""
    counts = Counter(found.values())
    return f"{len(found)} changes: " + ", ".join(f"{counts[one]} {one}" for one in FATES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1", help="what the changes are drawn from")
    parser.add_argument("--count", type=int, default=150, help="how many changes to try")
    parser.add_argument("--jobs", type=int, default=2, help="how many of them in parallel")
    parser.add_argument("--files", nargs="+", default=["*"], help="patterns: files of the core to change (all)")
    given = parser.parse_args()
    if not hasattr(sys, "monitoring"):
        sys.exit("Python 3.12 or newer is needed, to see what each test executes.")
    tests = ("tests/unit", "tests/resources", "tests/faults")
    project = Project(CHECKOUT, "plugins/module_utils", tests, copy_checkout)
    sources = {
        path: text for path, text in project.sources().items() if any(fnmatch(path, pattern) for pattern in given.files)
    }
    chosen = sample(sources, given.seed, given.count)
    found: dict[Mutant, str] = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        trial = Trial(project, Path(folder), given.jobs)
        print("Running the tests without any change, twice", flush=True)
        trial.record()
        for one, fate in trial.fates(chosen):
            found[one] = fate
            where = f"{one.path}:{one.edit.start[0]}"
            print(f"{len(found)} of {len(chosen)}: {where}: {one.edit.kind}: {fate}", flush=True)
    print()
    for one in chosen:
        if found[one] != CAUGHT:
            print(described(project, one).replace("\n", f" ({found[one]})\n", 1))
    print(summary(found))


if __name__ == "__main__":
    main()
