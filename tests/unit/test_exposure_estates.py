# SPDX-License-Identifier: GPL-3.0-or-later
"""Estates made to look real. Their findings were read one by one: none of them is a false alarm."""

from __future__ import annotations

import json

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION as ESTATE
from estates_to_judge import estate, judged

CONNECTION = {"base_url": "http://127.0.0.1", "api_key": "key"}

# A shop with its administration, a staging area, an address of the past, and the tills of its branches.
SHOP = """
[host=www.shop.example+shop.example tls=1.2] / >shop gzip answers=strict-transport-security, /checkout >shop adds=x-shop
, /admin >shop office google=shop.example, /admin/static >shop, /hooks >payments hook=payments, =/robots.txt >static
[host=old.shop.example] / >shop
[host=staging.shop.example] / >staging -office
[host=media.shop.example] / -backend
[host=spare.shop.example]
tls: branches upstream
events: api_key_created.v0 ip_policy_updated.v0
tunnel: localhost:22
tunnel: http://localhost:3000 at https://preview.example.app
"""
# An application for customers with a staff area, an API, tools for developers, and documentation.
SAAS = """
[host=app.saas.example+*.customers.saas.example tls=TLSv1.2] / >app, /api >api, /metrics >api networks=ipp_monitoring
, =/healthz >app
[host=staff.saas.example clients] / >staff saml, /reports >staff
[host=tools.saas.example] / >tools teams, /static >tools, =/healthz >tools, /hooks/github >tools hook=github
, /debug >tools, /builds >builds actions
[host=docs.saas.example] / >docs everybody
[host=grafana.saas.example tls=TLSv1.1] / >grafana preflight=https://login.saas.example
events: http_request_complete.v0
"""
FINDINGS = {
    SHOP: """
        high protection_disabled https_edges[2].routes[0].ip_restriction.enabled
        medium backend_open_elsewhere https_edges[1].routes[0]
        medium service_port_in_the_open tunnels[0].forwards_to
    """,
    SAAS: """
        high hole_below_protected_prefix https_edges[2].routes[4]
        high login_for_everyone https_edges[3].routes[0].oauth.provider.google
        medium old_tls https_edges[4].tls_termination.min_version
        low preflight_unauthenticated https_edges[4].routes[0].oidc.options_passthrough
        low changes_without_subscription event_subscriptions
    """,
}


@pytest.mark.parametrize("text", FINDINGS, ids=["shop", "saas"])
def test_findings_of_a_realistic_estate(text: str) -> None:
    given = estate(text.replace("\n,", ","))
    result = judged(given)
    shown = [f"{one['severity']} {one['rule']} {one['path']}" for one in result["findings"]]
    assert shown == [line.strip() for line in FINDINGS[text].strip().splitlines()]
    assert "words" not in json.dumps(result), "a secret is shown"
    # Nobody reads findings about what the service would reject.
    tunnels = given.pop("tunnels", None)
    arguments = checked(ESTATE, {**CONNECTION, **given})
    assert [*arguments.option_errors, *ESTATE.option_errors(arguments.options, False)] == []
    # Ansible adds every suboption that is omitted, as null.
    assert judge(arguments.options, tunnels).result() == result
