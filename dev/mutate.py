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
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from chosen_tests import WHILE_IMPORTED
from collection_tree import CHECKOUT, copy_checkout
from mutants import Mutant, changed, mutants

HERE = Path(__file__).resolve().parent
CAUGHT, SURVIVED, NOT_EXECUTED = FATES = ("caught", "survived", "not executed by any test")
LIMIT = 15.0
"""Seconds that a test may take longer than usual; so many times it may take as long."""


class Project(NamedTuple):
    """What is mutated: the files in `folder`, below `root`; `copy` makes a copy of all that its tests need."""

    root: Path
    folder: str
    tests: tuple[str, ...]
    copy: Callable[[Path], Path]

    def sources(self) -> dict[str, str]:
        """Return the text of each file, by its path in the folder."""
        top = self.root / self.folder
        return {str(path.relative_to(top)): path.read_text(encoding="utf-8") for path in sorted(top.rglob("*.py"))}


def sample(sources: dict[str, str], seed: str, count: int) -> list[Mutant]:
    """Return so many mutants: one change to each statement that is drawn, so that long files get more than short ones.

    The same seed draws the same ones of the same sources.
    """
    chance = random.Random(seed)
    statements: dict[tuple[str, tuple[int, int]], dict[str, list[Mutant]]] = {}
    for path, source in sources.items():
        for one in sorted(mutants(path, source)):
            statements.setdefault((path, one.lines), {}).setdefault(one.kind, []).append(one)
    order = list(statements.values())
    chance.shuffle(order)
    drawn: list[Mutant] = []
    while order and len(drawn) < count:
        kinds = order.pop(0)
        kind = chance.choice(sorted(kinds))
        one = kinds[kind].pop(chance.randrange(len(kinds[kind])))
        if not kinds[kind]:
            del kinds[kind]
        if kinds:
            order.append(kinds)  # once more, after all others
        drawn += [one] if changed(sources[one.path], one) else []
    return sorted(drawn)


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
            is_green, output = self._run(set(self._tests), None, *options)
            if not is_green:
                print(output)
                sys.exit("The tests fail without any change. Fix them first.")
            self._tests = json.loads(file.read_text(encoding="utf-8"))

    def fate(self, one: Mutant) -> str:
        """Return what the tests make of a change."""
        reach = set(range(one.lines[0], one.lines[1] + 1))
        touching = {name for name, test in self._tests.items() if not reach.isdisjoint(test["lines"].get(one.path, ()))}
        if not touching:
            return NOT_EXECUTED
        if one.is_imported or WHILE_IMPORTED in touching:
            touching = set(self._tests)
        touching |= {name for name, test in self._tests.items() if test["may_execute_anything"]}
        return SURVIVED if self._run(touching, one)[0] else CAUGHT

    def fates(self, chosen: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
        """Yield what becomes of each mutant, as soon as that is known."""
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

    def _run(self, tests: set[str], change: Mutant | None, *options: str) -> tuple[bool, str]:
        """Return whether these tests are green with the change, and their output; all tests, if there are none."""
        copy = self._copies.get()
        file = copy / self._project.folder / (change.path if change else "__init__.py")
        before = file.read_text(encoding="utf-8") if change else ""
        with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:
            if change:
                file.write_text(changed(before, change) or "", encoding="utf-8")
                # Python recognizes outdated bytecode by the size and the time, in seconds, of the source.
                shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)
            try:
                return self._run_in(copy, Path(folder), [*options, *self._ordered(Path(folder), tests)])
            finally:
                if change:
                    file.write_text(before, encoding="utf-8")
                self._copies.put(copy)

    def _ordered(self, folder: Path, tests: set[str]) -> list[str]:
        """Return options to run some tests, the quickest first, none of which may take much longer than the others."""
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
            with suppress(subprocess.TimeoutExpired):
                process.wait(whole)
            is_green = process.poll() == 0
            _kill(process)
            self._running.discard(process)
        return is_green, (folder / "output").read_text(encoding="utf-8")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started, which may be there still when it is gone itself."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def described(project: Project, one: Mutant) -> str:
    """Return a change as people read it."""
    name = f"{project.folder}/{one.path}"
    before = project.sources()[one.path]
    diff = difflib.unified_diff(before.splitlines(), (changed(before, one) or "").splitlines(), name, name, lineterm="")
    return "\n".join((f"{name}:{one.start[0]}: {one.kind}", *diff, ""))


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
    sources = project.sources()
    files = [path for path in sources if any(fnmatch(path, pattern) for pattern in given.files)]
    chosen = sample({path: sources[path] for path in files}, given.seed, given.count)
    found: dict[Mutant, str] = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        trial = Trial(project, Path(folder), given.jobs)
        print("Running the tests without any change, twice", flush=True)
        trial.record()
        for one, fate in trial.fates(chosen):
            found[one] = fate
            print(f"{len(found)} of {len(chosen)}: {one.path}:{one.start[0]}: {one.kind}: {fate}", flush=True)
    print()
    for one in chosen:
        if found[one] != CAUGHT:
            print(described(project, one).replace("\n", f" ({found[one]})\n", 1))
    counts = Counter(found.values())
    print(f"{len(found)} changes: {', '.join(f'{counts[fate]} {fate}' for fate in FATES)}")


if __name__ == "__main__":
    main()
