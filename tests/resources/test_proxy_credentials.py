# SPDX-License-Identifier: GPL-3.0-or-later
"""What the address of a proxy holds of user name and password is in no error, whatever a library says of it."""

from __future__ import annotations

from itertools import product
from typing import Any
from urllib.parse import quote

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from module_process import printed_and_logged
from module_task import Tasks, work_of
from scripted_service import as_json, in_turn, scripted_service

PASSWORD = "p@ss/w#rd?\u00e9"
PARTS = ("canary_user", PASSWORD, quote(PASSWORD), quote(PASSWORD, safe=""), "w#rd", "p@ss", "p%40ss")
PROXIES = [
    *(f"http://canary_user:{password}@127.0.0.1:9" for password in (PASSWORD, quote(PASSWORD, safe=""))),
    f"http://canary_user:{PASSWORD}@127.0.0.1:port",
    f"http://canary_user:{quote(PASSWORD, safe='')}@",
    f"canary_user:{quote(PASSWORD, safe='')}@127.0.0.1:9",
    f"socks9://canary_user:{quote(PASSWORD, safe='')}@127.0.0.1:9",
]
VARIABLES = ("ALL_PROXY", "HTTPS_PROXY")
ADDRESSES = ("http://service.example:8600", "https://service.example")


@pytest.mark.parametrize(("proxy", "variable"), [*product(PROXIES, VARIABLES)])
def test_no_error_shows_the_credentials_of_a_proxy(monkeypatch: pytest.MonkeyPatch, proxy: str, variable: str) -> None:
    for name in (*VARIABLES, "HTTP_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv(variable, proxy)
    for address in ADDRESSES:
        given: dict[str, Any] = {"base_url": address, "api_key": "ak_x", "retries": 0, "timeout": 1, "allow_http": True}
        work = work_of("tunnel_info")
        arguments = checked(work, given)
        try:
            result = entry.result_of(work, arguments.options)
        except Exception as exc:
            result = entry.crash(exc)
        assert result["failed"]
        printed, logged = printed_and_logged("tunnel_info", **given)
        for text in (str(result), str(masked(result, work, arguments)), str(printed), logged):
            assert not [part for part in PARTS if part in text], text


def test_a_service_that_quotes_the_credentials_of_a_proxy_does_not_show_them(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = as_json({"msg": "Proxy-Authorization: Basic Y2FuYXJ5X3VzZXI6Y2FuYXJ5X3Bhc3N3b3Jk, canary_password"}, 407)
    with scripted_service(in_turn(said)) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://canary_user:canary_password@{proxy.authority}")
        result = tasks.failed("tunnel_info", base_url="http://service.example", allow_http=True)
    assert "Proxy-Authorization: Basic ********, ********" in result["msg"]
