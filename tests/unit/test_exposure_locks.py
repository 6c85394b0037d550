# SPDX-License-Identifier: GPL-3.0-or-later
"""What each traffic module on the way checks, whether it does so, and whom it admits."""

from __future__ import annotations

import json

import pytest

from estates_to_judge import estate, judged

# An estate in a line, the traffic module that is a lock, its state, and whom it admits.
LOCKS = """
/ branches -> ip_restriction on ipp_branch, ipp_office
/ -branches -> ip_restriction off ipp_branch, ipp_office
/ no-policies -> ip_restriction open
/ -no-policies -> ip_restriction off
/ policies=9 -> ip_restriction on ipp_0, ipp_1, ipp_2, ipp_3, ipp_4, ipp_5, ipp_6, ipp_7, ipp_8
/ teams -> oauth on org/web
/ everybody -> oauth on any user of google
/ no-provider -> oauth open
/ oidc -> oidc on https://idp.example.com
/ saml -> saml on any user
/ saml-web -> saml on web
/ github-hook -> webhook_verification on github
/ empty-hook -> webhook_verification open
/ limit -> policy unknown limit
/ -limit -> policy off limit
/ no-limit -> policy open limit
"""


@pytest.mark.parametrize("line", LOCKS.strip().splitlines())
def test_a_lock_says_whether_it_checks_and_whom_it_admits(line: str) -> None:
    """Few of those whom it admits are listed, and all of them are counted."""
    text, _, expected = line.partition(" -> ")
    module, state, *listed = expected.split(" ", 2)
    admits = listed[0].split(", ") if listed else []
    [lock] = judged(estate(text))["exposure"][0]["locks"]
    assert (lock["module"], lock["state"], lock["admits"]) == (module, state, admits[:5])
    assert lock["admits_count"] == len(admits)
    assert "words" not in json.dumps(lock), "a secret or a setting is shown"


def test_the_locks_of_the_edge_and_the_route_are_in_the_order_of_the_checks() -> None:
    [shown] = judged(estate("[clients] / limit teams office gzip"))["exposure"]
    assert [(one["requires"], one["module"], one["state"]) for one in shown["locks"]] == [
        ("certificate", "mutual_tls", "on"),
        ("network", "ip_restriction", "on"),
        ("login", "oauth", "on"),
        ("policy", "policy", "unknown"),
    ]
    places = [one["path"].removeprefix("https_edges[0].") for one in shown["locks"]]
    assert places[:2] == ["mutual_tls", "routes[0].ip_restriction"]


def test_the_locks_of_a_closed_route_are_known() -> None:
    [shown] = judged(estate("/ teams -backend"))["exposure"]
    assert (shown["access"], shown["by"]) == (["closed"], {})
    assert [one["state"] for one in shown["locks"]] == ["on"]
