# SPDX-License-Identifier: GPL-3.0-or-later
"""When the accounts of a report were read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_report_task import run

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from report_accounts import Account, edge, route
from report_formats import written

EARLY, LATE, GIVEN = "2026-01-31T12:00:00Z", "2026-01-31T12:00:09Z", "2026-02-01T00:00:00Z"
ESTATE = {"https_edges": [edge("a.example.com", route("/", "shop"))]}
READ = {"estate": ESTATE, "collected_at": LATE, "tls_edges_not_found": [], "retries": 0}
JUDGED = {**with_exposure({"estate": ESTATE})["exposure"], "collected_at": EARLY}


TIMES: list[tuple[Account, str | None]] = [
    ({"estate": READ}, LATE),
    ({"estate": READ, "exposure": JUDGED}, EARLY),
    ({"estate": ESTATE, "exposure": JUDGED}, EARLY),
    ({"estate": READ, "exposure": JUDGED, "collected_at": GIVEN}, GIVEN),
    ({"estate": READ, "collected_at": ""}, LATE),
    ({"estate": {**READ, "collected_at": 7}}, None),
    ({"estate": ESTATE}, None),
]


@pytest.mark.parametrize(("parts", "expected"), TIMES)
def test_results_say_when_an_account_was_read(parts: Account, expected: str | None) -> None:
    [account] = json.loads(written([{"name": "shop", **parts}])["json"])["accounts"]
    assert account.get("collected_at") == expected


def test_every_format_says_when_an_account_was_read_whatever_says_so() -> None:
    report = written([{"name": "shop", "estate": READ}])
    assert [name for name, text in report.items() if LATE not in text] == []
    assert report == written([{"name": "shop", "collected_at": LATE, "estate": ESTATE}])


def test_parts_of_an_account_are_as_old_as_the_oldest_of_them() -> None:
    older, newer = ({"name": "shop", "estate": ESTATE, "collected_at": time} for time in (EARLY, LATE))
    for given in ([older, newer], [newer, older]):
        [found] = json.loads(written(given)["json"])["accounts"]
        assert found["collected_at"] == EARLY


OLD_TLS = {"https_edges": [{**edge("b.example.com"), "tls_termination": {"min_version": "1.0"}}]}


def read_at(time: str) -> list[Account]:
    """Two accounts that were read at this time, and one of which that is not known."""
    estate = {**READ, "collected_at": time}
    return [{"name": "shop", "estate": estate}, {"name": "bank", "estate": estate}, {"name": "wiki", "estate": OLD_TLS}]


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_a_report_that_differs_only_in_time_is_written_and_not_changed(
    tmp_path: Path, name: str, check_mode: bool
) -> None:
    options: dict[str, Any] = {"dest": "report", "format": name, "title": "Night"}
    assert run(tmp_path, accounts=read_at(EARLY), **options)["changed"]
    first = (tmp_path / "report").read_bytes()
    again = run(tmp_path, accounts=read_at(LATE), check_mode=check_mode, diff=True, **options)
    assert again["changed"] is False
    assert again["diff"]["before"] == again["diff"]["after"]
    assert ((tmp_path / "report").read_bytes() == first) == check_mode
    for other in (
        read_at(LATE)[:2],
        [*read_at(LATE)[:2], {"name": "wiki", "estate": ESTATE}],
        [*read_at(LATE)[:2], {"name": "wiki", "estate": OLD_TLS, "collected_at": LATE}],
    ):
        assert run(tmp_path, accounts=other, check_mode=True, **options)["changed"], other
