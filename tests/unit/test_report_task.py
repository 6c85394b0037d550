# SPDX-License-Identifier: GPL-3.0-or-later
"""The task that writes a report: its options, its file, what it says in check mode, and when accounts were read."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from ansible.parsing.dataloader import DataLoader

from ansible_collections.edgeops.ingress.plugins.action import report as action
from ansible_collections.edgeops.ingress.plugins.module_utils._exposure.finding import SEVERITIES
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS, SPEC
from collection_tree import CONTROL_NODE_MODULES
from estates_to_judge import estate
from module_examples import constants_of
from report_accounts import EXPECTED, SECRET_CANARY, Account, accounts
from report_formats import written

pytestmark = pytest.mark.every_core


def run(
    folder: Path, *, check_mode: bool = False, diff: bool = False, attempts: int = 1, **options: Any
) -> dict[str, Any]:
    """The result of one task, in a play of a playbook in this folder."""
    loader = DataLoader()
    loader.set_basedir(str(folder))
    unread = {"async_val": 0, "no_log": False, "register": None, "failed_when": [], "until": [], "_parent": None}
    args = {"dest": "report.html", **options}
    task = SimpleNamespace(action="edgeops.ingress.report", args=args, check_mode=check_mode, diff=diff, **unread)
    connection = SimpleNamespace(_shell=SimpleNamespace(tmpdir=""))
    plugin = action.ActionModule(task, connection, SimpleNamespace(check_mode=check_mode), loader, None, None)
    results: list[dict[str, Any]] = [plugin.run(task_vars={}) for _ in range(attempts)]
    result = results[-1]
    assert SECRET_CANARY not in str(result) + str(task.args)
    return result


def test_the_documented_choices_and_keys_are_those_that_there_are(tmp_path: Path) -> None:
    assert CONTROL_NODE_MODULES == ["report"]
    assert SPEC["fail_on_new"]["choices"] == list(SEVERITIES)
    results = (run(tmp_path, accounts=accounts()), run(tmp_path, no_such_option=1))
    documented = yaml.safe_load(constants_of("report")["RETURN"])
    assert set().union(*results) - {"changed", "failed", "msg"} == documented.keys()


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_report_is_written_once(tmp_path: Path, name: str) -> None:
    options: dict[str, Any] = {"accounts": accounts(), "expected_accounts": EXPECTED, "format": name}
    predicted = run(tmp_path, check_mode=True, diff=True, **options)
    assert not (tmp_path / "report.html").exists()
    first = run(tmp_path, diff=True, **options)
    written = (tmp_path / "report.html").stat()
    second = run(tmp_path, diff=True, **options)
    assert predicted == first
    assert [first["changed"], second["changed"]] == [True, False]
    assert (first["missing_accounts"], first["incomplete_accounts"]) == (["hub"], ["field"])
    assert first["diff"]["before"] == ""
    assert second["diff"]["before"] == second["diff"]["after"] == first["diff"]["after"]
    again = run(tmp_path, attempts=2, **options)  # as with `until`
    assert (again["changed"], again["missing_accounts"]) == (False, ["hub"])
    assert len(str(first["diff"])) < 500
    assert (tmp_path / "report.html").stat().st_mtime_ns == written.st_mtime_ns
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


OWNED = {"hosts": "b.*", "owner": "Ops"}
# The options of the reports that are merged, those of the merging task, and whom it names.
OWNERS: list[tuple[list[dict[str, Any]], dict[str, Any], set[str]]] = [
    ([{}], {"owner_field": "team"}, {"Web"}),
    ([{}], {"owners": [OWNED]}, {"Ops"}),
    ([{"owners": [OWNED]}], {}, {"Ops"}),
    ([{"owners": [OWNED]}, {}], {}, {"Ops"}),
    ([{"owners": [OWNED]}], {"owners": [{"hosts": "a.*", "owner": "Web"}]}, {"Ops", "Web"}),
    ([{"owners": [OWNED]}], {"owners": [{"hosts": "*", "owner": "All"}]}, {"All"}),
]


@pytest.mark.parametrize(("jobs", "options", "owners"), OWNERS)
def test_reports_of_several_jobs_are_merged_and_edges_in_them_have_owners(
    tmp_path: Path, jobs: list[dict[str, Any]], options: dict[str, Any], owners: set[str]
) -> None:
    read = estate("[host=a.example.com tls=1.0] | [host=b.example.com tls=1.0]")
    read["https_edges"][0]["metadata"] = {"team": "Web"}
    files = [f"{number}.json" for number, _job in enumerate(jobs)]
    for file, job in zip(files, jobs, strict=True):
        accounts = [{"name": "shop", "estate": read}]
        run(tmp_path, dest=file, format="json", accounts=accounts, expected_accounts=["hub"], **job)
    result = run(tmp_path, dest="all.json", format="json", merge=files, **options)
    assert (result["missing_accounts"], result["summary"]["https_edges"]) == (["hub"], 2)
    [found] = json.loads((tmp_path / "all.json").read_text())["accounts"]
    assert {one["owner"] for one in found["exposure"]["findings"] if one.get("owner")} == owners


def test_a_file_keeps_its_permissions_and_a_link_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "real.html"
    real.write_text("old")
    real.chmod(0o640)
    owner = (12345, 23456) if os.geteuid() == 0 else (os.geteuid(), os.getegid())  # only root can give files away
    os.chown(real, *owner)
    (tmp_path / "report.html").symlink_to(real)
    run(tmp_path, accounts=accounts())
    assert (tmp_path / "report.html").is_symlink()
    found = real.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o640, *owner)
    assert real.read_bytes().startswith(b"<!doctype html>")


def test_a_task_that_is_interrupted_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_handle: int) -> None:
        raise RuntimeError("the timeout of the task")

    monkeypatch.setattr(os, "fsync", interrupted)
    assert run(tmp_path, accounts=accounts())["failed"] is True
    assert list(tmp_path.iterdir()) == []


def test_only_files_are_replaced_and_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for options in ({"dest": "pipe"}, {"dest": "pipe", "check_mode": True}, {"merge": ["pipe"]}):
        result = run(tmp_path, expected_accounts=["a"], **options)
        assert "pipe is a device, a pipe, or a socket; expected the path of a file" in result["msg"]
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    assert pipe.is_fifo()


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        run(tmp_path, accounts=accounts())
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "report.html").stat().st_mode) == 0o640


DICTIONARIES = "expected a list of dictionaries, got"
ONE, NOTHING = {"name": "a"}, {"expected_accounts": ["a"]}
LOST = [{"estate": []}, {"name": ""}, {**ONE, "error": {}}, {**ONE, "plan": {}}]
TWICE = {**ONE, "estate": {"estate": {"x": 1}, "changed": False}, "tunnels": {}}
INSIDE = {**ONE, "estate": {"https_edges": [{"routes": {}}, 1]}, "exposure": {"skipped": True}}
A_DICTIONARY, AN_ESTATE = "expected a dictionary, got", "expected what estate_info returns as `estate`, got"
OUTSIDE = ("/etc/shop.yml", "../shop.yml", "a/../../b.yml")
# The options, and how each of the errors starts.
WRONG: list[tuple[Any, ...]] = [
    ({}, "accounts: nothing to report; set accounts, merge, or expected_accounts"),
    ({"acounts": [ONE]}, "acounts: unknown option; did you mean `accounts`?", "accounts: nothing to report"),
    ({"format": "pdf", **NOTHING}, "format: 'pdf' is not allowed; expected html, markdown, json, junit, or sarif"),
    (
        {"accounts": LOST},
        "accounts[0].name: required",
        "accounts[2].error: expected a string, got a dictionary",
        f"accounts[0].estate: {A_DICTIONARY} a list",
        "accounts[1].name: expected the name of an account, got an empty string",
        "accounts[3].name: 'a' is also the name of accounts[2]; each account can be listed once",
        "accounts[3].plan: expected the result of estate, with a list `plan`, got another dictionary",
    ),
    (
        {"accounts": [TWICE]},
        f"accounts[0].estate.estate: {AN_ESTATE} another dictionary",
        f"accounts[0].tunnels: {DICTIONARIES} a dictionary",
    ),
    (
        {"accounts": [INSIDE]},
        f"accounts[0].estate.https_edges[1]: {A_DICTIONARY} a number",
        f"accounts[0].estate.https_edges[0].routes: {DICTIONARIES} a dictionary",
        "accounts[0].exposure: expected the result of exposure_info, with a list `exposure`, got the result of",
    ),
    *(({"accounts": [{**ONE, "declaration": path}]}, "accounts[0].declaration: expected a path") for path in OUTSIDE),
    ({"merge": ["none.json"]}, "merge[0]: "),
    ({"accounts": [{"name": 1}, {"name": "1"}]}, "accounts[1].name: '1' is also the name of accounts[0]"),
    ({"accounts": '{"name": "shop"}'}, f"accounts: {DICTIONARIES} a string"),
    ({"accounts": ["name=shop"]}, f"accounts[0]: {A_DICTIONARY} a string"),
    ({**NOTHING, "dest": "none/report.html"}, "dest: the directory "),
    ({**NOTHING, "dest": "."}, "dest: "),
    ({"accounts": [{**ONE, "estate": {"skipped": True}}]}, f"accounts[0].estate: {AN_ESTATE} the result of a task"),
    ({"accounts": [{**ONE, "estate": {"results": []}}]}, f"accounts[0].estate: {AN_ESTATE} another dictionary"),
    ({**NOTHING, "previous": "."}, "previous: /"),
    ({**NOTHING, "previous": __file__}, "previous: expected a report that was written with `format: json`, got a"),
    ({**NOTHING, "fail_on_new": "low"}, "fail_on_new: requires previous, the report to compare wi"),
    *(
        ({**NOTHING, "dest": "a.json", "previous": path}, "previous: is also `dest`, so the next run would compare the")
        for path in ("a.json", "./a.json", "b/../a.json")
    ),
    ({"expected_accounts": ["a", ""]}, "expected_accounts[1]: expected the name of an account, got an empty string"),
]


@pytest.mark.parametrize("case", WRONG)
def test_bad_options_are_reported_together(tmp_path: Path, case: tuple[Any, ...]) -> None:
    options, *starts = case
    result = run(tmp_path, **options)
    assert result["failed"] is True
    assert [one[: len(start)] for one, start in zip(result["option_errors"], starts, strict=True)] == starts
    assert run(tmp_path, check_mode=True, **options).get("option_errors") == result["option_errors"]
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_report_is_not_the_new_one_by_a_link(tmp_path: Path) -> None:
    run(tmp_path, dest="a.json", format="json", accounts=[ONE])
    (tmp_path / "link.json").symlink_to("a.json")
    result = run(tmp_path, dest="a.json", format="json", accounts=[ONE], previous="link.json")
    assert [one.partition(",")[0] for one in result.get("option_errors", ())] == ["previous: is also `dest`"]


def test_reports_are_read_as_utf_8(tmp_path: Path) -> None:
    run(tmp_path, dest="a.json", format="json", accounts=[ONE])
    content = (tmp_path / "a.json").read_bytes()
    (tmp_path / "marked.json").write_bytes(b"\xef\xbb\xbf" + content)
    result = run(tmp_path, previous="marked.json", merge=["marked.json"])
    assert "failed" not in result, result
    (tmp_path / "latin.json").write_bytes(content.replace(b'"a"', b'"\xe4"'))
    for option, path in (("previous", "latin.json"), ("merge", ["latin.json"])):
        [error] = run(tmp_path, **{**NOTHING, option: path})["option_errors"]
        expected = f"{tmp_path}/latin.json is not UTF-8; expected a report that was written with `format: json`"
        assert error.partition(": ")[2] == expected


@pytest.mark.parametrize(("plan", "kind"), [({}, "not planned"), ({"plan": []}, "not executed")])
def test_a_task_that_failed_is_shown(plan: dict[str, Any], kind: str) -> None:
    failed = {**plan, "failed": True, "msg": "GET /edges/https: timed out"}
    report = written([{"name": "a", "estate": {}, "plan": failed}])
    assert f"{kind}: `the whole account` of `a`: `GET /edges/https: timed out`" in report["markdown"]
    assert "Not everything was planned or executed: 1 failure." in report["markdown"]
    page = report["html"]
    assert page.index("1 failure: not everything was planned or executed") < page.index('id="findings"')


EARLY, LATE, GIVEN = "2026-01-31T12:00:00Z", "2026-01-31T12:00:09Z", "2026-02-01T00:00:00Z"
ESTATE = estate("/")
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
def test_every_format_says_when_an_account_was_read(parts: Account, expected: str | None) -> None:
    report = written([{"name": "shop", **parts}])
    [account] = json.loads(report["json"])["accounts"]
    assert (account["estate"], account.get("collected_at")) == (ESTATE, expected)
    assert [name for name, text in report.items() if (expected or "") not in text] == []


def with_time(time: str, *others: Account, **parts: str) -> list[Account]:
    """Accounts without findings, and without anything that is counted, which were read at this time."""
    quiet = estate("events: ip_policy_created.v0 api_key_created.v0") | {"https_edges": []}
    shop = {"name": "shop", "estate": quiet, "tunnels": [], "collected_at": time}
    return [{**shop, **parts}, {**shop, "name": "bank"}, *others]


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_a_report_that_differs_only_in_time_is_written_and_not_changed(
    tmp_path: Path, name: str, check_mode: bool
) -> None:
    options: dict[str, Any] = {"dest": "report", "format": name, "title": "Night"}
    wiki = {"name": "wiki", "estate": estate("[tls=1.0]")}
    assert run(tmp_path, accounts=with_time(EARLY, wiki, declaration="shop.yml"), **options)["changed"]
    first = (tmp_path / "report").read_bytes()
    now = with_time(LATE, wiki, declaration="shop.yml")
    again = run(tmp_path, accounts=now, check_mode=check_mode, diff=True, **options)
    assert again["changed"] is False
    assert again["diff"]["before"] == again["diff"]["after"]
    assert ((tmp_path / "report").read_bytes() == first) == check_mode
    for other in (
        now[:2],
        now[::2],
        [*now[:2], {**wiki, "estate": ESTATE}],
        [*now[:2], {**wiki, "collected_at": LATE}],
    ):
        assert run(tmp_path, accounts=other, check_mode=True, **options)["changed"], other
    # The other formats show where an account is declared only with findings.
    assert run(tmp_path, accounts=with_time(LATE, wiki), check_mode=True, **options)["changed"] is (name == "json")
