# SPDX-License-Identifier: GPL-3.0-or-later
"""Where requests may go. What is never asked for, whatever a link looks like, is in the tests of the client."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from requests import Request
from urllib3.util import parse_url

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import UnusableIdentifier
from ansible_collections.edgeops.ingress.plugins.module_utils._transport import addresses

pytestmark = pytest.mark.every_python

FINE = """
https://api.example.com https://api.example.com/ https://api.example.com:8443/base https://10.0.0.1 https://[::1]:8443
http://127.0.0.1:8080 http://127.8.9.10 http://localhost:80 http://[::1] http://api.localhost
http://[::ffff:127.0.0.1] https://a_b.example.com
"""
WRONG = """
api.example.com ftp://a https:// https://:443 https://a:b https://a:0 https://.a https://a..b https://a\\b https://[::1
https://a?x https://a#x https://me@a http://api.example.com http://127.0.0.1.example.com http://localhost.example.com
http://0.0.0.0 http://127.1 http://[::ffff:10.0.0.1] http://xlocalhost
"""
BLANKS = ["", "https://a b", "https://a\n", "https://a\t.example.com", " https://a"]


def test_which_addresses_can_be_used() -> None:
    expected = {**dict.fromkeys(FINE.split(), 0), **dict.fromkeys([*WRONG.split(), *BLANKS], 1)}
    assert {one: len(list(addresses.base_url_problems(one, allow_http=False))) for one in expected} == expected
    assert list(addresses.base_url_problems("http://api.example.com", allow_http=True)) == []


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_no_part_of_a_path_leads_out_of_it(parts: list[str]) -> None:
    try:
        path = addresses.path_of("edges", *(f"edghts_{part}" for part in parts))
    except UnusableIdentifier:
        assert not " ".join(parts).isprintable()  # half of a surrogate pair is not a character
        return
    url = Request("GET", f"https://a.example/base{path}").prepare().url
    assert url is not None
    assert url.startswith("https://a.example/base/edges/edghts_")
    assert url.count("/") == 4 + len(parts)  # of the origin, of base and of edges


@pytest.mark.parametrize("segment", ["", ".", "..", None, 5, True, ["a"], {"id": "a"}, "\ud800", "a\udfffb"], ids=repr)
def test_what_names_nothing_makes_no_path(segment: object) -> None:
    with pytest.raises(UnusableIdentifier, match=r"^expected an identifier, got .*No request was sent with it\.$"):
        addresses.path_of("edges", segment, "routes")


SEGMENTS = {"...": "...", ".a": ".a", "~": "~", " ": "%20", "/": "%2F", "../..": "..%2F..", "%2e%2e": "%252e%252e"}


@pytest.mark.parametrize(("segment", "quoted"), SEGMENTS.items())
def test_what_names_something_is_one_segment(segment: str, quoted: str) -> None:
    path = addresses.path_of("edges", segment)
    assert path == f"/edges/{quoted}"
    assert Request("GET", f"https://a.example{path}").prepare().path_url == path


BASE = "https://api.example.com/base"
LINKS = {
    "https://api.example.com/base/x?page=2": "/x?page=2",
    "https://API.example.com:443/base/x": "/x",
    "/base/x?page=2": "/x?page=2",
    "/x?page=2": "/x?page=2",
    "/based/x": "/based/x",
    "?page=2": "/x?page=2",
    "//api.example.com/base/x": "/x",
    "http://api.example.com/base/x": None,
    "https://api.example.com:8443/base/x": None,
    "https://evil.example/base/x": None,
    "//evil.example/base/x": None,
    "https://api.example.com@evil.example/x": None,
    "https://evil.example\\@api.example.com/x": None,
    "https://api.example.com:port/x": None,
    "javascript:alert(1)": None,
}


def test_only_links_on_the_same_origin_lead_to_a_next_page() -> None:
    found = {link: addresses.next_page(f"{BASE}/x", link, BASE) for link in LINKS}
    assert found == {link: target and BASE + target for link, target in LINKS.items()}


ODD = st.text(alphabet="/\\@:?#.[]% \t\nahttps//evil.example127", max_size=30)


@given(st.one_of(ODD, ODD.map(lambda text: f"https://{text}"), ODD.map(lambda text: f"//{text}")))
def test_no_link_leads_elsewhere_in_the_eyes_of_the_library_that_sends(link: str) -> None:
    target = addresses.next_page(f"{BASE}/x", link, BASE)
    if target is not None:
        parts = parse_url(target)
        assert (parts.scheme, parts.host, parts.port, parts.auth) == ("https", "api.example.com", None, None)


PASSWORDS = {
    "https://user:p@ss@api.example.com/base": ["p@ss"],
    "https://:secret@api.example.com": ["secret"],
    "https://user:pa/ss?#@api.example.com": ["pa/ss?#"],
    "https://user@api.example.com": [],
    "https://api.example.com:8443/base": [],
    "https://api.example.com:8443/base@home": [],
    "not a URL": [],
}


def test_the_password_in_a_url_is_found() -> None:
    assert {address: list(addresses.password_in(address)) for address in PASSWORDS} == PASSWORDS
