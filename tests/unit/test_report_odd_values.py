# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts with values of any type in any place are reported on, or they are option errors."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from amount import seeds
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import NOT_JUDGED, with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import option_errors
from report_accounts import GITHUB, edge, route, shop
from report_formats import written

ODD: list[Any] = [None, "", 0, 1.5, True, [], {}, "x", ["x"], {"a": 1}, [[]], [None], -1]
ACCOUNTS = (shop(), with_exposure(shop()))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if len(path) > 1:
        yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield from places(member, (*path, name))


def put(account: Any, path: tuple[Any, ...], value: Any) -> None:
    for name in path[:-1]:
        account = account[name]
    account[path[-1]] = copy.deepcopy(value)


@pytest.mark.parametrize("seed", seeds(200, 5000, "odd values"))
def test_any_value_is_reported_on_or_an_option_error(seed: str) -> None:
    draw = random.Random(seed)
    account = copy.deepcopy(draw.choice(ACCOUNTS))
    for _ in range(draw.randint(1, 3)):
        put(account, draw.choice(list(places(account))), draw.choice(ODD))
    if not list(option_errors({"accounts": [account]})):
        report = written([account])
        assert json.loads(report["json"])["summary"]["accounts"] == 1


FAILED = {"failed": True, "msg": "401 ERR_API_KEY"}
UNREAD: list[tuple[dict[str, Any], str]] = [
    ({"estate": {}}, "Neither its estate nor its exposure is known."),
    ({"estate": FAILED}, "401 ERR_API_KEY"),
    ({"exposure": FAILED, "error": "timed out"}, "401 ERR_API_KEY; timed out"),
    ({"estate": {"tls_edges": []}}, "Its HTTPS edges were not read."),
    ({"estate": {"https_edges": [edge("x.example.com", route("/", "a", oauth="on"), route("/b", "b"))]}}, NOT_JUDGED),
]


@pytest.mark.parametrize(("parts", "reason"), UNREAD)
def test_an_account_that_was_not_read_or_judged_is_not_clean(parts: dict[str, Any], reason: str) -> None:
    account = {"name": "a", **parts}
    assert not list(option_errors({"accounts": [account]}))
    report = written([account])
    summary = json.loads(report["json"])["summary"]
    assert summary["incomplete"] == ["a"]
    assert summary["not_judged"] == summary["routes"] == (2 if reason == NOT_JUDGED else 0)
    assert [name for name in ("html", "markdown", "junit", "sarif") if reason not in report[name]] == []


OAUTH = {"enabled": True, "provider": GITHUB}
MUTUAL_TLS = {"enabled": True, "certificate_authority_ids": ["ca_x"]}


@pytest.mark.parametrize(
    "edges",
    [
        [edge("x.example.com", route("/", "a", oauth=OAUTH), route("/", "b"))],
        [edge("x.example.com", route("/", "a"), mutual_tls=MUTUAL_TLS), edge("x.example.com", route("/", "b"))],
    ],
)
def test_equal_objects_are_judged_one_by_one(edges: list[Any]) -> None:
    access = json.loads(written([{"name": "a", "estate": {"https_edges": edges}}])["json"])["summary"]["access"]
    assert access["public"] == 1
    assert access["login"] + access["certificate"] == 1
