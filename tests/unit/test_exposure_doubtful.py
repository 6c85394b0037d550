# SPDX-License-Identifier: GPL-3.0-or-later
"""What looks protected or closed, but is not for sure: it never counts as such, and it is said."""

from __future__ import annotations

from datetime import date
from itertools import product

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._access.routing import prefixes_of
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge, judgement_of
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judged import Estate, https_edge
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.rules import covers
from ansible_collections.edgeops.ingress.plugins.module_utils._model.schema import HTTPS_EDGE
from estates_to_judge import WORDS, Given, estate, judged


def seen(text: str) -> tuple[list[list[str]], list[str], set[str]]:
    """Who gets through, what is found, and what is doubtful."""
    result = judged(estate(text))
    return (
        [one["access"] for one in result["exposure"]],
        [one["rule"] for one in result["findings"]],
        {one["path"].removeprefix("https_edges[0].") for one in result["not_judged"]},
    )


HOLLOW = {
    "no-policies": ["restriction_without_entries"],
    "empty-hook": ["webhook_without_secret"],
    **{word: [] for word in ("bare-hook", "no-provider", "no-issuer", "no-idp")},
}


@pytest.mark.parametrize("word", HOLLOW)
def test_a_module_without_anything_to_check_with_protects_nothing(word: str) -> None:
    """Neither is it certain that everyone gets through, so no other rule says so. Nor is there a hole in it."""
    access, rules, doubts = seen(f"/ staff, /admin {word}")
    assert (access[1], rules) == (["public"], HOLLOW[word])
    assert f"routes[1].{next(iter(WORDS[word]))}" in doubts
    assert judged(estate(f"/ {word}"))["exposure"][0]["by"] == {}
    assert seen(f"/ {word}, /admin")[1] == HOLLOW[word]


HOLE = "hole_below_protected_prefix"
SEEN: dict[str, tuple[str, str]] = {  # what is found, and the doubts about these routes
    "[no-clients] / everybody": ("login_for_everyone restriction_without_entries", "mutual_tls"),
    "/ staff, /static/../admin": (HOLE, "routes[1].match"),
    "/ staff, /static/%2E%2e/admin": (HOLE, "routes[1].match"),
    "/ staff, /public//admin": (HOLE, "routes[1].match"),
    "/ staff, /static\\..\\admin": (HOLE, "routes[1].match"),
    "/ staff, Shop.example.com/admin": (HOLE, ""),
    "/ staff, /.well-known/acme, /static/caf%C3%A9, /static/, /static/...": ("", ""),
    "/ staff, /, /admin": ("", "routes[0].match routes[1].match"),
    "/admin, /, / staff": ("", "routes[1].match routes[2].match"),
}


@pytest.mark.parametrize("text", SEEN)
def test_a_doubt_hides_no_other_finding(text: str) -> None:
    _access, rules, doubts = seen(text)
    found, doubtful = (part.split() for part in SEEN[text])
    assert rules == found
    assert {one for one in doubts if "match" in one or "tls" in one} - {"tls_edges"} == set(doubtful)


BACKEND = {"backend": {"enabled": True, "backend": {"id": "bk_app"}}}
EVERY_PROVIDER = {"github", "facebook", "microsoft", "google", "linkedin", "gitlab", "twitch", "amazon"}
LIVE: list[tuple[Given, str, str]] = [  # modules as a service returns them
    ({"ip_restriction": {"enabled": False, "ip_policies": []}}, "public", ""),
    ({"webhook_verification": {"enabled": False, "provider": "", "secret": ""}}, "public", ""),
    ({"oauth": {"enabled": False, "provider": None}}, "public", ""),
    ({"oauth": {"enabled": True, "provider": {name: {} for name in EVERY_PROVIDER}}}, "login", "oauth.provider"),
    ({"backend": {"enabled": True, "backend": None}}, "public", "backend"),
    ({"backend": {"enabled": True, "backend_id": "bk_app"}}, "public", "backend"),
]


@pytest.mark.parametrize(("wire", "access", "doubt"), LIVE)
def test_what_a_service_shows_of_unset_modules(wire: Given, access: str, doubt: str) -> None:
    route = {"match_type": "path_prefix", "match": "/", **BACKEND, **wire}
    state = HTTPS_EDGE.read({"hostports": ["a.example.com:443"], "routes": [route]}, "")
    live = Estate([https_edge("https_edges[0]", state, state["routes"])])
    found = judgement_of(live, (), date(2027, 3, 31)).result()
    assert (found["exposure"][0]["access"], found["findings"]) == ([access], [])
    assert [one["path"] for one in found["not_judged"] if "routes" in one["path"]] == (
        [f"https_edges[0].routes[0].{doubt}"] if doubt else []
    )


PORT = "service_port_in_the_open"
TUNNELS: list[tuple[Given, list[str] | None, list[str]]] = [
    ({"labels": {"app": "shop"}}, ["closed"], []),
    ({"proto": "tcp", "forwards_to": "localhost:22"}, None, []),
    ({"proto": "tcp", "forwards_to": "localhost:22", "public_url": ""}, None, []),
    ({"endpoint": {"id": "ep_one", "uri": ""}, "public_url": None}, None, []),
    ({"proto": "TCP", "public_url": "tcp://a:1", "forwards_to": "db:22"}, ["public"], [PORT]),
    ({"public_url": "tcp://a:1", "forwards_to": "db:22"}, ["public"], [PORT]),
]


@pytest.mark.parametrize(("tunnel", "access", "found"), TUNNELS)
def test_only_a_backend_tunnel_is_closed(tunnel: Given, access: list[str] | None, found: list[str]) -> None:
    result = judge({}, [{"id": "tn_one", **tunnel}]).result()
    assert [(one["access"], one["backend_id"]) for one in result["exposure"]] == ([(access, None)] if access else [])
    assert [one["rule"] for one in result["findings"]] == found
    assert ("tunnels[0].public_url" in {one["path"] for one in result["not_judged"]}) == (access is None)


def test_a_header_is_not_public_if_a_policy_may_restrict_access() -> None:
    [doubtful], [certain] = (judged(estate(f"/ adds=x-api-key {more}"))["findings"] for more in ("actions", ""))
    assert ("everyone" in doubtful["message"], "everyone" in certain["message"]) == (False, True)


def test_prefixes_end_at_slashes() -> None:
    paths = ["".join(letters) for length in range(6) for letters in product("/a", repeat=length)]
    for path in paths:
        found = list(prefixes_of(path))
        assert found == sorted(set(found), key=len, reverse=True)
        inside = {one for one in paths if path == one or path.startswith(one if one.endswith("/") else f"{one}/")}
        assert set(found) - {""} == inside - {""}


COVERED = [("*", ""), ("a*", "a"), ("a*b*c", "a\nbb c"), ("[a]?", "[a]?")]
NOT_COVERED = [("ab*ba", "aba"), ("*a*a*", "a"), ("a.c", "abc"), ("*a" * 30 + "b", "a" * 3000)]


def test_patterns() -> None:
    assert [covers(*one) for one in COVERED + NOT_COVERED] == [True] * 4 + [False] * 4
