# SPDX-License-Identifier: GPL-3.0-or-later
"""ansible-rulebook as users run it: with an installed collection, an inventory, and variables."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reference_service_process import ReferenceService

BIN = Path(sys.executable).parent
SECONDS = 60


@dataclass
class RulebookRun:
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not is_so():
            assert time.monotonic() < end, self.output
            assert self.process.poll() is None, self.output
            time.sleep(0.1)

    def shows(self, text: str) -> None:
        self.until(lambda: text in self.output)


@dataclass
class Rulebooks:
    """Runs rulebooks that find this collection, this Java, and this service."""

    folder: Path
    collections_path: Path
    java: Path
    service: ReferenceService

    @contextmanager
    def running(self, rulebook: str, variables: dict[str, Any], inventory: dict[str, Any]) -> Iterator[RulebookRun]:
        """Run a rulebook of the collection, or one in a file, until the block ends."""
        # JSON is YAML.
        files = {"vars": variables, "inventory": {"all": {"hosts": inventory}}}
        for name, content in files.items():
            (self.folder / f"{name}.yml").write_text(json.dumps(content), encoding="utf-8")
        own = {
            "ANSIBLE_COLLECTIONS_PATH": str(self.collections_path),
            "ANSIBLE_NOCOLOR": "true",
            "INGRESS_BASE_URL": self.service.base_url,
            "INGRESS_API_KEY": self.service.api_key,
            "INGRESS_EVENT_TYPE_FIELD": "payload.event_type",
            "JAVA_HOME": str(self.java),
            "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        }
        log = self.folder / "rulebook.log"
        with (
            log.open("wb") as output,
            subprocess.Popen(
                (str(BIN / "ansible-rulebook"), "-r", rulebook, "-e", "vars.yml", "-i", "inventory.yml"),
                cwd=self.folder,
                env={**os.environ, **own},
                stdout=output,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                yield RulebookRun(process, log)
            finally:
                process.terminate()
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    raise

    def wait_for_poll(self, run: RulebookRun) -> None:
        """Wait until the account was polled once."""
        run.until(lambda: len({one["at"] for one in self.service.journal()}) > 2)
