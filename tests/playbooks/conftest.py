# SPDX-License-Identifier: GPL-3.0-or-later
"""Ansible's commands in a folder of their own, with a service that holds nothing and does nothing unusual."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from ansible.utils.display import Display

from inventory_in_process import Inventories
from playbook_run import Ansible

if TYPE_CHECKING:
    from reference_service_process import ReferenceService


@pytest.fixture
def ansible(service: ReferenceService, tmp_path: Path) -> Ansible:
    service.reset()
    return Ansible(tmp_path, service)


@pytest.fixture
def inventories(service: ReferenceService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Inventories:
    """Inventories of a service, whose warnings are collected instead of displayed."""
    service.reset()
    warnings: list[str] = []
    monkeypatch.setattr(Display, "warning", lambda self, msg, *more, **named: warnings.append(msg))
    return Inventories(tmp_path, service, warnings)
