# SPDX-License-Identifier: GPL-3.0-or-later
"""Which identity providers are in use, by what one response shows, and what becomes of those that it leaves open."""

from __future__ import annotations

from typing import Any

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import Contradiction
from ansible_collections.edgeops.ingress.plugins.module_utils._model.declaration import declaration
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import ROUTE_MODULES

pytestmark = pytest.mark.every_core

OAUTH = ROUTE_MODULES["oauth"]
NAMES = ["github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"]
ACME = {"organizations": ["acme"]}
EMPTY: dict[str, Any] = {"client_id": "", "client_secret": None, "scopes": [], "email_addresses": []}
BARE, KEYED, NULLS = (dict.fromkeys(NAMES, unused) for unused in ({}, EMPTY, None))
EXTRA = {name: {"internal": 7} for name in NAMES}

# What the service shows, what is declared, and whether that is the same.
RESPONSES: dict[str, tuple[dict[str, Any], dict[str, Any], bool]] = {
    "an open door next to it": ({"google": {}, "github": ACME}, {"github": ACME}, False),
    "an open door next to it, the others null": ({**NULLS, "google": {}, "github": ACME}, {"github": ACME}, False),
    "an open door with empty lists": ({"google": {"email_domains": []}, "github": ACME}, {"github": ACME}, False),
    "an open door with nulls": ({"google": {"email_domains": None}, "github": ACME}, {"github": ACME}, False),
    "an open door with a key of its own": ({"google": {"internal": 7}, "github": ACME}, {"github": ACME}, False),
    "null": ({"google": None, "github": ACME}, {"github": ACME}, True),
    "missing": ({"github": ACME}, {"github": ACME}, True),
    "all are objects": ({**BARE, "github": ACME}, {"github": ACME}, True),
    "all are objects with other keys": ({**EXTRA, "github": ACME}, {"github": ACME}, True),
    "all are objects with empty values": ({**KEYED, "github": ACME}, {"github": ACME}, True),
    "one of all objects has empty values": ({**BARE, "google": EMPTY, "github": ACME}, {"github": ACME}, False),
    "all are objects, and one has to go": ({**BARE, "google": {"scopes": ["a"]}}, {"github": ACME}, False),
    "all are objects, and one is new": (BARE, {"github": ACME}, False),
    "declared open, shown empty": ({"github": {}}, {"github": {}}, True),
    "declared open, shown with empty values": ({**NULLS, "github": EMPTY}, {"github": {}}, True),
    "declared open, not shown": (NULLS, {"github": {}}, False),
    "declared open, shown like all": (BARE, {"github": {}}, True),
    "declared open, shown like all with empty values": (KEYED, {"github": {}}, True),
    "declared open, shown like all of those not in use": ({**BARE, "github": {**EMPTY, **ACME}}, {"github": {}}, False),
    "declared open besides": ({**BARE, "google": {**EMPTY, **ACME}}, {"google": ACME, "github": {}}, False),
    "declared restricted, shown like all": (BARE, {"github": ACME}, False),
}


def read(providers: dict[str, Any]) -> Any:
    return OAUTH.read({"enabled": True, "provider": providers}, "")


@pytest.mark.parametrize(("shown", "declared", "same"), RESPONSES.values(), ids=RESPONSES)
def test_the_providers_in_use_are_recognized_in_a_response(shown: Any, declared: Any, same: bool) -> None:
    have, want = read(shown), OAUTH.normal({"provider": declared})
    assert OAUTH.same(have, want) is same
    assert (OAUTH.predict(have, want) == have) is same


@pytest.mark.parametrize("unused", [NULLS, {}])
def test_a_provider_without_restrictions_is_exported(unused: dict[str, Any]) -> None:
    exported = declaration(OAUTH, read({**unused, "github": {}}))
    assert exported == {"enabled": True, "provider": {"github": {}}}
    assert declaration(OAUTH, read(unused)) == {"enabled": True}


@pytest.mark.parametrize("shown", [BARE, KEYED])
def test_providers_that_a_service_hides_are_neither_exported_nor_sent_and_stay_as_they_were_sent(
    shown: dict[str, Any],
) -> None:
    assert declaration(OAUTH, read(shown)) == {"enabled": True}
    body = OAUTH.body({"enabled": False}, read({**shown, "github": ACME}), "oauth")
    assert body == {"enabled": False, "provider": {"github": ACME}}
    with pytest.raises(Contradiction, match=r"^oauth\.provider: required, because"):
        OAUTH.body({"enabled": False}, read(shown), "oauth")
    want = OAUTH.normal({"provider": {"github": {}}})
    final = OAUTH.reconcile(read(shown), OAUTH.predict(None, want))
    assert (final["provider"]["github"] is None, final["provider"]["google"]) == (False, None)
    assert OAUTH.same(final, want)
    assert not OAUTH.same(final, OAUTH.normal({"provider": {"github": ACME}}))
