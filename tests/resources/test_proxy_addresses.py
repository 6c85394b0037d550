# SPDX-License-Identifier: GPL-3.0-or-later
"""The address of a proxy that cannot be used: the task fails immediately and names the variable, but not its value.

What the address holds of user name and password is in no error, whatever a library says of it.
"""

from __future__ import annotations

from urllib.parse import quote

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked
from ansible_collections.edgeops.ingress.plugins.module_utils._model.masking import Masks
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.machine_settings import problem_with_proxy
from module_process import printed_and_logged
from module_task import Given, Tasks, work_of
from scripted_service import as_json, in_turn, scripted_service

VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
SECRET = "canary"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, *map(str.lower, VARIABLES)):
        monkeypatch.delenv(name, raising=False)


SERVICES = {"HTTPS_PROXY": "https", "http_proxy": "http", "ALL_PROXY": "https"}


@pytest.mark.parametrize("sign", [*"/#?\\[]", "[x]"])
@pytest.mark.parametrize("start", ["http://", "socks5://", ""])
@pytest.mark.parametrize("variable", SERVICES)
def test_a_password_that_is_not_encoded(
    tasks: Tasks, monkeypatch: pytest.MonkeyPatch, sign: str, start: str, variable: str
) -> None:
    monkeypatch.setenv(variable, f"{start}user_{SECRET}:{SECRET}_one{sign}{SECRET}_two@127.0.0.1:1")
    base_url = f"{SERVICES[variable]}://service.example"
    result = tasks.failed("tunnel_info", base_url=base_url, allow_http=True, retries=3)
    assert f"{variable}: the user name or the password in the URL of the proxy contains a character" in result["msg"]
    assert ("percent-encode" in result["msg"], result["retries"], SECRET in str(result)) == (True, 0, False)


USABLE = [
    *("http://proxy.example", "proxy.example:3128", "http://proxy.example:3128/", "http://proxy.example:/"),
    *("HTTP://user@proxy.example:3128/path?x#y", "http://user:p%2Fw@[::1]:3128", "user:pass@proxy"),
    *("http://user:p@ss:word@[fe80::1%25eth0]", "socks5h://user:a b@proxy.example:1080"),
    " http://proxy.example:3128\n",
]


@pytest.mark.parametrize("address", USABLE)
def test_an_address_that_can_be_used(address: str) -> None:
    assert problem_with_proxy(address, "https", {}) is None


WITHOUT_HOST = [
    *(f"http://user:{SECRET}@{host}" for host in ("host:port", "host:65536", "", "[::1:80", "a b:80")),
    *(f"http://user:{SECRET}%40host:1", f"http://{SECRET}:1:2", "http://:1", "://"),
]


@pytest.mark.parametrize("address", WITHOUT_HOST)
def test_an_address_without_a_valid_host(address: str) -> None:
    option_error = str(problem_with_proxy(address, "https", {"all_proxy": address}))
    assert option_error.startswith("all_proxy: the URL of the proxy has no valid host and port; expected")
    assert SECRET not in option_error
    assert Masks(lambda: ["ak_x"]).library_text(option_error) == option_error


WHERE = [
    ({"HTTPS_PROXY": "http://:1"}, "HTTPS_PROXY"),
    ({"https_proxy": "http://:1", "HTTPS_PROXY": "http://:2"}, "https_proxy"),
    ({"HTTP_PROXY": "http://:2", "ALL_PROXY": "http://:1"}, "ALL_PROXY"),
    ({}, "proxy settings of this machine"),
]


@pytest.mark.parametrize(("environ", "name"), WHERE)
def test_where_the_address_comes_from(environ: dict[str, str], name: str) -> None:
    assert str(problem_with_proxy("http://:1", "https", environ)).startswith(f"{name}: ")


PASSWORD = "p@ss/w#rd?\u00e9"
QUOTED = quote(PASSWORD, safe="")
PARTS = ("canary_user", PASSWORD, quote(PASSWORD), QUOTED, "w#rd", "p@ss", "p%40ss")
PROXIES = [
    *(f"http://canary_user:{password}@127.0.0.1:9" for password in (PASSWORD, QUOTED)),
    *(f"http://canary_user:{PASSWORD}@127.0.0.1:port", f"http://canary_user:{QUOTED}@"),
    *(f"canary_user:{QUOTED}@127.0.0.1:9", f"socks9://canary_user:{QUOTED}@127.0.0.1:9"),
]


@pytest.mark.parametrize("variable", ["ALL_PROXY", "HTTPS_PROXY"])
@pytest.mark.parametrize("proxy", PROXIES)
def test_no_error_shows_the_credentials_of_a_proxy(monkeypatch: pytest.MonkeyPatch, proxy: str, variable: str) -> None:
    monkeypatch.setenv(variable, proxy)
    for address in ("http://service.example:8600", "https://service.example"):
        given: Given = {"base_url": address, "api_key": "ak_x", "retries": 0, "timeout": 1, "allow_http": True}
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
