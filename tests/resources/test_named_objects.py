# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of an estate that refer to each other by name: one plan, the order of requests, and what follows from a
failure.
"""

from __future__ import annotations

from typing import Any

import pytest

from convergence import converges
from module_task import Tasks, methods, writes

OFFICE: dict[str, Any] = {"name": "office", "collection": "ip_policies", "find_by": {"description": "Office"}}
RULE: dict[str, Any] = {
    "name": "network",
    "collection": "ip_policy_rules",
    "find_by": {"ip_policy_id": "ref:office", "cidr": "192.0.2.0/24"},
    "body": {"action": "allow"},
    "create_only": ["ip_policy_id", "action"],
}
PAGE: dict[str, Any] = {
    "name": "page",
    "collection": "backends/http_response",
    "find_by": {"description": "Closed"},
    "body": {"body": "closed"},
}
TILL: dict[str, Any] = {
    "name": "till",
    "collection": "edges/tls",
    "find_by": {"description": "Tills"},
    "body": {
        "hostports": ["till.example.com:443"],
        "backend": {"backend_id": "ref:page"},
        "ip_restriction": {"ip_policy_ids": ["ref:office"]},
    },
    "unordered": ["ip_restriction.ip_policy_ids"],
}
ALL = [TILL, RULE, PAGE, OFFICE]


def absent(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same objects, which should not exist."""
    return [{**one, "state": "absent"} for one in objects]


def test_everything_is_built_from_nothing_and_taken_down(tasks: Tasks) -> None:
    built = converges(tasks, "estate", objects=ALL)
    # Nobody knows whom a policy without rules lets through the edge.
    collections = ["/backends/http_response", "/ip_policies", "/ip_policy_rules", "/edges/tls"]
    assert [write.removeprefix("POST ") for write in writes(built)] == collections
    assert list(built["objects"]) == ["till", "network", "page", "office"]
    [till] = tasks.service.state()["tls_edges"]
    assert till["backend"]["backend_id"] == built["objects"]["page"]["id"]
    assert methods(tasks.done("estate", objects=ALL)) == ["GET"] * 4
    gone = converges(tasks, "estate", objects=absent(ALL))
    assert [write.rpartition("/")[0] for write in writes(gone)] == [f"DELETE {one}" for one in reversed(collections)]
    state = tasks.service.state()
    assert (state["objects"], state["tls_edges"]) == ({}, [])


def test_check_mode_from_nothing_shows_the_names(tasks: Tasks) -> None:
    result = tasks.done("estate", check=True, objects=ALL)
    after = {entry["object"]: entry["after"] for entry in result["plan"]}
    assert after["object ip_policy_rules network"]["ip_policy_id"] == "ipp_office_would-be-created"
    assert after["object edges/tls till"]["backend"] == {"backend_id": "new_page_would-be-created"}
    assert result["objects"]["office"]["id"] == "ipp_office_would-be-created"


def test_a_description_that_looks_like_a_reference_is_not_resolved(tasks: Tasks) -> None:
    content = {"description": "ref:page", "metadata": {"page_id": "ref:nobody"}}
    objects = [{**OFFICE, "find_by": {"description": "ref:page"}, "body": content}, PAGE]
    assert tasks.done("estate", objects=objects)["changed"]
    assert not tasks.done("estate", objects=objects)["changed"]
    [office] = tasks.service.state()["objects"]["ip_policies"]
    assert (office["description"], office["metadata"]) == ("ref:page", '{"page_id":"ref:nobody"}')


def test_an_approved_plan_is_executed_with_the_ids_of_new_objects(tasks: Tasks) -> None:
    digest = tasks.done("estate", check=True, objects=ALL)["plan_digest"]
    other = tasks.failed("estate", objects=[*ALL[:3], {**OFFICE, "body": {"metadata": "x"}}], expect_plan=digest)
    assert not writes(other)
    assert len(writes(tasks.done("estate", objects=ALL, expect_plan=digest))) == 4


def test_no_more_is_deleted_than_is_allowed(tasks: Tasks) -> None:
    tasks.done("estate", objects=ALL)
    result = tasks.failed("estate", objects=absent(ALL), max_deletions=3)
    assert "contains 4 deletions, but `max_deletions` is 3" in result["msg"]
    assert not writes(result)


def test_what_refers_to_a_failed_object_is_skipped(tasks: Tasks) -> None:
    twins = [{"description": "Office", "metadata": text} for text in "ab"]
    tasks.service.seed(objects={"ip_policies": twins})
    for check in (True, False):
        result = tasks.failed("estate", check, objects=ALL)
        messages = {one["object"]: one["msg"] for one in result["failures"]}
        assert list(messages) == [
            "object ip_policies office",
            "object edges/tls till",
            "object ip_policy_rules network",
        ]
        assert messages["object edges/tls till"].startswith("Not created, because object ip_policies office failed.")
        assert (result["summary"]["failed"], result["summary"]["withheld"]) == (1, 2)
    assert writes(result) == ["POST /backends/http_response"]


def test_objects_that_refer_to_a_failed_one_are_skipped(tasks: Tasks) -> None:
    wrong = {**OFFICE, "body": {"colour": "red"}}
    result = tasks.failed("estate", objects=[RULE, wrong, PAGE])
    assert writes(result) == ["POST /ip_policies", "POST /backends/http_response"]
    assert [one["object"] for one in result["failures"]] == [
        "object ip_policies office",
        "object ip_policy_rules network",
    ]


def test_references_are_removed_before_their_objects_are_deleted(tasks: Tasks) -> None:
    tasks.done("estate", objects=ALL)
    body = {**TILL["body"], "ip_restriction": {"ip_policy_ids": []}}
    objects = [{**TILL, "body": body}, PAGE, *absent([RULE, OFFICE])]
    result = converges(tasks, "estate", objects=objects)
    assert [write.split()[0] for write in writes(result)] == ["PATCH", "DELETE", "DELETE"]


def test_what_a_failed_object_still_refers_to_is_not_deleted(tasks: Tasks) -> None:
    """Not every service rejects requests to delete what is in use."""
    tasks.done("estate", objects=ALL)
    wrong = {**TILL, "body": {"colour": "red"}}
    gone = absent([RULE, PAGE, OFFICE])
    result = tasks.failed("estate", objects=[wrong, *gone])
    assert [write.split()[0] for write in writes(result)] == ["PATCH"], "the rule counts as long as its policy is used"
    message = "Not deleted, because object edges/tls till (edgtls_"
    assert [one["msg"].startswith(message) for one in result["failures"]] == [False, True, True, True]
    tasks.service.seed(tls_edges=[{"description": "Tills"}])
    for check in (True, False):
        result = tasks.failed("estate", check, objects=[{**wrong, "body": {}}, *gone[1:]])
        assert (writes(result), result["operations"], len(result["failures"])) == ([], [], 3)


def test_live_references_decide_what_is_deleted_first(tasks: Tasks) -> None:
    tasks.done("estate", objects=ALL)
    bare = [{name: one[name] for name in ("name", "collection", "find_by")} for one in (OFFICE, PAGE, TILL, RULE)]
    result = converges(tasks, "estate", objects=absent(bare))
    order = [write.split("/")[1] for write in writes(result)]
    assert order.index("edges") < min(order.index("backends"), order.index("ip_policies"))
    assert tasks.service.state()["objects"] == {}


def test_500_unchanged_objects_take_as_many_requests_as_there_are_pages(tasks: Tasks) -> None:
    policies = [{"description": f"Policy {number}"} for number in range(500)]
    tasks.service.seed(objects={"ip_policies": policies})
    objects = [
        {"name": f"policy_{number}", "collection": "ip_policies", "find_by": policy}
        for number, policy in enumerate(policies)
    ]
    result = tasks.done("estate", objects=objects)
    assert (methods(result), result["summary"]["unchanged"]) == (["GET"] * 5, 500)


def test_two_declarations_that_find_the_same_object_both_fail(tasks: Tasks) -> None:
    tasks.service.seed(objects={"ip_policies": [{"description": "Office", "metadata": "x"}]})
    kept = {**OFFICE, "body": {"metadata": "new"}}
    gone = {"name": "gone", "collection": "ip_policies", "find_by": {"metadata": "x"}, "state": "absent"}
    for check in (True, False):
        result = tasks.failed("estate", check, objects=[gone, kept, RULE])
        assert "gone and office are the same object in ip_policies" in result["msg"]
        assert (writes(result), len(result["failures"])) == ([], 3)


def test_an_object_that_is_declared_often_has_one_error_each(tasks: Tasks) -> None:
    result = tasks.failed("estate", objects=[{**OFFICE, "name": f"policy_{number}"} for number in range(9)])
    assert len(result["option_errors"]) == 8


TWIN = {**OFFICE, "name": "twin"}
WRONG: dict[str, tuple[list[dict[str, Any]], str]] = {
    "an unknown name": ([RULE], "objects[0].find_by.ip_policy_id: no object has the name 'office'"),
    "a similar name": ([{**OFFICE, "name": "offices"}, RULE], "did you mean `ref:offices`?"),
    "the same name": ([OFFICE, {**PAGE, "name": "office"}], "objects[1]: office is already declared in objects[0]"),
    "the same object": ([OFFICE, TWIN], "objects[1]: is the same object as objects[0]"),
    "the same number": (
        [{**OFFICE, "find_by": {"size": 1}}, {**OFFICE, "name": "twin", "find_by": {"size": 1.0}}],
        "objects[1]: is the same object as objects[0]",
    ),
    "the same set": (
        [
            {**OFFICE, "find_by": {"cidrs": cidrs}, "unordered": ["cidrs"], "name": name}
            for name, cidrs in (("one", ["a", "b"]), ("two", ["b", "a", "b"]))
        ],
        "objects[1]: is the same object as objects[0]",
    ),
    "an object that would be found instead": (
        [{**TWIN, "find_by": {"metadata": "x"}}, {**OFFICE, "body": {"metadata": "x"}}],
        "objects[0].find_by: also matches objects[1]; set more fields",
    ),
    "an ID that is a reference": (
        [OFFICE, {"name": "again", "collection": "ip_policies", "id": "ref:office"}],
        "objects[1].id: is a reference to an object that is declared already",
    ),
    "a circle": (
        [{**OFFICE, "body": {"page_id": "ref:page"}}, {**PAGE, "body": {"policy_id": "ref:office"}}],
        "objects: the objects refer to each other in a circle: ",
    ),
    "itself": ([{**OFFICE, "body": {"page_id": "ref:office"}}], "in a circle: office -> office"),
    "one that goes": ([{**OFFICE, "state": "absent"}, RULE], "the object office has `state: absent`"),
    "a bad name": ([{**OFFICE, "name": "the/office"}], "objects[0].name: 'the/office' is not a name"),
    "nothing but false inside": (
        [{**OFFICE, "find_by": {"settings": {"public": False}}, "state": "absent"}],
        "objects[0].find_by: false and 0 also match",
    ),
    "its own options": ([{**OFFICE, "find_by": {"description": ""}}], "objects[0].find_by.description: is empty"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_lists_of_objects_are_option_errors(tasks: Tasks, name: str) -> None:
    objects, message = WRONG[name]
    result = tasks.failed("estate", objects=objects)
    assert message in result["msg"]
    assert result["sent"] == []
    assert len(result["option_errors"]) == 1, result["option_errors"]
