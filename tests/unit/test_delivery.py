# SPDX-License-Identifier: GPL-3.0-or-later
"""A delivery begins, or its time ends before."""

from __future__ import annotations

import socket

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.delivery import Delivery

pytestmark = pytest.mark.every_core


def test_a_delivery_that_has_not_begun_does_not_begin_once_its_time_is_over() -> None:
    delivery = Delivery(seconds=0)
    delivery.connect()
    assert not delivery.may_have_begun()
    with pytest.raises(TimeoutError):
        delivery.begin()
    assert not delivery.may_have_begun()


def test_a_delivery_that_has_begun_stays_so() -> None:
    delivery = Delivery(seconds=60)
    assert delivery.may_have_begun(), "connections that record nothing, as of another urllib3, prove nothing"
    delivery.connect()
    delivery.begin()
    assert not delivery.is_over()
    delivery.end()
    assert delivery.is_over()
    delivery.begin()
    assert delivery.may_have_begun()


@pytest.mark.parametrize(("seconds", "timeout", "limited"), [(60, 30, 30), (30, 60, 30), (30, None, 30)])
def test_a_socket_waits_no_longer_than_the_delivery(seconds: float, timeout: float | None, limited: float) -> None:
    with socket.socket() as sock:
        sock.settimeout(timeout)
        Delivery(seconds=seconds).limit(sock)
        assert sock.gettimeout() == pytest.approx(limited, abs=1)
        with pytest.raises(TimeoutError):
            Delivery(seconds=0).limit(sock)
