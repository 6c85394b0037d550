# SPDX-License-Identifier: GPL-3.0-or-later
"""The proxy of these tests hides nothing of what goes wrong in itself."""

from __future__ import annotations

import pytest
import requests

from fault_proxy import Fault, FaultProxy
from scripted_service import Response


def test_an_error_in_a_fault_reaches_the_test(proxy: FaultProxy) -> None:
    def broken(_response: Response) -> Response:
        raise FileNotFoundError("no such program")

    session = requests.Session()
    session.trust_env = False
    proxy.begin({0: Fault(broken)})
    with pytest.raises(requests.ConnectionError):
        session.get(proxy.base_url, timeout=10)
    with pytest.raises(FileNotFoundError, match="no such program"):
        proxy.raise_errors()
    proxy.begin()
