# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports that were collected in parts: the order and the number of steps of merging make no difference."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amount import so_many
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.judge import judge
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report import merging
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from estates_to_judge import estate
from report_accounts import Account, shop
from report_formats import written

NAMES = st.sampled_from(["shop", "bank", "hub", "{{ x }}", "\u202e"])
PARTS = {
    "estate": {"https_edges": []},
    "exposure": {"exposure": [], "findings": []},
    "plan": {"plan": []},
    "tunnels": [{"id": "tn_x"}],
    "objects": [{"id": "bkdhr_shop", "description": "The shop"}],
}
ERRORS = st.sampled_from([None, "401", "timed out", "401; timed out"])


@st.composite
def documents(draw: st.DrawFn) -> list[str]:
    """Reports as JSON, which agree on each part of an account."""
    found = []
    for _ in range(draw(st.integers(1, 5))):
        accounts: list[dict[str, Any]] = []
        for name in draw(st.lists(NAMES, unique=True, max_size=4)):
            parts = draw(st.sets(st.sampled_from(sorted(PARTS))))
            accounts.append({"name": name, "error": draw(ERRORS), **{part: PARTS[part] for part in parts}})
        found.append(merging.collected(accounts, draw(st.sets(NAMES))).document({}))
    return found


def merged(reports: Sequence[str]) -> str:
    whole = merging.Collected()
    for text in reports:
        accounts, expected = merging.read_document(text)
        whole.expected.update(expected)
        for account in accounts:
            whole.add(account)
    return whole.document({})


@settings(max_examples=so_many(100, 1000))
@given(documents(), st.randoms(use_true_random=False), st.integers(0, 5))
def test_the_order_and_the_steps_make_no_difference(reports: list[str], random: Any, cut: int) -> None:
    in_one_step = merged(reports)
    random.shuffle(reports)
    assert merged(reports) == in_one_step
    assert merged([merged(reports[:cut]), merged(reports[cut:])]) == in_one_step
    assert merged([in_one_step, in_one_step]) == in_one_step


def test_parts_of_an_account_are_put_together() -> None:
    """The account is as old as the oldest of them."""
    early, late = "2026-01-31T12:00:00Z", "2026-01-31T12:00:09Z"
    one = {"name": "shop", "estate": {"https_edges": []}, "error": "timed out", "collected_at": late}
    other = {"name": "shop", "plan": {"plan": []}, "error": "401", "collected_at": early}
    first, second = merging.collected([one], ["hub"]).document({}), merging.collected([other], ["shop"]).document({})
    for reports in ([first, second], [second, first]):
        content = json.loads(merged(reports))
        assert content["accounts"] == [{**one, **other, "error": "401; timed out"}]
        assert content["expected_accounts"] == ["hub", "shop"]


@pytest.mark.parametrize("part", PARTS)
def test_contradictions_are_not_merged(part: str) -> None:
    whole = merging.collected([{"name": "shop", part: PARTS[part]}], [])
    whole.add({"name": "shop", part: PARTS[part]})
    with pytest.raises(merging.Conflict, match=f"the account 'shop' has another {part} in another report"):
        whole.add({"name": "shop", part: {"other": True}})


def parts(*accounts: Any, version: int = 1, **more: Any) -> str:
    return json.dumps({merging.FORMAT: version, "accounts": [*accounts], **more})


OTHERS: list[tuple[str, str]] = [
    ("<html>", "got a file that is not JSON"),
    ("[" * 100_000, "got a file that is not JSON"),
    ("{}", "got other JSON"),
    (parts(version=2), "got one of version 2; this version of the collection reads version 1"),
    (json.dumps({merging.FORMAT: 1}), "an error: accounts: required"),
    *((parts(account), "an error: accounts.0..name: ") for account in ({}, {"name": ""})),
    (parts({"name": "a", "estate": "x"}), "an error: accounts.0..estate: expected a dictionary, got a string"),
]


@pytest.mark.parametrize(("text", "message"), OTHERS, ids=range(len(OTHERS)))
def test_other_files_are_not_merged(text: str, message: str) -> None:
    with pytest.raises(ValueError, match="expected a report that was written with `format: json`, .*" + message):
        merging.read_document(text)


# The report as JSON contains no values of headers, so it does not show what the finding about one is about.
ESTATE, TUNNELS, PLAN = estate("/ adds=authorization | /"), estate("tunnel: localhost:22"), {"plan": shop()["plan"]}
GIVEN = {"exposure": [], "findings": [], "not_judged": [], "summary": {}}
# What each job knows of an account.
JOBS: list[list[Account]] = [
    [{"estate": ESTATE}, TUNNELS, PLAN],
    [{"estate": ESTATE}, {"estate": ESTATE, **TUNNELS}],
    [{"estate": ESTATE, "tunnels": []}, PLAN],
    [{"estate": ESTATE}, {"exposure": GIVEN}, TUNNELS],
]


@pytest.mark.parametrize("jobs", JOBS)
def test_the_report_of_several_jobs_is_that_of_one_job_which_knows_everything(jobs: list[Account]) -> None:
    """An exposure that is given counts. The report's own judgement is about everything that all jobs know."""
    whole: Account = {"name": "shop"}
    for job in jobs:
        whole.update(job)
    [expected] = json.loads(written([whole])["json"])["accounts"]
    rules = {one["rule"] for one in expected["exposure"]["findings"]}
    assert ("credential_in_header" in rules) == (whole.get("exposure") is None)
    assert ("service_port_in_the_open" in rules) == bool(whole.get("exposure") is None and whole["tunnels"])
    for order in permutations(written([{"name": "shop", **job}])["json"] for job in jobs):
        for cut in range(len(order)):
            reports = [merged(order[:cut]), merged(order[cut:])]
            assert json.loads(merged(reports))["accounts"] == [expected]


def test_reports_that_agree_contain_the_requirements_of_all() -> None:
    def demanding(*reasons: str) -> str:
        return written([{"name": "shop", "exposure": {**GIVEN, "summary": {"requirements": [*reasons]}}}])["json"]

    older = written([{"name": "shop", "exposure": GIVEN}])["json"]
    for order in permutations([demanding("b", "a"), demanding("c"), older]):
        [account] = json.loads(merged(order))["accounts"]
        assert account["exposure"]["summary"]["requirements"] == ["a", "b", "c"]


def test_tunnels_are_judged_on_their_own_as_with_the_estate() -> None:
    """A rule about both would find nothing in merged reports."""
    whole, own = judge(ESTATE, TUNNELS["tunnels"]).result(), with_exposure({"estate": ESTATE, **TUNNELS})["exposure"]
    assert own["summary"].pop("judged_by") == "report"
    for name in ("exposure", "findings", "summary"):
        assert own[name] == whole[name]
    assert sorted(map(str, own["not_judged"])) == sorted(map(str, whole["not_judged"]))
