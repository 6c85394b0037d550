# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests with faults share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from fault_proxy import FaultProxy, fault_proxy
from figures import Figures
from reference_service_process import ReferenceService

if TYPE_CHECKING:
    from estate_in_trouble import EstateInTrouble


@pytest.fixture(scope="session")
def figures() -> Iterator[Figures]:
    """The counts of this session, written down in the end."""
    counted = Figures()
    yield counted
    counted.write()


@pytest.fixture(scope="session")
def proxy(service: ReferenceService) -> Iterator[FaultProxy]:
    """A proxy before the service, without faults until it is told some."""
    with fault_proxy(service.base_url) as running:
        yield running


@pytest.fixture(scope="module")
def trouble(service: ReferenceService, proxy: FaultProxy) -> EstateInTrouble:
    """The estate, after a first run without faults that tells how many requests it takes."""
    from estate_in_trouble import EstateInTrouble  # noqa: PLC0415 - the collection can be imported by now

    return EstateInTrouble(service, proxy)
