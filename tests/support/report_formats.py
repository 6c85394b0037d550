# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports in each format, and what the published schemas of JUnit and SARIF demand of them.

The schemas themselves are not part of this collection. These checks state the parts that a report uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import jsonschema

from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.concealment import concealed
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.judging import with_exposure
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.merging import collected
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.options import FORMATS
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report.report import Report
from ansible_collections.edgeops.ingress.plugins.plugin_utils._report_formats.task import rendered


def written(
    accounts: Iterable[Mapping[str, Any]],
    expected: Iterable[str] = (),
    title: str = "Report",
    previous: Iterable[Mapping[str, Any]] | None = None,
) -> dict[str, str]:
    found = collected([concealed(with_exposure(account)) for account in accounts], expected)
    earlier = None if previous is None else [concealed(with_exposure(account)) for account in previous]
    report = Report(title, found.ordered(), sorted(found.expected), earlier)
    return {name: rendered(report, found, name) for name in FORMATS}


# The elements of junit-10.xsd with their attributes and the elements in them, and the objects of
# sarif-schema-2.1.0.json with their properties. What has a mark is required, and what has no type is a string.
_TABLE = """
testsuites: name time tests failures errors testsuite=[testsuite]
testsuite: name! tests! failures! errors! group time skipped timestamp hostname id package
testsuite: properties=[properties] testcase=[testcase] system-out=[text] system-err=[text]
testcase: name! time classname group skipped=[reason] failure=[reason] system-out=[text] system-err=[text]
properties: property=[property]
property: name! value!
reason: type message
text:
log: $schema version! runs=[run]!
run: tool=tool! invocations=[invocation] results=[result] automationDetails=automation columnKind properties=object
tool: driver=driver!
automation: id
driver: name! version semanticVersion rules=[rule]
rule: id! shortDescription=message fullDescription=message help=message
rule: defaultConfiguration=configuration properties=object
configuration: level=none|note|warning|error
message: text!
invocation: executionSuccessful=boolean! toolExecutionNotifications=[notification]
notification: level=none|note|warning|error message=message!
result: ruleId ruleIndex=integer baselineState=new|unchanged|updated|absent level=none|note|warning|error
result: message=message! locations=[location] suppressions=[suppression] partialFingerprints=object properties=object
location: physicalLocation=physical logicalLocations=[logical]
physical: artifactLocation=artifact region=region
artifact: uri
region: startLine=integer startColumn=integer endLine=integer endColumn=integer
logical: name fullyQualifiedName kind
suppression: kind! status=accepted|underReview|rejected justification
"""
_KINDS: dict[str, list[str]] = {}
for _name, _, _members in (_line.partition(":") for _line in _TABLE.strip().splitlines()):
    _KINDS.setdefault(_name, []).extend(_members.split())


def _schema(kind: str) -> dict[str, Any]:
    if kind.startswith("["):
        return {"type": "array", "items": _schema(kind[1:-1])}
    if "|" in kind:
        return {"enum": kind.split("|")}
    if kind not in _KINDS:
        return {"type": kind or "string"}
    named = [(name, _schema(kind.rstrip("!"))) for name, _, kind in (one.partition("=") for one in _KINDS[kind])]
    required = [one.partition("=")[0].rstrip("!") for one in _KINDS[kind] if one.endswith("!")]
    properties = {name.rstrip("!"): schema for name, schema in named}
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": required}


def _problems(kind: str, document: Any) -> list[str]:
    return [str(problem) for problem in jsonschema.Draft7Validator(_schema(kind)).iter_errors(document)]


def sarif_problems(document: Any) -> list[str]:
    """What the published schema of SARIF has against a document."""
    return _problems("log", document)


def junit_problems(root: ET.Element) -> list[str]:
    """What the published schema of JUnit has against a document."""

    def as_object(element: ET.Element) -> dict[str, Any]:
        found: dict[str, Any] = dict(element.attrib)
        for child in element:
            found.setdefault(child.tag, []).append(as_object(child))
        return found

    return _problems(root.tag, as_object(root))


MOST_RESULTS = 25_000
LEVELS = ("note", "warning", "error")
SEMANTIC_VERSION = re.compile(r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?")


def assert_code_scanning_accepts(document: Mapping[str, Any]) -> None:
    """Of what the schema allows, the code scanning of GitHub accepts less, by its page on the support of SARIF."""
    assert sarif_problems(document) == []
    [run] = document["runs"]
    assert SEMANTIC_VERSION.fullmatch(run["tool"]["driver"]["semanticVersion"])
    assert run["automationDetails"]["id"].endswith("/")
    rules, results = run["tool"]["driver"]["rules"], run["results"]
    for rule in rules:
        descriptions = [rule[name]["text"] for name in ("shortDescription", "fullDescription", "help")]
        assert all((rule["id"], *descriptions)), rule
        assert all(len(each) <= 1024 for each in descriptions[:2]), rule
        assert rule["defaultConfiguration"]["level"] in LEVELS, rule
        assert len(rule["properties"]["tags"]) <= 10, rule
        assert 0 < float(rule["properties"]["security-severity"]) <= 10, rule
    hashes = {one["partialFingerprints"]["primaryLocationLineHash"] for one in results}
    assert len(hashes) == len(results) <= MOST_RESULTS
    for one in results:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"], one
        assert one["message"]["text"], one
        assert one["level"] in LEVELS, one
        [location] = one["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert not urlsplit(uri).scheme, uri
        assert {"", ".", ".."}.isdisjoint(uri.split("/")), f"{uri} is not relative to the root"
        region = location["physicalLocation"]["region"]
        start, end = ((region[f"{name}Line"], region[f"{name}Column"]) for name in ("start", "end"))
        assert (1, 1) <= start <= end, region
        assert 0 not in (*start, *end), region
