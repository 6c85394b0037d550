# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kind of field: what it takes, what it reads, what it sends, and what it holds for the same."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.edgeops.ingress.plugins.module_utils._errors import SecretNeeded, UnexpectedType
from ansible_collections.edgeops.ingress.plugins.module_utils._model.named_strings import (
    Headers,
    Metadata,
    Secret,
    string_map_in,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.references import (
    OnlyRead,
    Reference,
    References,
    ref_in,
    refs_in,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.traffic_rules import Rules
from ansible_collections.edgeops.ingress.plugins.module_utils._values.hostports import Hostports, hostport_errors
from ansible_collections.edgeops.ingress.plugins.module_utils._values.kinds import (
    MASK,
    Boolean,
    Fraction,
    Integer,
    Kind,
    Mark,
    StringSet,
    Text,
    TextOfFile,
)
from hostport_samples import FINE, WRONG, WRONG_IN_TASKS

pytestmark = pytest.mark.every_core

KEEP, UNKNOWN = Mark.KEEP, Mark.UNKNOWN
Rows = list[tuple[Any, ...]]
FOLDED = StringSet(fold=True)
REF_A, REF_B = {"id": "a", "uri": "https://x/a"}, {"id": "b", "uri": ""}

ACTION, LOG = {"type": "deny", "config": {"status": 403}}, {"type": "log"}
RULE = {"name": "r", "expressions": ["a", "b"], "actions": [ACTION]}


def config(**settings: Any) -> dict[str, Any]:
    """A rule with an action that has these settings."""
    return {"actions": {"config": settings}}


# One rule or a list of them, in an order that means something: what is the same, and what is not.
SAME_RULES: Rows = [
    (RULE, [RULE]),
    ({**RULE, "actions": ACTION}, RULE),
    ({**RULE, "id": 7, "actions": [{**ACTION, "id": 8}]}, RULE),
    ({"name": "r", "expressions": None, "actions": None}, {"name": "r"}),
    ({"actions": {"type": "a", "config": None}}, {"actions": [{"type": "a", "config": {}}]}),
    ({"actions": {"type": "a", "config": {"x": None, "y": [], "z": ""}}}, {"actions": {"type": "a"}}),
    (config(b=1, a=2), config(a=2, b=1)),
    (config(x=1.0), config(x=1)),
    *((nothing, []) for nothing in (None, {}, [{}])),
    ([{}, RULE], [RULE]),
]
OTHER_RULES: Rows = [
    ([RULE, {"name": "s"}], [{"name": "s"}, RULE]),
    ({**RULE, "expressions": ["b", "a"]}, RULE),
    ({**RULE, "actions": [ACTION, LOG]}, {**RULE, "actions": [LOG, ACTION]}),
    ([RULE, RULE], [RULE]),
    *((config(x=value), config()) for value in (0, False)),
    *((config(x=value), config(x=number)) for value, number in ((False, 0), (True, 1), ("1", 1))),
    (config(x=["a", "b"]), config(x=["b", "a"])),
    ([RULE], []),
]
BOTH_WAYS = [*SAME_RULES, *((given, wire) for wire, given in SAME_RULES)]
NO_RULES = ["deny", ["deny"], {"actions": "deny"}, {"actions": [5]}, {"expressions": "x"}]

WEAK_SECRETS = ["x", "xxxx", "...", "secret", "[hidden]", "<redacted>", "█████", "**", "secretive*", "*•*", "a***b***c"]

HOSTPORTS = {
    # One form of each, and others that are the same.
    "xn--bcher-kva.example:443": ["bücher.example:443", "BÜCHER.Example:443", "XN--BCHER-KVA.example:443"],
    "xn--bcher-kva.example": ["bu\u0308cher.example", "bücher。example"],
    "xn--r8jz45g.xn--zckzah:8443": ["例え.テスト:8443"],
    "*.xn--bcher-kva.example:1": ["*.bücher.example:1"],
    # The older IDNA writes these as two s and as the sigma below. Today they are names of their own.
    "xn--fa-hia.example:443": ["faß.example:443", "FAẞ.example:443"],
    "fass.example:443": ["FASS.example:443"],
    "xn--4xa.example": ["\u03c3.example", "\u03a3.example"],
    "xn--3xa.example": ["ς.example"],
    "xn--pxavbq.example": ["\u039f\u0394\u039f\u03a3.example"],
    # What is not a name of the DNS is compared as text.
    "xn--tda..example:443": ["Ü..example:443"],
    "ü" * 64: ["Ü" * 64],
    "\ud800": ["\ud800"],
    "a_b.example:port": ["A_b.example:PORT"],
    "[::1]:443": ["[::1]:443"],
    "": [""],
}


def rows(*of_kinds: tuple[Kind, Rows]) -> list[tuple[Any, ...]]:
    """Each row of each kind, with its kind."""
    return [(kind, *row) for kind, of_kind in of_kinds for row in of_kind]


NORMAL = rows(
    (Text(), [("a", "a"), ("", ""), (5, "5")]),
    (Metadata(), [({"b": 1, "a": [True, None, "é"]}, '{"a":[true,null,"é"],"b":1}'), (["b", "a"], '["b","a"]')]),
    (Metadata(), [("{ }", "{ }"), (0, "0"), ({}, ""), ([], "")]),
    (Secret(), [("s", "s"), ("", ""), (MASK, KEEP)]),
    (Boolean(), [(False, False)]),
    (StringSet(), [(["b", "a", "b"], ["a", "b"]), (["B", "b"], ["B", "b"]), ([], [])]),
    (FOLDED, [(["B", "b", "A"], ["a", "b"])]),
    (Headers(), [({"X-B": 1, "x-A": "V"}, {"x-a": "V", "x-b": "1"}), ({1: "a", "b": 2.5}, {"1": "a", "b": "2.5"})]),
    (Headers(), [({}, {})]),
    (References(of="an IP policy"), [(["ipp_b", "ipp_a", "ipp_b"], ["ipp_a", "ipp_b"])]),
    (Hostports(), [([one, *others, one], [one]) for one, others in HOSTPORTS.items()]),
)


@pytest.mark.parametrize(("kind", "given", "normal"), NORMAL)
def test_values_are_normalized_once(kind: Kind, given: Any, normal: Any) -> None:
    assert kind.normal(given) == normal
    assert normal is KEEP or kind.normal(normal) == normal


READ = rows(
    (Text(), [("a", "a"), (None, "")]),
    (Secret(), [("s", "s"), *((hidden, UNKNOWN) for hidden in (None, "", "********", "***", "••••••"))]),
    (Secret(), [(weak, weak) for weak in WEAK_SECRETS]),
    (Boolean(), [(None, None), (False, False)]),
    (Integer(), [(5, 5), (5.0, 5), (None, None)]),
    (Fraction(), [(0.5, 0.5), (1, 1)]),
    (StringSet(), [(None, []), (["b", "a"], ["a", "b"])]),
    (FOLDED, [(["B", "A"], ["a", "b"])]),
    (References(), [([REF_B, REF_A], ["a", "b"]), (None, []), (REF_A, ["a"]), ({}, []), ({"id": ""}, [])]),
    (References(), [(["b", "a"], ["a", "b"])]),
    (Reference(), [(REF_A, "a"), ([REF_A], "a"), ([], ""), (None, "")]),
    (Headers(), [({"X-A": "v"}, {"x-a": "v"}), (None, {}), ({"Cookie": None, "X-A": None}, {"cookie": UNKNOWN})]),
    (Headers(), [({"Cookie": hidden}, {"cookie": UNKNOWN}) for hidden in ("", MASK, "•••")]),
    (OnlyRead(ref_in), [(REF_A, REF_A), (None, None), ({}, None)]),
    (OnlyRead(refs_in), [(REF_A, [REF_A]), ([REF_A, REF_B], [REF_A, REF_B]), (None, [])]),
    (OnlyRead(string_map_in), [(None, {}), ({"a": "b"}, {"a": "b"})]),
)


@pytest.mark.parametrize(("kind", "wire", "normal"), READ)
def test_values_are_read_from_the_service(kind: Kind, wire: Any, normal: Any) -> None:
    assert kind.read(wire, "x") == normal


OF_OTHER_TYPES = rows(
    (Text(), [(5,), ([],)]),
    (Secret(), [({"a": 1},)]),
    (Boolean(), [("true",), (1,)]),
    (Integer(), [(True,), ("5",)]),
    (StringSet(), [("a",), ([1],), ({"a": 1},)]),
    (References(), [(5,), ([{"uri": "x"}],)]),
    (Reference(), [({"id": 5},)]),
    (Headers(), [(["a"],), ({"a": 1},)]),
    (OnlyRead(string_map_in), [({"a": 1},), ([],)]),
    (Rules(), [(wire,) for wire in NO_RULES]),
)


@pytest.mark.parametrize(("kind", "wire"), OF_OTHER_TYPES)
def test_a_response_of_another_type_is_reported_with_its_path(kind: Kind, wire: Any) -> None:
    with pytest.raises(UnexpectedType, match=r"\(some\.path[.\w\[\]]*: expected a"):
        kind.read(wire, "some.path")


def shown_as(text: str) -> Any:
    """A secret of which the service shows this much."""
    return Secret().read(text, "")


ONE_REF, NO_REF = References().read(REF_A, ""), References().read({}, "")
SAME = rows(
    (Text(), [("a", "a", True), ("a", "A", False), ("", "", True)]),
    (TextOfFile(), [("<x/>\n", "<x/>", True), ("<x/>", "<x/>\r\n", True), ("<x/>", "<y/>", False)]),
    (Boolean(), [(None, False, True), (None, True, False), (True, True, True)]),
    (Integer(), [(None, 0, True), (0, 0, True), (None, 1, False), (1, 1.0, True)]),
    (StringSet(), [(["a", "b"], ["a", "b"], True), (["a", "b"], ["a"], False), (["a"], ["a", "b"], False)]),
    (Secret(), [(UNKNOWN, "s", True), (UNKNOWN, "", True), ("s", "t", False)]),
    (Secret(), [(shown_as("sk_****34"), other, True) for other in ("sk_live_1234", UNKNOWN)]),
    (Secret(), [(shown_as("sk_****34"), other, False) for other in ("sk_live_1235", "sk34", "")]),
    (Secret(), [(shown_as("****1234"), "sk_live_1234", True), (shown_as("ab***bc"), "abc", False)]),
    (Secret(), [(shown_as("abc***def"), "abc***def", True), (shown_as("abc***def"), "new", False)]),
    (References(), [(ONE_REF, ["a", "b"], True), (ONE_REF, ["b"], False), (ONE_REF, [], False)]),
    (References(), [(NO_REF, ["a"], False), (NO_REF, [], True)]),
    (References(), [(References().read([REF_A], ""), ["a", "b"], False)]),
    (Headers(), [({"a": "v"}, {"a": "V"}, False), ({}, {"cookie": "x=1"}, False)]),
    (Headers(), [({"cookie": UNKNOWN, "a": one}, {"cookie": "x=1", "a": "v"}, one == "v") for one in "vw"]),
    (Rules(), [(Rules().read(wire, ""), Rules().normal(given), True) for wire, given in BOTH_WAYS]),
    (Rules(), [(Rules().read(wire, ""), Rules().normal(given), False) for wire, given in OTHER_RULES]),
)


@pytest.mark.parametrize(("kind", "have", "want", "same"), SAME)
def test_equal_values_have_no_differences(kind: Kind, have: Any, want: Any, same: bool) -> None:
    assert kind.same(have, want) is same
    assert kind.differs(have, want, "p", resend_secrets=False) == ([] if same else ["p"])
    predict = kind.predict(have, want)
    assert predict == (want if not same and want is not KEEP else predict)


def test_a_secret_that_is_not_known_differs_only_when_it_is_to_be_sent() -> None:
    cases = [(UNKNOWN, "s"), (shown_as("sk_****34"), "sk_live_1234"), (UNKNOWN, ""), ("s", "s")]
    assert [Secret().differs(*one, "p", resend_secrets=True) for one in cases] == [["p"], ["p"], [], []]
    assert [Secret().differs(*one, "p", resend_secrets=False) for one in cases[1:]] == [[], [], []]
    headers = [{"authorization": "a", "cookie": one} for one in (UNKNOWN, "b", "c")]
    found = [Headers().differs(one, headers[2], "p", is_resent) for one in headers for is_resent in (True, False)]
    assert found == [["p.cookie"], [], ["p.cookie"], ["p.cookie"], [], []]


BODY = rows(
    (Text(), [("é", "", "é")]),
    (Metadata(), [({"a": 1}, "", '{"a":1}')]),
    (StringSet(), [(["b", "a", "b"], [], ["b", "a"])]),
    (FOLDED, [(["Two", "one", "two", "ONE"], [], ["Two", "one"])]),
    (Hostports(), [(["Bücher.example:1", "xn--bcher-kva.example:1", "a:1"], [], ["Bücher.example:1", "a:1"])]),
    (References(), [(["b", "a", "a"], [], ["b", "a"])]),
    (Headers(), [({"X-A": 1, "x-b": "v"}, {}, {"X-A": "1", "x-b": "v"})]),
    (Headers(), [({"Cookie": MASK, "X-A": "w"}, {"cookie": "x=1", "x-a": "v"}, {"Cookie": "x=1", "X-A": "w"})]),
    (Secret(), [("s", UNKNOWN, "s"), ("", UNKNOWN, ""), (MASK, "old", "old")]),
    (Boolean(), [(False, True, False)]),
    (Rules(), [(given, [], given) for given in (RULE, [RULE], {**RULE, "actions": ACTION}, [])]),
)


@pytest.mark.parametrize(("kind", "given", "have", "body"), BODY)
def test_values_are_written_to_request_bodies(kind: Kind, given: Any, have: Any, body: Any) -> None:
    assert kind.body(given, have, "p") == body


def test_a_secret_that_is_not_known_is_needed() -> None:
    for have in (UNKNOWN, ""):
        with pytest.raises(SecretNeeded, match=r"^a\.secret: "):
            Secret().body(MASK, have, "a.secret")
    with pytest.raises(SecretNeeded, match=r"^add\.Cookie: "):
        Headers().body({"Cookie": MASK}, {"cookie": UNKNOWN}, "add")
    with pytest.raises(SecretNeeded, match=r"^add\.cookie: "):
        Headers().resend({"cookie": UNKNOWN}, "add")
    for text in ("", "***", "sk_****34"):
        with pytest.raises(SecretNeeded, match=r"^a\.secret: "):
            Secret().resend(shown_as(text), "a.secret")


def test_what_a_response_shows_counts_unless_it_shows_a_part_of_what_was_sent() -> None:
    partly = shown_as("****1234")
    assert [Secret().reconcile(partly, f"sk_live_{end}") for end in (1234, 5678)] == ["sk_live_1234", partly]
    assert [Integer(filled=10).reconcile(shown, 0) for shown in (10, 0)] == [10, 0]


def test_a_secret_is_never_shown() -> None:
    assert [Secret().shown(value) for value in ("s", UNKNOWN, "")] == [MASK, MASK, ""]


# The value just inside a limit, and one just outside.
LIMITS = rows(
    (Text(max_bytes=255), [("é" * 127 + "a", "é" * 128), ("a" * 255, "a" * 256)]),
    (Metadata(max_bytes=16), [({"k": "é" * 4}, {"k": "é" * 5})]),
    (Metadata(), [("true", True)]),
    (Integer(), [(2**32 - 1, 2**32), (0, -1)]),
    (Integer(minimum=1, maximum=60), [(1, 0), (60, 61)]),
    (Fraction(), [(1.0, 1.0001), (0.0, -0.0001), (0.5, float("nan"))]),
    (References(of="an IP policy"), [(["ipp_a"], ["ipp_a", "ipp"]), ([], ["ipp_"])]),
    (Headers(), [({"A": "1", "B": 2}, {"A": "1", "a": "1"}), ({"A": ""}, {"A": None})]),
)


@pytest.mark.parametrize(("kind", "inside", "outside"), LIMITS)
def test_values_outside_the_limits_are_option_errors(kind: Kind, inside: Any, outside: Any) -> None:
    assert list(kind.option_errors(inside, "a.b")) == []
    [option_error] = map(str, kind.option_errors(outside, "a.b"))
    assert option_error.startswith("a.b")


def test_only_an_invalid_hostport_is_reported_with_a_correction() -> None:
    expected = {name: [f"p: {option_error}"] for name, option_error in {**WRONG, **WRONG_IN_TASKS}.items()}
    expected |= {name: [] for name in FINE}
    assert {name: list(map(str, hostport_errors(name, "p"))) for name in expected} == expected


@given(st.text(max_size=20) | st.text(alphabet="a1:/@[].0\uff0e\uff1a\u3002\uff20\uff10\ufdfa", max_size=12))
def test_what_is_advised_is_accepted(name: str) -> None:
    for option_error in map(str, hostport_errors(name, "p")):
        advised = re.search(r"write ('[^']*')", option_error)
        if advised:
            assert list(hostport_errors(ast.literal_eval(advised[1]), "p")) == []
