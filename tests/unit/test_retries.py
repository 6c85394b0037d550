# SPDX-License-Identifier: GPL-3.0-or-later
"""When requests are retried, and after how long; and when a delivery has not begun, so that nothing was sent."""

from __future__ import annotations

import socket
from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._transport import retries
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.delivery import Delivery

pytestmark = pytest.mark.every_core

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)

PASSING = [408, 429, 500, 502, 503, 504, 599]
LASTING = [200, 301, 400, 401, 403, 404, 405, 409, 422, 501]


def test_what_is_repeated() -> None:
    """No POST and no PATCH, and nothing that failed for good."""
    assert set(retries.REPEATABLE_METHODS) == {"GET", "PUT", "DELETE"}
    assert [status for status in (*PASSING, *LASTING) if retries.is_passing(status)] == PASSING


def test_what_proves_that_a_write_has_ended() -> None:
    """No response, a part of one, and none in time are None. An error page can come from a proxy in between."""
    others = (200, 201, 202, 204, 408, 500, 501, 502, 503, 504, 505, 507, 508, 520, 524, 599)
    assert [status for status in others if retries.has_ended(status, is_explained=True)] == [500, 503]
    assert not any(retries.has_ended(status, is_explained=False) for status in (None, *others))


@given(st.integers(0, 5000), st.floats(0, 1))
def test_every_wait_is_positive_spread_and_bounded(attempt: int, chance: float) -> None:
    assert 0 < retries.backoff(attempt, 0) <= retries.backoff(attempt, chance) <= retries.backoff(attempt, 1) <= 30


HEADERS: dict[str | None, float | None] = {
    **dict.fromkeys([None, "", "soon", "-1", "1.5", "²", "١٢"]),
    **dict.fromkeys(["12", " 12 "], 12),
    "0": 0,
    "Fri, 02 Jan 2026 03:04:35 GMT": 30,
    "Fri, 02 Jan 2026 03:04:35 -0000": 30,
    "Fri, 02 Jan 2026 05:04:35 +0200": 30,
    "Fri, 02 Jan 2026 03:00:00 GMT": 0,
    "Fri, 02 Jan 2026 03:04:35 +99999999999999999999": None,
    "99999999999999999999 Jan 2026 03:04:35 GMT": None,
}


def test_the_header_retry_after_is_converted_to_seconds() -> None:
    assert {header: retries.retry_after(header, NOW) for header in HEADERS} == HEADERS


DATES = st.from_regex(
    r"[A-Za-z]{3}, [0-9]{1,3} Jan [0-9]{1,6} [0-9]{1,3}:[0-9]{1,3}:[0-9]{1,3} [+-]?[0-9A-Z]{1,20}", fullmatch=True
)


@given(st.one_of(st.text(max_size=40), DATES))
def test_retry_after_of_any_text_is_a_wait_or_nothing(header: str) -> None:
    seconds = retries.retry_after(header, NOW)
    assert seconds is None or seconds >= 0


def test_a_delivery_that_has_not_begun_does_not_begin_once_its_time_is_over() -> None:
    delivery = Delivery(seconds=0)
    delivery.has_connected = True
    assert not delivery.may_have_begun()
    with pytest.raises(TimeoutError):
        delivery.begin()
    assert not delivery.may_have_begun()


def test_a_delivery_that_has_begun_stays_so() -> None:
    delivery = Delivery(seconds=60)
    assert delivery.may_have_begun(), "connections that record nothing, as of another urllib3, prove nothing"
    delivery.has_connected = True
    delivery.begin()
    assert not delivery.is_over()
    delivery.ends = 0.0
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
