# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates and redirects: the key goes to the service that was meant, or nowhere."""

from __future__ import annotations

import re
from typing import Any

import pytest

from certificates import Authority
from module_task import Given, Tasks
from scripted_service import Response, as_json, in_turn, scripted_service

TUNNELS = as_json({"tunnels": [], "next_page_uri": None})


def read_tunnels(tasks: Tasks, base_url: str, **connection: Any) -> Given:
    return tasks.run("tunnel_info", base_url=base_url, retries=3, retry_max_wait=0.1, **connection)


def test_a_certificate_of_a_known_authority(tasks: Tasks, authority: Authority) -> None:
    with scripted_service(in_turn(TUNNELS), authority.certificate("localhost").context()) as service:
        url = f"https://localhost:{service.port}"
        assert read_tunnels(tasks, url, ca_path=str(authority.path))["tunnels"] == []
        assert service.received[0].headers["Authorization"] == f"Bearer {tasks.service.api_key}"


@pytest.mark.parametrize(
    ("name", "options", "trusts", "cause", "advice"),
    [
        ("localhost", {}, False, "unable to get local issuer certificate", "set `ca_path` to a file"),
        ("localhost", {"self_signed": True}, True, "self-signed certificate", "set `ca_path` to a file"),
        ("localhost", {"expired": True}, True, "certificate has expired", "has expired; renew it"),
        ("other.example.com", {}, True, "Hostname mismatch|doesn't match", "check the host name in `base_url`"),
    ],
    ids=["of nobody known", "self-signed", "expired", "of another host"],
)
def test_a_certificate_that_does_not_check(
    tasks: Tasks, authority: Authority, name: str, options: dict[str, bool], trusts: bool, cause: str, advice: str
) -> None:
    with scripted_service(in_turn(TUNNELS), authority.certificate(name, **options).context()) as service:
        url = f"https://localhost:{service.port}"
        trusted = {"ca_path": str(authority.path)} if trusts else {}
        result = read_tunnels(tasks, url, **trusted)
        assert result["failed"]
        assert re.search(cause, result["msg"]), result["msg"]
        assert re.search(advice, result["msg"]), result["msg"]
        assert (result["retries"], service.received) == (0, [])
        assert read_tunnels(tasks, url, validate_certs=False)["tunnels"] == []


def test_the_error_about_a_redirect_shows_no_user_no_password_and_no_query(tasks: Tasks) -> None:
    with scripted_service(in_turn(TUNNELS)) as thief:
        place = thief.base_url.replace("://", "://somebody:canary_word@")
        leading_there = Response(307, headers={"Location": f"{place}/tunnels?token=canary_token"})
        result = tasks.failed("tunnel_info", instead=in_turn(leading_there))
        assert f"redirect (307) to {thief.base_url}/tunnels. Redirects are not followed" in result["msg"]
        assert ("canary" in str(result), thief.received) == (False, [])
