# SPDX-License-Identifier: GPL-3.0-or-later
"""Run demo.yml four times against a reference service of its own, and print a summary.

In addition to ansible-core and requests, the demo needs the packages in roles/reference_service/files/requirements.txt.
In a checkout, `make demo` installs them. The demo ignores the settings of its user. Even if it is interrupted, it stops
everything that it started. It leaves one file behind: the page that it ends with, in the directory `build` of a
checkout, or else in the current directory.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import requests

STARTED_IN = Path.cwd()
PLAYBOOKS = Path(__file__).resolve().parent
COLLECTION = PLAYBOOKS.parent
sys.dont_write_bytecode = True  # `ansible-galaxy collection verify` would report it as a change
sys.path.insert(0, str(COLLECTION / "roles" / "reference_service" / "files"))

import own_environment  # noqa: E402
from reference_service.background import BackgroundFailure  # noqa: E402
from reference_service.remote_control import (  # noqa: E402
    PYTHON_VARIABLE,
    ReferenceService,
    running_reference_service,
)

PLAYBOOK = PLAYBOOKS / "demo.yml"
PAGE = "ingress_demo.html"
# Title, expected number of changed tasks, and options of ansible-playbook.
DECLARED_RUNS: tuple[tuple[Any, ...], ...] = (
    ("Check mode on an empty service", 3, "--check", "--diff"),
    ("First run, builds everything", 3),
    ("Second run, nothing to change", 0, "--diff"),
)
MANUAL_CHANGES = """Meanwhile, someone changes the account manually:
  - disables compression on the route /
  - sets the error threshold of that route's circuit breaker to 75% instead of 25%
  - deletes an event source of the shop's subscription"""


class Run(NamedTuple):
    """One run of the playbook: counts from the recap of ansible-playbook and from the service's request log."""

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
            page = kept_page(Path(folder) / PAGE)
    except BackgroundFailure as failure:
        print(failure, file=sys.stderr)
        return 2
    show(runs, page)
    return 0 if all(run.changed == run.expected and not run.failed for run in runs) else 1


def end(number: int, _frame: FrameType | None) -> None:
    """Exit as after Ctrl-C, so that everything that was started is stopped."""
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    sys.exit(128 + number)


def kept_page(written: Path) -> str:
    """Copy the page from the temporary directory to a permanent place, and return a sentence that names it."""
    if not written.exists():
        return "There is no page that shows who gets in, because the demo did not reach its end."
    in_checkout = (COLLECTION / "noxfile.py").exists()
    folder = COLLECTION / "build" if in_checkout else STARTED_IN
    try:
        folder.mkdir(exist_ok=True)
        page = shutil.copyfile(written, folder / PAGE)
    except OSError as error:
        return f"The page that shows who gets in was written, but cannot be kept in {folder}: {error.strerror}"
    return f"A page shows who gets in, and what the last run changed. Open it in a browser:\n  {page}"


def all_runs(folder: Path) -> list[Run]:
    key = secrets.token_urlsafe(24)
    # Ansible expands `$` in the paths of playbooks and collections. The path of this folder contains none.
    shutil.copy(PLAYBOOK, folder)
    collection = folder / "ansible_collections" / "edgeops" / "ingress"
    collection.parent.mkdir(parents=True)
    collection.symlink_to(COLLECTION, target_is_directory=True)
    with running_reference_service(folder, key) as service:
        runs: list[Run] = []
        for title, expected, *options in DECLARED_RUNS:
            runs.append(play(folder, service, title, expected, *options))
            if runs[-1].failed:
                return runs
        change_manually(service)
        print(f"\n{MANUAL_CHANGES}")
        page = {"SHOP_REPORT": str(folder / PAGE)}
        runs.append(play(folder, service, "After manual changes, reverts them", 1, "--diff", variables=page))
    return runs


def play(
    folder: Path,
    service: ReferenceService,
    title: str,
    expected: int,
    *options: str,
    variables: Mapping[str, str] | None = None,
) -> Run:
    """Run the playbook once, with these environment variables, show its output, and return the counts."""
    command = ["ansible-playbook", *options, PLAYBOOK.name]
    print(f"\n==== {title}\n$ {' '.join(command)}", flush=True)
    service.forget_journal()
    environment = {
        **os.environ,
        "INGRESS_BASE_URL": service.base_url,
        "INGRESS_API_KEY": service.api_key,
        "SHOP_LOGIN_SECRET": SHOP_LOGIN_SECRET,
        "PYTHONDONTWRITEBYTECODE": "1",  # as above, for Ansible's plugin loader
        "ANSIBLE_COLLECTIONS_PATH": str(folder),  # use this collection, even if another copy is installed
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
        **(variables or {}),
    }
    # As a module: the first line of the command contains the path of its Python, and not every path works there.
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
            process.terminate()  # it stops its workers, which run in sessions of their own
            raise
    counts = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", lines[-2] if len(lines) > 1 else "")}
    sent = [request["method"] for request in service.journal()]
    reads = sent.count("GET")
    failed = counts.get("failed", 0) + (process.returncode != 0)
    return Run(title, expected, counts.get("ok", 0), counts.get("changed", 0), failed, reads, len(sent) - reads)


def change_manually(service: ReferenceService) -> None:
    """Change the account as someone would who does not know the playbook."""
    session = requests.Session()
    session.trust_env = False
    session.headers.update({"Authorization": f"Bearer {service.api_key}", "Svc-Version": "2"})

    def call(method: str, path: str, body: Any = None) -> Any:
        response = session.request(method, service.base_url + path, json=body, timeout=30)
        response.raise_for_status()
        return response.json() if response.content else None

    edges = call("GET", "/edges/https")["https_edges"]
    edge = next(edge for edge in edges if "shop.example.com:443" in edge["hostports"])
    route = next(route for route in edge["routes"] if route["match"] == "/")
    text = {name: route[name] for name in ("match_type", "match", "description", "metadata")}
    breaker = {**route["circuit_breaker"], "error_threshold_percentage": 0.75}
    path = f"/edges/https/{edge['id']}/routes/{route['id']}"
    call("PATCH", path, {**text, "compression": {"enabled": False}, "circuit_breaker": breaker})
    [subscription] = call("GET", "/event_subscriptions")["event_subscriptions"]
    call("DELETE", f"/event_subscriptions/{subscription['id']}/sources/tls_certificate_updated.v0")


def show(runs: list[Run], page: str) -> None:
    print("\n==== Summary\n")
    width = max(len(run.title) for run in runs)
    print(f"{'Run':{width}}  Tasks  Changed  Failed  Reads  Writes")
    for run in runs:
        print(
            f"{run.title:{width}}  {run.tasks:5}  {run.changed:7}  {run.failed:6}  {run.reads:5}  {run.writes:6}"
            + ("" if run.changed == run.expected else f"  <- expected {run.expected} changes")
        )
    print(f"\n{page}")
    print("\nThe service has been stopped, and its data has been deleted.")


SHOP_LOGIN_SECRET = secrets.token_urlsafe(24)

if __name__ == "__main__":
    sys.exit(main())
