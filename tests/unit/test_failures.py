# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures with the same cause are one line."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._applying.failures import failure_message
from ansible_collections.edgeops.ingress.plugins.module_utils._errors import IngressError, NotOffered, NotThere, Refused

pytestmark = pytest.mark.every_python


def refused(subject: str, said: str = "403 ERR_QUOTA: No more.", meanwhile: str = "") -> IngressError:
    error = Refused(f"PATCH /x/{subject}: the service answered {said}", "PATCH", f"/x/{subject}", 403)
    error.subject, error.meanwhile = subject, meanwhile
    return error


def other(subject: str, said: str) -> IngressError:
    error = Refused(f"PATCH /x/{subject}: {said}", "PATCH", f"/x/{subject}")
    error.subject = subject
    return error


def not_offered(subject: str) -> IngressError:
    cause = NotThere(f"DELETE /x/{subject}: the service answered 404", "DELETE", f"/x/{subject}", 404)
    error = NotOffered(f"This is not offered ({cause}).")
    error.subject, error.__cause__ = subject, cause
    return error


def after(error: IngressError) -> IngressError:
    error.done = [{"method": "PUT", "path": "/before"}]
    return error


EDGES = [refused(f"https_edge {name}") for name in "abcdef"]
CASES: list[tuple[Sequence[IngressError], list[str]]] = [
    (EDGES[:1], ["https_edge a: PATCH /x/https_edge a: the service answered 403 ERR_QUOTA: No more."]),
    (EDGES[:2], ["The service answered 403 ERR_QUOTA: No more. (2 edges: a, b)"]),
    (EDGES[:4], ["The service answered 403 ERR_QUOTA: No more. (4 edges: a, b, c, d)"]),
    (EDGES, ["The service answered 403 ERR_QUOTA: No more. (6 edges: a, b, c and 3 more)"]),
    (
        [refused("https_edge_route / a"), EDGES[1], refused("x of TLS e")],
        ["The service answered 403 ERR_QUOTA: No more. (3 objects: https_edge_route / a, https_edge b, x of TLS e)"],
    ),
    (
        [EDGES[0], refused("https_edge x", "500"), EDGES[1], refused("https_edge y", "500")],
        ["The service answered 403 ERR_QUOTA: No more. (2 edges: a, b)", "The service answered 500 (2 edges: x, y)"],
    ),
    (
        [
            refused("https_edge_route m", meanwhile="It is closed."),
            refused("https_edge_route n", meanwhile="It is closed."),
        ],
        ["The service answered 403 ERR_QUOTA: No more. It is closed. (2 routes: m, n)"],
    ),
    (
        [refused("https_edge_route m", "504", "It is closed."), refused("https_edge_route n", "504", "It is closed.")],
        ["The service answered 504. It is closed. (2 routes: m, n)"],
    ),
    (
        [other("https_edge m", "base_url leads away."), other("https_edge n", "base_url leads away.")],
        ["base_url leads away. (2 edges: m, n)"],
    ),
    (
        [other("https_edge m", "host.example:1 is silent"), other("https_edge n", "host.example:1 is silent")],
        ["host.example:1 is silent (2 edges: m, n)"],
    ),
    (
        [not_offered("https_edge_route m"), not_offered("https_edge_route n")],
        ["This is not offered (the service answered 404). (2 routes: m, n)"],
    ),
    (
        [refused("https_edge x", "403"), after(refused("https_edge z", "403")), refused("https_edge y", "403")],
        [
            "The service answered 403 (2 edges: x, y)",
            "https_edge z: PATCH /x/https_edge z: the service answered 403. Before that, this was done: PUT /before.",
        ],
    ),
]


@pytest.mark.parametrize(("errors", "lines"), CASES, ids=[" | ".join(lines) for _errors, lines in CASES])
def test_what_failed_for_the_same_reason_is_one_line(errors: Sequence[IngressError], lines: list[str]) -> None:
    assert failure_message(errors, 360, "as declared").split("\n- ")[1:] == lines


@pytest.mark.parametrize(
    ("number", "head"),
    [
        (6, "6 of 6 objects failed."),
        (7, "6 of 7 objects failed; the other one is as declared."),
        (360, "6 of 360 objects failed; the other 354 are as declared."),
    ],
)
def test_the_first_line_counts(number: int, head: str) -> None:
    assert failure_message(EDGES, number, "as declared").splitlines()[0] == head


def test_many_causes_are_counted() -> None:
    errors = [refused("https_edge a", str(status)) for status in range(400, 430) for _again in range(2)]
    lines = failure_message(errors, 60, "as declared").splitlines()
    assert len(lines) == 22
    assert lines[-1] == "- and 20 more, which the result has under failures"
