# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that run in the environment of ansible-lint, without the rest of the tests' own."""

from __future__ import annotations

import own_tests  # noqa: F401 - before anything reads settings, as Ansible does when it is imported

# isort: split
from worker_crashes import pytest_internalerror, pytest_sessionfinish  # noqa: F401 - pytest calls them
