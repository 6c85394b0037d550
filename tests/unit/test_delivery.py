# SPDX-License-Identifier: GPL-3.0-or-later
"""A delivery begins or is forbidden, whichever comes first."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils.delivery import Delivery, DeliveryForbidden


def test_a_delivery_that_has_not_begun_does_not_begin_once_it_is_forbidden() -> None:
    delivery = Delivery()
    assert not delivery.has_begun()
    assert not delivery.forbid()
    with pytest.raises(DeliveryForbidden):
        delivery.begin()
    assert not delivery.has_begun()


def test_a_delivery_that_has_begun_stays_so() -> None:
    delivery = Delivery()
    delivery.begin()
    assert delivery.has_begun()
    assert delivery.forbid()
    delivery.begin()
    assert delivery.has_begun()
