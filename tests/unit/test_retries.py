# SPDX-License-Identifier: GPL-3.0-or-later
"""When requests are retried, and after how long."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.retries import (
    REPEATABLE_METHODS,
    backoff,
    has_ended,
    is_passing,
    retry_after,
)

pytestmark = pytest.mark.every_python

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


def test_a_post_and_a_patch_are_not_repeatable() -> None:
    assert set(REPEATABLE_METHODS) == {"GET", "PUT", "DELETE"}


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 599])
def test_a_temporary_status_is_passing(status: int) -> None:
    assert is_passing(status)


@pytest.mark.parametrize("status", [200, 301, 400, 401, 403, 404, 405, 409, 422, 501])
def test_other_statuses_are_not_passing(status: int) -> None:
    assert not is_passing(status)


@pytest.mark.parametrize(
    ("status", "in_the_services_words", "ended"),
    [
        (None, False, False),  # no response, a part of one, none in time
        (500, True, True),
        (503, True, True),
        (500, False, False),  # an error page, of a proxy in between
        (503, False, False),
        *((status, words, False) for status in (408, 502, 504) for words in (True, False)),
        *((status, words, False) for status in (501, 505, 507, 508, 520, 524, 599) for words in (True, False)),
        *((status, words, False) for status in (200, 201, 202, 204) for words in (True, False)),
    ],
)
def test_what_proves_that_a_write_has_ended(status: int | None, in_the_services_words: bool, ended: bool) -> None:
    assert has_ended(status, in_the_services_words) == ended


@given(st.integers(0, 5000), st.floats(0, 1))
def test_every_wait_is_positive_and_bounded(attempt: int, chance: float) -> None:
    assert 0 < backoff(attempt, chance) <= 30


@given(st.integers(0, 4), st.floats(0, 1), st.floats(0, 1))
def test_waits_grow_and_are_spread(attempt: int, chance: float, other: float) -> None:
    assert backoff(attempt, 0) < backoff(attempt, 1)
    assert backoff(attempt, chance) <= backoff(attempt + 1, other)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("0", 0),
        ("12", 12),
        (" 12 ", 12),
        ("Fri, 02 Jan 2026 03:04:35 GMT", 30),
        ("Fri, 02 Jan 2026 03:04:35 -0000", 30),
        ("Fri, 02 Jan 2026 05:04:35 +0200", 30),
        ("Fri, 02 Jan 2026 03:00:00 GMT", 0),
        ("Fri, 02 Jan 2026 03:04:35 +99999999999999999999", None),
        ("99999999999999999999 Jan 2026 03:04:35 GMT", None),
        ("soon", None),
        ("-1", None),
        ("1.5", None),
        ("²", None),
        ("١٢", None),
    ],
)
def test_the_header_retry_after_is_converted_to_seconds(header: str | None, seconds: float | None) -> None:
    assert retry_after(header, NOW) == seconds


DATES = st.from_regex(
    r"[A-Za-z]{3}, [0-9]{1,3} Jan [0-9]{1,6} [0-9]{1,3}:[0-9]{1,3}:[0-9]{1,3} [+-]?[0-9A-Z]{1,20}", fullmatch=True
)


@given(st.one_of(st.text(max_size=40), DATES))
def test_retry_after_of_any_text_is_a_wait_or_nothing(header: str) -> None:
    seconds = retry_after(header, NOW)
    assert seconds is None or seconds >= 0
