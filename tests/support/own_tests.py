# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives tests an environment of their own, whoever starts them. Each conftest.py imports this before anything else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "playbooks"))

import own_environment

# What the tests themselves listen to.
SWITCHES = ("CI", "PICTURES", "RELEASE", "TORTURE", "WHOLE", "REFERENCE_SERVICE_PYTHON")

VARIABLES_OF_TOOLS = ("PYTEST_", "COV_", "COVERAGE_")

own_environment.enter(also=[*SWITCHES, *(name for name in os.environ if name.startswith(VARIABLES_OF_TOOLS))])
