# SPDX-License-Identifier: GPL-3.0-or-later
"""The least that any tool needs for so many objects: one GET request each, over one connection. Prints the seconds."""

from __future__ import annotations

import os
import sys
import time

import requests

number, path = int(sys.argv[1]), sys.argv[2]
session = requests.Session()
session.headers.update({"Authorization": f"Bearer {os.environ['INGRESS_API_KEY']}", "Svc-Version": "2"})
started = time.perf_counter()
for _request in range(number):
    session.get(f"{os.environ['INGRESS_BASE_URL']}{path}", timeout=60).json()
print(time.perf_counter() - started)
