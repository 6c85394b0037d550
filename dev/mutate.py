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
from collections.abc import Callable, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
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
    """Tries mutants of a project in a copy of it that lies in `folder`, with several workers at a time."""

    def __init__(self, project: Project, folder: Path, workers: int) -> None:
        self._project, self._folder, self._workers = project, folder, workers
        self._copy = project.copy(folder / "copy")
        # Of each test, its seconds and the lines that it executes, by file.
        self._tests: dict[str, dict[str, Any]] = {}

    def record(self) -> None:
        """Find out what each test executes, and whether they are green in another order. Raises SystemExit if not."""
        file = self._folder / "recorded.json"
        recording = (f"--record={file}", f"--lines-of={self._project.folder}", *self._project.tests)
        for run in (lambda: self._run(recording, None), lambda: self._run_some(set(self._tests))):
            is_green, output = run()
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
        file = self._copy / self._project.folder / one.path
        before = file.read_text(encoding="utf-8")
        file.write_text(changed(before, one) or "", encoding="utf-8")
        # Python recognizes outdated bytecode by the size and the time, in seconds, of the source.
        shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)
        try:
            return SURVIVED if self._run_some(touching)[0] else CAUGHT
        finally:
            file.write_text(before, encoding="utf-8")

    def _run_some(self, tests: set[str]) -> tuple[bool, str]:
        """Run some tests, the quickest first, none of which may take much longer than the others."""
        seconds = {name: self._tests[name]["seconds"] for name in tests - {WHILE_IMPORTED}}
        order = self._folder / "order"
        order.write_text(json.dumps(sorted(sorted(seconds), key=seconds.__getitem__)), encoding="utf-8")
        limit = LIMIT + LIMIT * max(seconds.values())
        limits = (f"-ofaulthandler_timeout={limit}", "-ofaulthandler_exit_on_timeout=true")
        files = sorted({name.partition("::")[0] for name in seconds})
        whole = 10 * LIMIT + 3 * sum(test["seconds"] for test in self._tests.values())
        return self._run((f"-n{self._workers}", f"--order={order}", *limits, *files), whole)

    def _run(self, options: Sequence[str], limit: float | None) -> tuple[bool, str]:
        """Return whether the tests of these options are green after at most so many seconds, and their output."""
        command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "chosen_tests")
        path = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
        # Short names: Ansible makes sockets below the folder for temporary files.
        with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as temporary:
            process = subprocess.Popen(
                (*command, *options),
                cwd=self._copy,
                env={**os.environ, "PYTHONPATH": path, "TMPDIR": temporary},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                start_new_session=True,
            )
            output = ""
            try:
                with suppress(subprocess.TimeoutExpired):
                    output, _none = process.communicate(timeout=limit)
                return process.poll() == 0, output
            finally:
                # It may have started what is still there when it is gone itself.
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
    parser.add_argument("--jobs", type=int, default=2, help="how many tests in parallel")
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
        for one in chosen:
            found[one] = trial.fate(one)
            print(f"{len(found)} of {len(chosen)}: {one.path}:{one.start[0]}: {one.kind}: {found[one]}", flush=True)
    print()
    for one in chosen:
        if found[one] != CAUGHT:
            print(described(project, one).replace("\n", f" ({found[one]})\n", 1))
    counts = Counter(found.values())
    print(f"{len(found)} changes: {', '.join(f'{counts[fate]} {fate}' for fate in FATES)}")


if __name__ == "__main__":
    main()
