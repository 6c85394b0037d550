# SPDX-License-Identifier: GPL-3.0-or-later
"""The hostports of edges that are declared as objects compare and are checked as those of HTTPS edges are."""

from __future__ import annotations

from typing import Any

import pytest

from module_task import Tasks, writes
from served_names import estate, hostports, seed, served

A, B, C, D = hostports("abcd")
EDGES = ("edges/tls", "edges/tcp")
HIDDEN = "decides which hosts are served or who gets in, and cannot be hidden; remove it"


def an_edge(collection: str, declared: Any) -> dict[str, Any]:
    return {"collection": collection, "find_by": {"description": "t"}, "body": {"hostports": declared}}


@pytest.mark.parametrize("collection", EDGES)
@pytest.mark.parametrize(
    ("switches", "declared"),
    [({"lists": "reordered"}, [D, C]), ({"hostports": "lower"}, [C.upper(), D]), ({}, [D.upper(), C])],
    ids=str,
)
def test_order_and_letter_case_do_not_matter(
    tasks: Tasks, collection: str, switches: dict[str, str], declared: list[str]
) -> None:
    tasks.service.switches(**switches)
    edge = an_edge(collection, declared)
    tasks.done("object", **edge)
    for same in (declared, declared[::-1], [one.upper() for one in declared], [one.lower() for one in declared]):
        again = tasks.done("object", **an_edge(collection, same))
        assert (again["changed"], writes(again), again["diff"]["before"]) == (False, [], again["diff"]["after"])
    changed = tasks.done("object", **an_edge(collection, [*declared, A]))
    assert not changed.get("warnings")
    assert len(writes(changed)) == 1


@pytest.mark.parametrize(
    ("switches", "letters"), [({"lists": "reordered"}, "ab"), ({"hostports": "lower"}, "AB")], ids=str
)
def test_what_an_object_takes_in_another_spelling_has_arrived(
    tasks: Tasks, switches: dict[str, str], letters: str
) -> None:
    seed(tasks, "one:ab tcp:cd").service.switches(**switches)
    declared = estate(f"one:dc tcp:{letters}")
    assert not tasks.done("estate", **declared).get("warnings")
    assert not tasks.done("estate", **declared)["changed"]
    assert served(tasks) == {"one": "cd", "tcp": "ab"}


WRONG: dict[str, tuple[Any, str]] = {
    "a string": (D, "body.hostports: expected a list, got a string"),
    "an empty dictionary": ({}, "body.hostports: expected a list, got a dictionary"),
    "a dictionary": ({"x": 1}, "body.hostports: expected a list, got a dictionary"),
    "a null": ([None], "body.hostports[0]: expected a string, got null"),
    "a duplicate": ([C, C], f"body.hostports[1]: {C!r} is listed twice; remove one of them"),
    "in another spelling": (
        ["bücher.example:443", "XN--bcher-kva.example:443"],
        "body.hostports[1]: 'XN--bcher-kva.example:443' is listed twice; remove one of them",
    ),
}


@pytest.mark.parametrize("collection", EDGES)
@pytest.mark.parametrize(("declared", "error"), WRONG.values(), ids=WRONG)
def test_what_is_not_a_list_of_different_strings_is_an_option_error(
    tasks: Tasks, collection: str, declared: Any, error: str
) -> None:
    edge = an_edge(collection, declared)
    for check in (True, False):
        alone = tasks.failed("object", check, **edge)
        with_others = tasks.failed("estate", check, objects=[{"name": "t", **edge}])
        assert (alone["option_errors"], with_others["option_errors"]) == ([error], [f"objects[0].{error}"])
        assert alone["sent"] == with_others["sent"] == []


@pytest.mark.parametrize(
    ("collection", "body", "path"),
    [
        *((collection, {"hostports": [D]}, "hostports") for collection in EDGES),
        ("edges/tls", {"ip_restriction": {"ip_policy_ids": ["ipp_x"]}}, "ip_restriction"),
        ("edges/tls", {"ip_restriction": {"ip_policy_ids": ["ipp_x"]}}, "ip_restriction.ip_policy_ids"),
        ("edges/tls", {"mutual_tls": {"certificate_authority_ids": ["ca_x"]}}, "mutual_tls"),
        ("endpoints", {"url": "https://d.example.com"}, "url"),
        ("ip_policy_rules", {"cidr": "192.0.2.0/24"}, "cidr"),
        ("ip_policy_rules", {"action": "deny"}, "action"),
        ("reserved_domains", {"domain": "d.example.com"}, "domain"),
    ],
)
def test_what_decides_about_names_and_access_is_never_hidden(
    tasks: Tasks, collection: str, body: dict[str, Any], path: str
) -> None:
    one = {"collection": collection, "find_by": {"description": "t"}, "body": body, "write_only": [path]}
    result = tasks.failed("object", **one, update_secrets="always")
    assert result["option_errors"] == [f"write_only[0]: '{path}' {HIDDEN}"]
    result = tasks.failed("estate", objects=[{"name": "t", **one}], update_secrets="always")
    assert result["option_errors"] == [f"objects[0].write_only[0]: '{path}' {HIDDEN}"]
