# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference service as the tests use it: what the role ships, started with the tests' key."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path

from collection_tree import SERVICE_SOURCES as SOURCES

sys.path.insert(0, str(SOURCES))

from reference_service import background, remote_control
from reference_service.remote_control import ReferenceService, running_program

__all__ = [
    "API_KEY",
    "SOURCES",
    "ReferenceService",
    "background",
    "remote_control",
    "running_program",
    "running_reference_service",
]

API_KEY = "ak_of_the_tests"


def running_reference_service(folder: Path) -> AbstractContextManager[ReferenceService]:
    """A service with its files in `folder`, until the block ends."""
    return remote_control.running_reference_service(folder, API_KEY)
