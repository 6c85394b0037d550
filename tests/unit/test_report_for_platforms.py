# SPDX-License-Identifier: GPL-3.0-or-later
"""What platforms need to show findings: places in files, a version, and names of tests that are different."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from test_report_task import run

from collection_tree import CHECKOUT
from report_accounts import EXPECTED, accounts, bank, edge, route, shop
from report_formats import MOST_RESULTS, code_scanning_problems, sarif_problems, written

DECLARATION = """\
https_edges:
  - hostports: [old-shop.example.com:443]  # not shop.example.com:4430
  - hostports:
      - SHOP.example.com:443
"""


def sarif(folder: Path, **parts: Any) -> dict[str, Any]:
    """The run in the report on the shop, whose declaration is in a repository around the playbook."""
    (folder / "play books").mkdir()
    (folder / "play books" / "shop #1.yml").write_text(DECLARATION, encoding="utf-8")
    result = run(folder, format="sarif", accounts=[{**shop(), **parts}])
    assert "failed" not in result, result
    document = json.loads((folder / "report.html").read_text(encoding="utf-8"))
    assert list(sarif_problems(document)) == []
    [found] = document["runs"]
    return dict(found)


def test_results_have_the_line_of_the_hostport_in_the_declaration(tmp_path: Path) -> None:
    results = sarif(tmp_path, declaration="play books/shop #1.yml")["results"]
    places = {one["message"]["text"].partition(": ")[0]: one["locations"][0]["physicalLocation"] for one in results}
    place = places["https_edge_route path_prefix /admin of shop.example.com:443"]
    assert place["artifactLocation"] == {"uri": "play%20books/shop%20%231.yml"}
    assert place["region"] == {"startLine": 4, "startColumn": 9, "endLine": 4, "endColumn": 29}
    assert {place["region"]["startLine"] for name, place in places.items() if "of shop." not in name} == {1}


def test_a_declaration_that_is_not_there_has_a_first_line_and_without_one_there_is_no_place(tmp_path: Path) -> None:
    """The report may be merged from parts of jobs with other repositories."""
    places = [one["locations"][0] for one in sarif(tmp_path, declaration="elsewhere.yml")["results"]]
    start = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    expected = {"artifactLocation": {"uri": "elsewhere.yml"}, "region": start}
    assert all(place["physicalLocation"] == expected for place in places)
    without = json.loads(written([shop()])["sarif"])["runs"][0]["results"]
    assert not [one for one in without if "physicalLocation" in one["locations"][0]]


def test_a_declaration_is_a_part_of_the_account_in_json(tmp_path: Path) -> None:
    run(tmp_path, dest="part.json", format="json", accounts=[{**shop(), "declaration": "shop.yml"}])
    run(tmp_path, merge=["part.json"], format="sarif")
    assert '"uri": "shop.yml"' in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["/etc/shop.yml", "../shop.yml", "a/../../b.yml"])
def test_a_declaration_is_inside_of_the_repository(tmp_path: Path, path: str) -> None:
    [option_error] = run(tmp_path, accounts=[{"name": "shop", "declaration": path}])["option_errors"]
    assert option_error == f"accounts[0].declaration: expected a path inside of the repository, got {path!r}"


def test_a_run_has_a_version_and_a_category() -> None:
    document = json.loads(written([bank()], title="Night/shop")["sarif"])
    [found] = document["runs"]
    version = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text())["version"]
    assert [found["tool"]["driver"][name] for name in ("version", "semanticVersion")] == [version, version]
    assert found["automationDetails"] == {"id": "edgeops.ingress/Night/shop/"}


def test_replicas_of_a_tunnel_are_different_tests() -> None:
    tunnel = {"public_url": "tcp://1.tcp.example.net:12345", "proto": "tcp", "forwards_to": "localhost:22"}
    replicas = [{"id": f"tn_{number}", **tunnel} for number in range(3)]
    account = {"name": "shop", "estate": {"https_edges": [edge("a", route("/", "a"))]}, "tunnels": replicas}
    names = [case.get("name") for case in ET.fromstring(written([account])["junit"]).iter("testcase")]
    assert names[1:] == [f"tunnel tcp://1.tcp.example.net:12345{more}" for more in ("", " (2)", " (3)")]


@pytest.mark.parametrize("path", ["ingress/shop.yml", "./a//b.yml", "c:shop.yml", "%41 #?.yml", "\ud800\u00fc.yml"])
def test_code_scanning_accepts_every_result(path: str) -> None:
    read = [{**one, "declaration": path} for one in accounts()]
    for title, previous in (("Night/shop", None), ("", [{**bank(), "declaration": path}])):
        document = json.loads(written(read, EXPECTED, title, previous)["sarif"])
        assert list(sarif_problems(document)) == []
        assert list(code_scanning_problems(document)) == []
        assert document["runs"][0]["results"]
    # It would show findings with the same fingerprint as one alert.
    assert list(code_scanning_problems(json.loads(written([equal_findings(3)])["sarif"]))) == []


def equal_findings(number: int, severity: str = "low") -> dict[str, Any]:
    """An account with as many findings that are the same, as those about edges without hostports are."""
    finding = {"rule": "old_tls", "severity": severity, "object": "https_edge x", "path": "https_edges[0]"}
    finding |= {"message": "Old.", "why": "Because. " * 200, "fix": "Do it.", "fix_options": {}, "accepted": None}
    findings = [finding] * number
    return {
        "name": f"{severity}-{number}",
        "declaration": "shop.yml",
        "exposure": {"exposure": [], "findings": findings, "not_judged": []},
    }


def test_a_fingerprint_outlasts_another_id_and_another_place_in_the_estate() -> None:
    before, now = bank(), bank()
    before["estate"]["https_edges"][1]["routes"][1]["id"] = "edghtsrt_before"
    now["estate"]["https_edges"][1]["routes"][1]["id"] = "edghtsrt_after"
    now["estate"]["https_edges"].insert(0, edge("first.example.org"))
    [one, other] = (
        {str(each["partialFingerprints"]) for each in json.loads(written([account])["sarif"])["runs"][0]["results"]}
        for account in (before, now)
    )
    assert one == other


def test_too_many_results_are_shortened_to_the_most_severe() -> None:
    read = [equal_findings(MOST_RESULTS), equal_findings(2, "high")]
    [found] = (document := json.loads(written(read)["sarif"]))["runs"]
    assert list(code_scanning_problems(document)) == []
    assert [one["level"] for one in found["results"]].count("error") == 2
    [note] = found["invocations"][0]["toolExecutionNotifications"]
    assert note == {"level": "warning", "message": {"text": "2 findings of the lowest severity are omitted."}}
    assert found["invocations"][0]["executionSuccessful"] is True
