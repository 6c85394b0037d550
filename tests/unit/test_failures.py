# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages and results stay short: failures with the same cause are one line, and an error in a template may be in each
of a thousand objects.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from test_report_task import run

from ansible_collections.edgeops.ingress.plugins.module_utils import _errors
from ansible_collections.edgeops.ingress.plugins.module_utils._applying.failures import failure_message
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import ObjectFailed, Request, Withheld
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_error import InvalidOptions, OptionError
from ansible_collections.edgeops.ingress.plugins.plugin_utils._result_size import PRINTED, without_longest_lists

pytestmark = pytest.mark.every_core

NO_MORE = "403 ERR_QUOTA: No more."


def rejected(subject: str, response: str = NO_MORE, interim_state: str = "") -> ObjectFailed:
    return other(subject, f"the service returned {response}", interim_state)


def other(subject: str, problem: str, interim_state: str = "") -> ObjectFailed:
    error = _errors.RequestRejected(problem, Request("PATCH", f"/x/{subject}", status=403))
    return failed(subject, error, interim_state=interim_state)


def failed(subject: str, error: _errors.IngressError, **details: Any) -> ObjectFailed:
    """The failure of an object, whose noun and name the plan knows."""
    kind, _space, name = subject.partition(" ")
    noun = {"https_edge": "edge", "https_edge_route": "route"}.get(kind, "")
    return ObjectFailed(subject, error, **details, noun=noun, name=name)


def unsupported(subject: str) -> ObjectFailed:
    cause = _errors.NotFound("the service returned 404", Request("DELETE", f"/x/{subject}", status=404))
    return failed(subject, _errors.NotSupported(f"Not possible ({cause}).", f"Not possible ({cause.problem})."))


def withheld(*causes: str) -> list[ObjectFailed]:
    """Two edges that wait for each cause."""
    return [failed(f"https_edge {cause}{number}", Withheld("changed", cause)) for cause in causes for number in (1, 2)]


def two(make: Callable[..., ObjectFailed], *details: str, kind: str = "https_edge") -> list[ObjectFailed]:
    return [make(f"{kind} {name}", *details) for name in "mn"]


EDGES = [rejected(f"https_edge {name}") for name in "abcdef"]
DONE = [{"method": "PUT", "path": "/before"}]
AFTER_ANOTHER = failed("https_edge z", rejected("https_edge z", "403").error, done=DONE)
QUOTA, ROUTES = f"The service returned {NO_MORE}", "https_edge_route"
CASES: list[tuple[Sequence[ObjectFailed], list[str]]] = [
    (EDGES[:1], [f"https_edge a: PATCH /x/https_edge a: the service returned {NO_MORE}"]),
    (EDGES[:4], [f"{QUOTA} (4 edges: a, b, c, d)"]),
    (EDGES, [f"{QUOTA} (6 edges: a, b, c and 3 more)"]),
    (
        [rejected("https_edge_route / a"), EDGES[1], rejected("x of TLS e")],
        [f"{QUOTA} (3 objects: https_edge_route / a, https_edge b, x of TLS e)"],
    ),
    (
        [EDGES[0], rejected("https_edge x", "500"), EDGES[1], rejected("https_edge y", "500")],
        [f"{QUOTA} (2 edges: a, b)", "The service returned 500 (2 edges: x, y)"],
    ),
    (two(rejected, NO_MORE, "It is closed.", kind=ROUTES), [f"{QUOTA} It is closed. (2 routes: m, n)"]),
    (two(rejected, "504", "It is closed.", kind=ROUTES), ["The service returned 504. It is closed. (2 routes: m, n)"]),
    (two(other, "host.example:1 is silent"), ["host.example:1 is silent (2 edges: m, n)"]),
    (two(unsupported, kind=ROUTES), ["Not possible (the service returned 404). (2 routes: m, n)"]),
    (
        [rejected("https_edge x", "403"), AFTER_ANOTHER, rejected("https_edge y", "403")],
        [
            "The service returned 403 (2 edges: x, y)",
            "https_edge z: PATCH /x/https_edge z: the service returned 403. Already done: PUT /before.",
        ],
    ),
    (withheld(*"abc"), [f"Not changed, because {one} failed (2 edges: {one}1, {one}2)" for one in "abc"]),
    (
        withheld(*"abcd"),
        ["Withheld, because other objects failed that they wait for (8 edges: a1, a2, b1 and 5 more)"],
    ),
]


@pytest.mark.parametrize(("errors", "lines"), CASES, ids=[" | ".join(lines) for _errors, lines in CASES])
def test_what_failed_for_the_same_reason_is_one_line(errors: Sequence[ObjectFailed], lines: list[str]) -> None:
    assert failure_message(errors, 360, "as declared").split("\n- ")[1:] == lines


HEADS = {
    6: "6 of 6 objects failed.",
    7: "6 of 7 objects failed; the other one is as declared.",
    360: "6 of 360 objects failed; the other 354 are as declared.",
}


def test_the_first_line_counts_objects_and_the_last_one_further_causes() -> None:
    assert {number: failure_message(EDGES, number, "as declared").splitlines()[0] for number in HEADS} == HEADS
    errors = [rejected("https_edge a", str(status)) for status in range(400, 430) for _again in range(2)]
    lines = failure_message(errors, 60, "as declared").splitlines()
    assert len(lines) == 22
    assert lines[-1] == "- and 20 more; see `failures` in the result"


def invalid(number: int, length: int = 30) -> InvalidOptions:
    return InvalidOptions(OptionError(f"https_edges[{one}]", "x" * length) for one in range(number))


@pytest.mark.parametrize("number", [2, 50, 1000])
def test_a_message_is_short_and_counts_what_it_does_not_show(number: int) -> None:
    error = invalid(number)
    head, *lines = error.full_message().split("\n- ")
    assert head == f"{number} option errors; nothing was changed."
    shown = [line for line in lines if line.startswith("https_edges[")]
    assert shown == error.option_errors[: len(shown)]
    rest = f"and {number - len(shown)} more, which are displayed once these are fixed"
    assert lines[len(shown) :] == [rest] * (len(shown) < number)
    assert len(shown) == number if number <= 50 else len(shown) > 50
    assert len(error.full_message()) < 6000
    # At least one error is shown.
    lines = invalid(2, length=9000).full_message().split("\n- ")
    assert [len(line) > 9000 for line in lines] == [False, True, False]


def test_a_result_that_lists_them_all_is_short_as_well(tmp_path: Path) -> None:
    accounts = [{"hostports": [f"h{number}.example.com:443"], "routes": []} for number in range(1000)]
    result = run(tmp_path, accounts=accounts)
    assert result["failed"]
    assert len(str(result)) < 10_100
    assert result["omitted"]["option_errors"] >= 1000


SMALL = {"failed": True, "msg": "no", "plan_digest": "d", "operations": [{"path": "/"}]}


def members(number: int) -> list[dict[str, Any]]:
    return [{"object": "x" * 100} for _number in range(number)]


def test_a_long_result_loses_its_longest_lists_first() -> None:
    short = {**SMALL, "plan": members(10), "diff": members(10_000)}
    assert without_longest_lists(short) == short
    result = {**SMALL, "undeclared": members(1000), "https_edges": members(500), "not_examined": members(2)}
    short = without_longest_lists(result)
    left = {"not_examined": result["not_examined"], "omitted": {"undeclared": 1000, "https_edges": 500}}
    assert short == {**SMALL, **left}
    assert len(json.dumps(short)) <= PRINTED


def test_an_error_about_a_whole_task_begins_with_its_text() -> None:
    assert str(OptionError("", "nothing to do")) == "nothing to do"
