# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes small changes to the core, one at a time in a copy of the checkout, and lists those that no test detects.

A run without any change records which tests execute each line. Of a change, the tests that execute its lines are run
until one fails; all of them, where its lines are executed by an import.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

from coverage import CoverageData

from collection_tree import CHECKOUT, copy_checkout
from mutants import Mutant, changed, mutants

CAUGHT, SURVIVED, NOT_EXECUTED = FATES = ("caught", "survived", "not executed by any test")
FOLDER, TESTS = "plugins/module_utils", ("tests/unit", "tests/resources", "tests/faults")
HANGING = ("-ofaulthandler_timeout=120", "-ofaulthandler_exit_on_timeout=true")
"""A test that takes longer than so many seconds has detected a change."""
SECONDS = 60.0
"""The tests of a change may take so much longer than three times all tests without it."""


def sample(sources: Mapping[str, str], seed: str, count: int) -> list[Mutant]:
    """Return so many of the changes to these files; always the same ones of the same seed."""
    found = [one for path, source in sources.items() for one in sorted(mutants(path, source))]
    random.Random(seed).shuffle(found)
    return sorted(islice((one for one in found if changed(sources[one.path], one)), count))


class Trial:
    """Tries changes to the files below `folder` in a copy of a project, with several workers at a time."""

    def __init__(self, copy: Path, folder: str, tests: Sequence[str], workers: int) -> None:
        self._copy, self._folder, self._tests, self._workers = copy, copy / folder, tests, workers
        self._executed = CoverageData(str(copy / ".coverage"))
        self._limit: float | None = None

    def record(self) -> None:
        """Find out which tests execute each line. Raises SystemExit if they fail."""
        started = time.monotonic()
        is_green, output = self._run(f"--cov={self._folder}", "--cov-context=test", "--cov-report=", *self._tests)
        if not is_green:
            print(output)
            sys.exit("The tests fail without any change. Fix them first.")
        self._limit = SECONDS + 3 * (time.monotonic() - started)
        self._executed.read()

    def fate(self, one: Mutant) -> str:
        """Return what the tests make of a change."""
        file = self._folder / one.path
        executed = self._executed.contexts_by_lineno(str(file.resolve()))
        lines = range(one.lines[0], one.lines[1] + 1)
        # What pytest-cov calls a context is a test and one of its phases, or empty before the first test.
        tests = {context.rpartition("|")[0] for line in lines for context in executed.get(line, ())}
        if not tests:
            return NOT_EXECUTED
        # If a test imports a file, what is executed then is only seen in that test.
        is_everywhere = one.on_import or "" in tests
        chosen = self._tests if is_everywhere else sorted(tests, reverse=True)  # the quick ones first
        before = file.read_text(encoding="utf-8")
        file.write_text(changed(before, one) or "", encoding="utf-8")
        # Python recognizes outdated bytecode by the size and the time, in seconds, of the source.
        shutil.rmtree(file.parent / "__pycache__", ignore_errors=True)
        (self._copy / "chosen_tests").write_text("\n".join(chosen), encoding="utf-8")
        try:
            return SURVIVED if self._run("@chosen_tests")[0] else CAUGHT
        finally:
            file.write_text(before, encoding="utf-8")

    def _run(self, *options: str) -> tuple[bool, str]:
        """Return whether the tests of these options are green and in time, and their output."""
        command = (sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--hypothesis-seed=1")
        # Short names: Ansible makes sockets below the folder for temporary files.
        with (
            tempfile.TemporaryDirectory(prefix="t", ignore_cleanup_errors=True) as temporary,
            subprocess.Popen(
                (*command, f"-n{self._workers}", *HANGING, *options),
                cwd=self._copy,
                env={**os.environ, "TMPDIR": temporary},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                start_new_session=True,
            ) as process,
        ):
            try:
                output, _none = process.communicate(timeout=self._limit)
                return process.returncode == 0, output
            except subprocess.TimeoutExpired:
                return False, ""
            finally:
                # It may have started what is still there when it is gone itself.
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def described(name: str, source: str, one: Mutant) -> str:
    """Return a change to the file with this name as people read it."""
    after = (changed(source, one) or "").splitlines()
    diff = difflib.unified_diff(source.splitlines(), after, name, name, lineterm="")
    return "\n".join((f"{name}:{one.start[0]}: {one.kind}", *diff, ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1", help="what the changes are drawn from")
    parser.add_argument("--count", type=int, default=150, help="how many changes to try")
    parser.add_argument("--jobs", type=int, default=2, help="how many tests in parallel")
    parser.add_argument("--files", nargs="+", default=["*"], help="patterns: files of the core to change (all)")
    given = parser.parse_args()
    top = CHECKOUT / FOLDER
    paths = (path.relative_to(top).as_posix() for path in sorted(top.rglob("*.py")))
    files = [path for path in paths if any(fnmatch(path, pattern) for pattern in given.files)]
    sources = {path: (top / path).read_text(encoding="utf-8") for path in files}
    chosen = sample(sources, given.seed, given.count)
    found: dict[Mutant, str] = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    with tempfile.TemporaryDirectory(prefix="m") as folder:
        trial = Trial(copy_checkout(Path(folder)), FOLDER, TESTS, given.jobs)
        print("Running the tests without any change", flush=True)
        trial.record()
        for one in chosen:
            found[one] = trial.fate(one)
            print(f"{len(found)} of {len(chosen)}: {one.path}:{one.start[0]}: {one.kind}: {found[one]}", flush=True)
    print()
    for one in chosen:
        if found[one] != CAUGHT:
            text = described(f"{FOLDER}/{one.path}", sources[one.path], one)
            print(text.replace("\n", f" ({found[one]})\n", 1))
    counts = Counter(found.values())
    print(f"{len(found)} changes: {', '.join(f'{counts[fate]} {fate}' for fate in FATES)}")


if __name__ == "__main__":
    main()
