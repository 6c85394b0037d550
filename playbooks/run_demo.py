# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs demo.yml four times against a reference service of its own, and tells in a table what happened.

Beside ansible-core and requests it needs the packages of roles/reference_service/files/requirements.txt; in a checkout,
`make demo` prepares all that. Everything it starts, it stops, also where it is stopped itself, and it leaves no file
behind. Nothing of its user's settings has a say.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import requests

PLAYBOOKS = Path(__file__).resolve().parent
COLLECTION = PLAYBOOKS.parent
sys.dont_write_bytecode = True  # `ansible-galaxy collection verify` takes a folder of it for a change
sys.path.insert(0, str(COLLECTION / "roles" / "reference_service" / "files"))

import own_environment  # noqa: E402
from reference_service.background import BackgroundFailure  # noqa: E402
from reference_service.remote_control import (  # noqa: E402
    PYTHON_VARIABLE,
    ReferenceService,
    running_reference_service,
)

PLAYBOOK = PLAYBOOKS / "demo.yml"
SEED = PLAYBOOKS / "demo_seed.json"
# Each with what it has to change, and its options.
DECLARED_RUNS: tuple[tuple[Any, ...], ...] = (
    ("A dry run, of edges that do not exist yet", 6, "--check", "--diff"),
    ("The first run, which makes them", 6),
    ("The second run, which finds nothing to do", 0, "--diff"),
)
BY_HAND = """Meanwhile, somebody
  - switched off compression on the route of /,
  - let the circuit breaker of that route trip at 75 % errors instead of 25 %,
  - took an event source off the auditors' subscription."""


class Run(NamedTuple):
    """One run of the playbook, as the recap of ansible-playbook and the service's journal have it."""

    title: str
    expected: int
    tasks: int
    changed: int
    failed: int
    reads: int
    writes: int


def main() -> int:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    try:
        own_environment.enter(also=[PYTHON_VARIABLE])
        with tempfile.TemporaryDirectory() as folder:
            runs = all_runs(Path(folder))
    except BackgroundFailure as fault:
        print(fault, file=sys.stderr)
        return 2
    show(runs)
    return 0 if all(run.changed == run.expected and not run.failed for run in runs) else 1


def end(number: int, _frame: FrameType | None) -> None:
    """End as after Ctrl-C: what was begun is stopped on the way."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def all_runs(folder: Path) -> list[Run]:
    key = secrets.token_urlsafe(24)
    # Ansible takes `$` in the path of a playbook or of collections for a variable. In this folder's there is none.
    shutil.copy(PLAYBOOK, folder)
    collection = folder / "ansible_collections" / "edgeops" / "ingress"
    collection.parent.mkdir(parents=True)
    collection.symlink_to(COLLECTION, target_is_directory=True)
    with running_reference_service(folder, key) as service:
        service.seed(**json.loads(SEED.read_text(encoding="utf-8")))
        runs: list[Run] = []
        for title, expected, *options in DECLARED_RUNS:
            runs.append(play(folder, service, title, expected, *options))
            if runs[-1].failed:
                return runs
        change_by_hand(service)
        print(f"\n{BY_HAND}")
        runs.append(play(folder, service, "A run that shows just that, and mends it", 1, "--diff"))
    return runs


def play(folder: Path, service: ReferenceService, title: str, expected: int, *options: str) -> Run:
    """Run the playbook once, with what it prints on the terminal."""
    command = ["ansible-playbook", *options, PLAYBOOK.name]
    print(f"\n==== {title}\n$ {' '.join(command)}", flush=True)
    service.forget_journal()
    environment = {
        **os.environ,
        "INGRESS_BASE_URL": service.base_url,
        "INGRESS_API_KEY": service.api_key,
        "SHOP_LOGIN_SECRET": SHOP_LOGIN_SECRET,
        "PYTHONDONTWRITEBYTECODE": "1",  # as above: that of Ansible's own plugin loader, too
        "ANSIBLE_COLLECTIONS_PATH": str(folder),  # wherever it was installed, this collection is the one to show
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
    }
    # As a module: the command of that name has the path of its Python in its first line, where not every path can be.
    started = [sys.executable, "-m", "ansible", "playbook", *options, PLAYBOOK.name]
    with subprocess.Popen(
        started, cwd=folder, env=environment, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, encoding="utf-8"
    ) as process:
        try:
            lines = []
            for line in process.stdout or ():
                print(line, end="", flush=True)
                lines.append(line)
        except BaseException:
            process.terminate()  # it tells its workers, which are in sessions of their own
            raise
    counts = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", lines[-2] if len(lines) > 1 else "")}
    sent = [request["method"] for request in service.journal()]
    reads = sent.count("GET")
    failed = counts.get("failed", 0) + (process.returncode != 0)
    return Run(title, expected, counts.get("ok", 0), counts.get("changed", 0), failed, reads, len(sent) - reads)


def change_by_hand(service: ReferenceService) -> None:
    """What somebody does who does not know of the playbook."""
    session = requests.Session()
    session.trust_env = False
    session.headers.update({"Authorization": f"Bearer {service.api_key}", "Svc-Version": "2"})

    def call(method: str, path: str, body: Any = None) -> Any:
        answer = session.request(method, service.base_url + path, json=body, timeout=30)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    edges = call("GET", "/edges/https")["https_edges"]
    edge = next(edge for edge in edges if "shop.example.com:443" in edge["hostports"])
    route = next(route for route in edge["routes"] if route["match"] == "/")
    text = {name: route[name] for name in ("match_type", "match", "description", "metadata")}
    breaker = {**route["circuit_breaker"], "error_threshold_percentage": 0.75}
    path = f"/edges/https/{edge['id']}/routes/{route['id']}"
    call("PATCH", path, {**text, "compression": {"enabled": False}, "circuit_breaker": breaker})
    call("DELETE", "/event_subscriptions/esb_shop/sources/tls_certificate_updated.v0")


def show(runs: list[Run]) -> None:
    print("\n==== What happened\n")
    width = max(len(run.title) for run in runs)
    print(f"{'Run':{width}}  Tasks  Changed  Failed  Requests that read  that write")
    for run in runs:
        print(
            f"{run.title:{width}}  {run.tasks:5}  {run.changed:7}  {run.failed:6}  {run.reads:18}  {run.writes:10}"
            + ("" if run.changed == run.expected else f"  <- {run.expected} changes were expected")
        )
    print("\nThe service is stopped again, and its data is gone.")


SHOP_LOGIN_SECRET = secrets.token_urlsafe(24)

if __name__ == "__main__":
    sys.exit(main())
