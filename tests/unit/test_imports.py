# SPDX-License-Identifier: GPL-3.0-or-later
"""Documentation builders, linters and editors import plugins in order to look at them. That does nothing but define."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from collection_tree import CHECKOUT

pytestmark = pytest.mark.every_core

PLUGINS = sorted(path.relative_to(CHECKOUT) for path in (CHECKOUT / "plugins").rglob("*.py"))

# In a process of its own, which has imported nothing yet. What Python reports to its audit hooks is what reaches out of
# the process, and what ends it is caught.
PROGRAM = """
import importlib, json, os, sys
from ansible.plugins.loader import init_plugin_loader
import ansible.plugins.action.normal, ansible.plugins.inventory, ansible.module_utils.basic, requests

init_plugin_loader([os.environ["ANSIBLE_COLLECTIONS_PATH"]])
done = []
WATCHED = ("socket.", "subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.mkdir", "os.remove",
           "os.rename", "os.putenv", "os.unsetenv", "shutil.", "tempfile.", "http.client.")

def watch(event, arguments):
    written = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if written or (event.startswith(WATCHED) and event != "socket.__new__"):
        done.append(f"{event} {arguments}")

sys.addaudithook(watch)
for name in json.load(sys.stdin):
    before = dict(os.environ)
    try:
        importlib.import_module(name)
    except BaseException as exc:
        done.append(f"{name} raises {exc!r}")
    if dict(os.environ) != before:
        done.append(f"{name} changes the environment")
print(json.dumps(done))
"""


def test_importing_a_plugin_does_nothing() -> None:
    names = [".".join(("ansible_collections.edgeops.ingress", *path.with_suffix("").parts)) for path in PLUGINS]
    run = subprocess.run(
        [sys.executable, "-B", "-c", PROGRAM],
        env={**os.environ, "INGRESS_BASE_URL": "http://127.0.0.1:9", "INGRESS_API_KEY": "ak_of_nobody"},
        input=json.dumps(names),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == []
    assert run.stderr == ""
