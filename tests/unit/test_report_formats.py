# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of reports: valid, the same for the same input, free of secrets, and what platforms need to show them."""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from test_report_task import run

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.concealment import concealed
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.wording import titled
from estates_to_judge import estate, route
from hostile_strings import HOSTILE
from page_elements import parsed, rendered, text_of
from report_accounts import CANARIES, EXPECTED, HEADER_CANARY, SECRET_CANARY, UGLY, accounts, bank, shop
from report_formats import MOST_RESULTS, assert_code_scanning_accepts, junit_problems, sarif_problems, written

REPORT = written(accounts(), EXPECTED)


def accepted(account: dict[str, Any]) -> dict[str, Any]:
    """The account with its exposure, whose first finding is accepted."""
    judged = copy.deepcopy(with_exposure(account))
    judged["exposure"]["findings"][0]["accepted"] = {"reason": "A campaign", "until": "2027-01-31"}
    return judged


FORM = ("kind", "action", "match_type", "severity", "requires", "state", "access", "secret")
OPEN = ("add", "labels", "declaration", "fix_options")
SETTINGS = {
    "policy": {"inbound": [{"name": "x", "expressions": ["x"], "actions": [{"type": "x"}]}]},
    "saml": {"idp_metadata": "x", "authorized_groups": ["x"], "nameid_format": "x"},
    "oidc": {"issuer": "x", "client_id": "x", "scopes": ["x"]},
    "user_agent_filter": {"allow": ["x"], "deny": ["x"]},
}


def replaced(value: Any, text: str, name: str = "") -> Any:
    """The value with this text for each string that gives it no form, and for names that anybody can choose."""
    if isinstance(value, list):
        return [replaced(member, text, name) for member in value]
    if isinstance(value, dict):
        return {text: text} if name in OPEN else {key: replaced(one, text, key) for key, one in value.items()}
    return text if isinstance(value, str) and name not in FORM else value


def hostile(text: str) -> dict[str, Any]:
    """An account with this string in every field that can contain one."""
    account = {**shop(), "error": "x"}
    account["estate"]["https_edges"][0]["routes"].append({**route("/x"), "metadata": "x", **SETTINGS})
    account["plan"]["failures"] = [{"object": "x", "msg": "x"}]
    return dict(replaced(accepted(account), text))


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_accounts_result_in_the_same_bytes(name: str) -> None:
    again = written(reversed(accounts()), reversed(EXPECTED))
    assert again[name] == REPORT[name]
    assert REPORT[name].endswith("\n")


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("canary", CANARIES)
def test_no_secret_and_no_header_value_is_in_a_report(name: str, canary: str) -> None:
    assert canary in json.dumps(accounts())
    assert canary not in REPORT[name]


def test_a_header_value_that_changes_is_shown_as_new() -> None:
    rows = [change["after"] for change in concealed(shop())["plan"]["plan"] if "checkout" in change["object"]]
    assert rows[0]["request_headers"]["add"] == {"x-key": "******** (a new value)"}


def test_a_secret_is_masked_in_declarations_and_in_other_strings_of_its_account() -> None:
    account = shop()
    config = {"headers": {"x": HEADER_CANARY}, "token": "token-canary", "password": "x-jwt"}
    policy = {"inbound": [{"actions": [{"type": "jwt", "config": config}]}]}
    kinds = {"request_headers": {"add": {"x": HEADER_CANARY}}, "policy": policy}
    account["plan"]["undeclared"] = [{"kind": kind, "declaration": one} for kind, one in kinds.items()]
    account["estate"]["https_edges"][0]["description"] = f"uses {SECRET_CANARY} and x-jwt"
    account["estate"]["https_edges"][0]["routes"][0]["policy"] = policy
    found = concealed(account)
    assert not any(canary in json.dumps(found) for canary in (*CANARIES, "token-canary"))
    assert concealed(found) == found
    # A short value in a policy is masked there, and may be a word elsewhere.
    assert found["estate"]["https_edges"][0]["description"] == "uses ******** and x-jwt"
    headers, other = (one["declaration"] for one in found["plan"]["undeclared"])
    assert headers == {"add": {"x": "********"}}
    masked = {"headers": {"x": "********"}, "token": "********", "password": "********"}
    assert other["inbound"][0]["actions"][0]["config"] == masked


QUOTED = f'The value "{HEADER_CANARY}" is not allowed.'
WITH_HEADER = estate(f"/ adds=x-key:{HEADER_CANARY}")
PLANNED = {"plan": [], "failed": True}
JUDGED = {"exposure": [], "findings": [], "not_judged": []}
OTHERS = {"diff": {"after": QUOTED}, "invocation": {"module_args": {"x": HEADER_CANARY}}}
PAGE = {"name": "page", "collection": "backends/http_response", "body": {"headers": {"x-key": HEADER_CANARY}}}
POLICY = {"on_http_request": [{"actions": [{"config": {"headers": {"x-key": HEADER_CANARY}}}]}]}
ENDPOINT = {"collection": "endpoints", "find_by": {}, "body": {"traffic_policy": json.dumps(POLICY)}}
CREATED = {"object": "endpoint e", "kind": "object", "action": "create", "changes": [], "after": ENDPOINT["body"]}


@pytest.mark.parametrize(
    "parts",
    [
        {"error": QUOTED},
        {"plan": {**PLANNED, "msg": QUOTED, "failures": [{"object": "o", "msg": QUOTED, "error": {"msg": QUOTED}}]}},
        {"plan": {**PLANNED, "msg": f"{json.dumps(QUOTED)} is not allowed", "not_examined": [{"why": QUOTED}]}},
        {"plan": {**PLANNED, **OTHERS}, "exposure": {**JUDGED, **OTHERS}},
        {"estate": {**WITH_HEADER, "objects": [ENDPOINT, PAGE]}},
        {"plan": {"plan": [CREATED]}},
        {"plan": {"plan": [{**CREATED, "before": {"traffic_policy": "{}"}}]}},
    ],
)
def test_a_header_value_is_in_no_message_in_no_string_with_json_and_in_no_diff(parts: dict[str, Any]) -> None:
    account = {"name": "shop", "estate": WITH_HEADER, **parts}
    report = written([account])
    assert [name for name, text in report.items() if HEADER_CANARY in text] == []
    assert concealed(concealed(account)) == concealed(account)


def test_a_header_value_that_is_a_name_is_masked_in_messages_only() -> None:
    """Headers often contain what an account also contains elsewhere, such as a host, or the name of the account."""
    [edge] = estate("/")["https_edges"]
    added = {"x-host": "shop.example.com", "x-token": "production", "x-short": "timeout", "x-key": "production-key"}
    edge["metadata"], edge["routes"][0]["request_headers"] = '{"team":"production"}', {"add": added}
    account = {"name": "production", "estate": {"https_edges": [edge]}, "error": "timeout: no production-key"}
    found = concealed(with_exposure(account))
    assert (found["name"], found["error"]) == ("production", "timeout: no ********")
    # Each report has to contain the same of an edge, and its metadata name the owner.
    assert found["estate"]["https_edges"][0]["metadata"] == '{"team":"production"}'
    assert found["estate"]["https_edges"][0]["hostports"] == ["shop.example.com:443"]
    assert found["exposure"]["exposure"][0]["object"] == "https_edge_route path_prefix / of shop.example.com:443"


def test_every_format_says_what_is_missing() -> None:
    assert "This report is not complete" in REPORT["html"]
    assert "**This report is not complete: 2 of 4 accounts.**" in REPORT["markdown"]
    for gap in ("read: `the whole account` of `field`", "examined: `TLS edges`", "listed: `480 undeclared objects`"):
        assert f"- not {gap}" in REPORT["markdown"]
    assert "480 undeclared objects" in REPORT["html"]
    summary = json.loads(REPORT["json"])["summary"]
    assert (summary["missing"], summary["incomplete"], summary["read"]) == (["hub"], ["field"], 2)
    failures = {suite.get("name"): suite.get("failures") for suite in ET.fromstring(REPORT["junit"])}
    assert (failures["hub"], failures["field"]) == ("1", "1")
    [invocation] = json.loads(REPORT["sarif"])["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 2


def test_junit_is_valid_and_counts_what_it_contains_and_sarif_suppresses_what_is_accepted() -> None:
    report = written([accepted(shop())])
    suites = ET.fromstring(report["junit"])
    assert junit_problems(suites) == []
    [suite] = suites
    assert suite.get("tests") == str(len(suite.findall("testcase")))
    assert suite.get("failures") == str(len(suite.findall("testcase/failure"))) != "0"
    assert "Accepted: A campaign" in "".join(suite.itertext())
    [found] = json.loads(report["sarif"])["runs"]
    assert [one["suppressions"] for one in found["results"] if "suppressions" in one] == [
        [{"kind": "external", "status": "accepted", "justification": "A campaign (until 2027-01-31)"}]
    ]


def test_the_checks_of_sarif_and_junit_find_problems() -> None:
    for document in ({"version": "2.1.0", "runs": [{"results": []}]}, {"runs": []}, {"version": 1, "runs": []}):
        assert sarif_problems(document)
    suites = ET.fromstring("<testsuites><testsuite name='a'><b/></testsuite></testsuites>")
    assert len(junit_problems(suites)) == 4


def test_the_policy_of_the_page_allows_exactly_its_own_style_and_script() -> None:
    page = REPORT["html"]
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        [source] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{directive} &#39;sha256-{digest}&#39;;" in policy
    assert policy.startswith("default-src &#39;none&#39;; ")
    assert "unsafe" not in policy
    assert not re.search(r"<[^>]+\s(?:style|on\w+|src)=", page.partition("<script>")[0])


@pytest.mark.parametrize("texts", [*([text] for text in (*UGLY, "---")), [text for text in HOSTILE if text]])
def test_hostile_text_stays_text(texts: list[str]) -> None:
    report = written(map(hostile, texts), title=texts[0])
    elements = list(parsed(report["html"]).iter())
    "".join(report.values()).encode()
    assert "VALUE_SPECIFIED" not in report["html"], "the text is masked"
    assert [one.tag for one in elements if one.tag in ("script", "style")] == ["style", "script"]
    assert {one.tag for one in elements} <= {one.tag for one in parsed(REPORT["html"]).iter()}
    assert not [one for one in elements if {"style", "src", "onclick", "onerror"} & one.attrib.keys()]
    assert all(one.get("href", "#").startswith("#") for one in elements)
    sarif_text = json.dumps(json.loads(report["sarif"]), ensure_ascii=False)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x00-\x08]", "".join([*report.values(), sarif_text]))
    assert junit_problems(ET.fromstring(report["junit"])) == []
    assert sarif_problems(json.loads(report["sarif"])) == []
    tags = {one.tag for one in rendered(report["markdown"]).iter()}
    assert not tags & {"script", "style", "b", "a", "img", "strong", "em"} - {"strong"}


def test_every_format_says_what_to_do() -> None:
    """Options fix only some of the findings; for the others, only the sentence says what to do."""
    report = written([{"name": "shop", "estate": estate("/ no-backend")}])
    report["html"] = text_of(parsed(report["html"]))
    found = {name: text.replace("`", "") for name, text in report.items()}
    assert [name for name, text in found.items() if "Declare backend, or delete the route." not in text] == []


def test_markdown_has_a_limit() -> None:
    report = written([hostile(f"{number}{'y' * 300}") for number in range(60)])
    assert 50_000 < len(report["markdown"]) <= 60_000
    assert "more" in report["markdown"]


@pytest.mark.parametrize("text", ["w", "\U000e0001", "`x", "very long "])
def test_markdown_has_a_limit_if_there_are_many_rules_with_long_sentences(text: str) -> None:
    """The rules of a report that is merged are not those of this collection."""
    rules = [
        {**one, "rule": f"{number}{text * 80}", "why": text * 3000, "fix": text * 3000, "object": text * 300}
        for number, one in enumerate(equal_findings(80)["exposure"]["findings"])
    ]
    account = {"name": text * 300, "exposure": {"exposure": [], "findings": rules}}
    page = written([account], title=text * 300)["markdown"]
    assert len(page) <= 60_000
    assert page.count("### ") == 50


def test_rules_have_titles() -> None:
    titles = {"old_tls": "Old TLS", "any_user_of_idp": "Any user of identity provider"}
    assert {rule: titled(rule) for rule in titles} == titles


DECLARATION = """\
https_edges:
  - hostports: [old-shop.example.com:443]  # not shop.example.com:4430
  - hostports:
      - SHOP.example.com:443
"""


def test_results_have_the_line_of_the_hostport_in_the_declaration(tmp_path: Path) -> None:
    """A declaration that is not there has a first line: the report may be merged from jobs with other repositories."""
    (tmp_path / "play books").mkdir()
    (tmp_path / "play books" / "shop #1.yml").write_text(DECLARATION, encoding="utf-8")
    read = [{**shop(), "declaration": "play books/shop #1.yml"}, {**bank(), "declaration": "elsewhere.yml"}]
    run(tmp_path, format="sarif", accounts=[*read, {**bank(), "name": "undeclared"}])
    document = json.loads((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert sarif_problems(document) == []
    places: dict[str, set[tuple[Any, ...]]] = {"shop": set(), "bank": set(), "undeclared": set()}
    for one in document["runs"][0]["results"]:
        place = one["locations"][0].get("physicalLocation", {"artifactLocation": {}, "region": {}})
        found = "of shop.example.com:443" in one["message"]["text"]
        numbers = (place["region"].get(name) for name in ("startLine", "startColumn", "endLine", "endColumn"))
        places[one["properties"]["account"]].add((place["artifactLocation"].get("uri"), found, *numbers))
    uri = "play%20books/shop%20%231.yml"
    assert places["shop"] == {(uri, True, 4, 9, 4, 29), (uri, False, 1, 1, 1, 1)}
    assert places["bank"] == {("elsewhere.yml", False, 1, 1, 1, 1)}
    assert places["undeclared"] == {(None, False, None, None, None, None)}


def test_replicas_of_a_tunnel_are_different_tests_after_those_of_the_edges() -> None:
    """An edge that only the exposure contains is drawn after the tunnels."""
    [tunnel] = estate("tunnel: localhost:22")["tunnels"]
    replicas = [{**tunnel, "id": f"tn_{number}"} for number in range(3)]
    account = {"name": "shop", "exposure": with_exposure({"estate": estate("/")})["exposure"], "tunnels": replicas}
    names = [case.get("name") for case in ET.fromstring(written([account])["junit"]).iter("testcase")]
    tunnels = [f"tunnel {tunnel['public_url']}{more}" for more in ("", " (2)", " (3)")]
    assert names == ["https_edge_route path_prefix / of shop.example.com:443", *tunnels]


@pytest.mark.parametrize("path", ["ingress/shop.yml", "./a//b.yml", "c:shop.yml", "%41 #?.yml", "\ud800\u00fc.yml"])
def test_code_scanning_accepts_every_result(path: str) -> None:
    read = [{**one, "declaration": path} for one in accounts()]
    for title, previous in (("Night/shop", None), ("", [{**bank(), "declaration": path}])):
        document = json.loads(written(read, EXPECTED, title, previous)["sarif"])
        assert_code_scanning_accepts(document)
        assert document["runs"][0]["results"]
        assert document["runs"][0]["automationDetails"] == {"id": f"edgeops.ingress/{title}/"}
    # It would show findings with the same fingerprint as one alert.
    assert_code_scanning_accepts(json.loads(written([equal_findings(3)])["sarif"]))


def equal_findings(number: int, severity: str = "low") -> dict[str, Any]:
    """An account with as many findings that are the same, as those about edges without hostports are."""
    finding = {"rule": "old_tls", "severity": severity, "object": "https_edge x", "path": "https_edges[0]"}
    finding |= {"message": "Old.", "why": "Because. " * 200, "fix": "Do it.", "fix_options": {}, "accepted": None}
    exposure = {"exposure": [], "findings": [finding] * number, "not_judged": []}
    return {"name": f"{severity}-{number}", "declaration": "shop.yml", "exposure": exposure}


def test_a_fingerprint_outlasts_another_id_and_another_place_in_the_estate() -> None:
    estates = map(
        estate, ("/ -staff id=edghtsrt_before", "[host=first.example.org] | [host=shop.example.com] / -staff")
    )
    documents = [json.loads(written([{"name": "shop", "estate": one}])["sarif"]) for one in estates]
    before, now = ([one["partialFingerprints"] for one in each["runs"][0]["results"]] for each in documents)
    assert before == now != []


def test_too_many_results_are_shortened_to_the_most_severe() -> None:
    read = [equal_findings(MOST_RESULTS), equal_findings(2, "high")]
    document = json.loads(written(read)["sarif"])
    assert_code_scanning_accepts(document)
    [found] = document["runs"]
    assert [one["level"] for one in found["results"]].count("error") == 2
    [note] = found["invocations"][0]["toolExecutionNotifications"]
    assert note == {"level": "warning", "message": {"text": "2 findings of the lowest severity are omitted."}}
    assert found["invocations"][0]["executionSuccessful"] is True
