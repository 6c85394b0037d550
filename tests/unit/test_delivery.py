# SPDX-License-Identifier: GPL-3.0-or-later
"""A delivery begins or is forbidden, whichever comes first."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._transport.delivery import Delivery, DeliveryForbidden

pytestmark = pytest.mark.every_python


def test_a_delivery_that_has_not_begun_does_not_begin_once_it_is_forbidden() -> None:
    delivery = Delivery()
    delivery.connect()
    assert not delivery.may_have_begun()
    assert not delivery.forbid()
    with pytest.raises(DeliveryForbidden):
        delivery.begin()
    assert not delivery.may_have_begun()


def test_a_delivery_that_has_begun_stays_so() -> None:
    delivery = Delivery()
    delivery.connect()
    delivery.begin()
    assert delivery.may_have_begun()
    assert delivery.forbid()
    delivery.begin()
    assert delivery.may_have_begun()


def test_a_delivery_of_which_nothing_was_seen_may_have_begun() -> None:
    """So that connections which record nothing, as of another version of urllib3, prove nothing."""
    delivery = Delivery()
    assert delivery.may_have_begun()
    assert delivery.forbid()
