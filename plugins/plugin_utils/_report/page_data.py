# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of the page, from which its script draws everything that can be searched and filtered. Pure.

Each name is short and each repeated value is written once, because a page can have ten thousand routes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from .._plan_markdown.text import code, visible
from .account_view import AccountView, Group, ShownObject
from .drawing import ACCESS, CHECKS, OTHERS, STATES, Drawing, Lock
from .exposure import dictionaries, strings
from .plan_view import Change, Opening
from .report import ACTIONS, Report
from .since import NEW
from .to_copy import declaration_of, yaml

LONGEST = 400
"""Longer strings are cut, with the number of the remaining characters."""

_LONGEST_REASON = 300
_LONGEST_ID = 80
_LARGEST = 2**53
"""The largest whole number up to which JavaScript has them all."""

_ACRONYMS = {"tls": "TLS", "idp": "identity provider", "http": "HTTP"}
_PROSE = re.compile(r"(?:[\w ,;:.'?()-]|`[\w ]+`)+", re.ASCII)
_BACKENDS = ("none", "off", "on")
_WEAK, _UNKNOWN = 1, 2


def text(value: Any, longest: int = LONGEST) -> str:
    """Return what a page shows of a string of others: on one line, and with nothing invisible in it."""
    given = value if isinstance(value, str) else "" if value is None else str(value)
    if not given:
        return ""
    shown = visible(given[:longest])
    return f"{shown}… ({len(given) - longest} more characters)" if len(given) > longest else shown


def titled(rule: str) -> str:
    """Return the name of a rule as a title."""
    words = " ".join(_ACRONYMS.get(word, word) for word in rule.split("_"))
    return words[:1].upper() + words[1:]


def prose_of_rule(sentence: Any) -> str:
    """Return a sentence of a rule as Markdown: as it is if it only consists of words, else as code."""
    given = str(sentence or "")
    return given if _PROSE.fullmatch(given) else code(given, _LONGEST_REASON) if given else ""


class _Table:
    """Values that are written once, and referred to by their number."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, value: Any, shown: Any = None) -> int:
        key = json.dumps(value, sort_keys=True, default=str)
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(value if shown is None else shown(value))
        return self._numbers[key]


class PageData:
    """Writes a report as the data of the page."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._accounts = {view.name: number for number, view in enumerate(report.accounts)}
        self._details, self._fixes, self._reasons = _Table(), _Table(), _Table()
        self._owners = {name: number for number, name in enumerate(sorted(set(map(text, report.owners))))}
        self._rules: dict[tuple[str, str], int] = {}
        self._findings: list[dict[str, Any]] = []
        self._numbers: dict[int, int] = {}

    def data(self) -> dict[str, Any]:
        findings = self._collect_findings()
        groups = [self._group(group) for group in self._report.groups]
        # The plan is judged as a whole, so the paths of these findings are not those of the live configuration.
        created = [{**self._finding(view, one), "t": "", "l": []} for view, one in self._report.created()]
        return {
            "accounts": [[text(view.name), view.anchor, _absence(view)] for view in self._report.accounts],
            "names": [
                {text(each, _LONGEST_ID): text(name, 60) for each, name in sorted(view.names.items())}
                for view in self._report.accounts
            ],
            "owners": list(self._owners),
            "access": ACCESS,
            "checks": CHECKS,
            "others": OTHERS,
            "severities": SEVERITIES,
            "rules": [[rule, severity] for rule, severity in self._rules],
            "findings": findings,
            "groups": groups,
            "plan": [self._change(change) for change in self._report.changes],
            "openings": [self._opening(*pair) for pair in self._report.openings()],
            "unlisted": self._report.more_openings,
            "created": created,
            "undeclared": [self._undeclared(account, one) for account, one in self._report.undeclared()],
            "gaps": [
                [gap.kind, self._accounts[gap.account], text(gap.object), text(gap.why)] for gap in self._report.gaps
            ],
            "details": self._details.values,
            "fixes": self._fixes.values,
            "reasons": self._reasons.values,
        }

    def _collect_findings(self) -> list[dict[str, Any]]:
        ranked = sorted(
            ((view, one) for view in self._report.accounts for one in view.exposure.findings),
            key=lambda pair: (bool(pair[1].get("accepted")), _rank(pair[1]), str(pair[1].get("rule"))),
        )
        for number, (view, one) in enumerate(ranked):
            self._numbers[id(one)] = number
            self._findings.append(self._finding(view, one))
        return self._findings

    def _finding(self, view: AccountView, one: Mapping[str, Any]) -> dict[str, Any]:
        key, sentence = (text(one.get("rule")), _severity(one)), view.sentence(one)
        target = view.targets.get(view.exposure.key_of(one.get("path")) or (), "")
        also = (view.targets.get(view.exposure.key_of(path) or (), "") for path in strings(one.get("also")))
        return {
            "r": self._rules.setdefault(key, len(self._rules)),
            "a": self._accounts[view.name],
            "o": text(one.get("object")),
            "t": target,
            "m": text(sentence),
            **({"h": text(one.get("message"))} if sentence != one.get("message") else {}),
            **self._owned(one.get("owner")),
            "w": self._reasons.number(text(one.get("why"), 2000)),
            "x": self._fixes.number([one.get("fix"), one.get("fix_options")], _shown_fix),
            "p": text(one.get("path")),
            **({"l": [each for each in also if each and each != target]} if one.get("also") else {}),
            **({"z": 1} if self._report.since and self._report.since.state(one) == NEW else {}),
            **({"c": _accepted(one["accepted"])} if one.get("accepted") else {}),
        }

    def _group(self, group: Group) -> dict[str, Any]:
        return {
            "i": group.anchor,
            "k": group.kind,
            "a": self._accounts[group.account],
            "h": [text(host.removesuffix(":443")) for host in group.hosts],
            **self._owned(group.owner),
            **({"d": text(group.description)} if group.description else {}),
            **({"t": text(group.tls)} if group.tls else {}),
            **({"n": 1} if not group.is_live else {}),
            **({"g": 1} if not group.is_left else {}),
            **self._found(group.findings),
            "x": [self._details.number([name, value], _shown_detail) for name, value in group.details.items()],
            "l": [self._object(one) for one in group.objects],
        }

    def _object(self, one: ShownObject) -> dict[str, Any]:
        return {
            "i": one.anchor,
            "m": text(one.name),
            **({"e": 1} if one.match_type == "exact_path" else {}),
            **({"v": self._drawn(one.live)} if one.live else {}),
            **self._found(one.findings),
            **self._planned(one),
        }

    def _planned(self, one: ShownObject) -> dict[str, Any]:
        if not one.action:
            return {}
        after = {"w": self._drawn(one.planned)} if one.planned else {}
        return {"c": one.action, "p": one.plan_anchor, **after}

    def _found(self, findings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        return {"f": sorted(self._numbers[id(one)] for one in findings)} if findings else {}

    def _drawn(self, drawing: Drawing) -> list[Any]:
        """Return who gets through, the locks, the other modules, the backend with its state, and the details."""
        locks = [_shown_lock(lock) for lock in drawing.locks]
        others = [OTHERS.index(name) * 2 + is_enabled for name, is_enabled in drawing.others]
        details = [self._details.number([name, value], _shown_detail) for name, value in drawing.details.items()]
        access = [ACCESS.index(one) for one in drawing.access if one in ACCESS]
        return [
            access,
            locks,
            others,
            text(drawing.backend, _LONGEST_ID),
            _BACKENDS.index(drawing.backend_state),
            details,
        ]

    def _change(self, change: Change) -> dict[str, Any]:
        first = change.first
        return {
            "i": change.anchor,
            "a": self._accounts[change.account],
            "c": change.action if change.action in ACTIONS else text(change.action),
            "o": text(change.entry.get("object")),
            "e": change.effect,
            **self._owned(change.entry.get("owner")),
            **({"t": change.target} if change.target else {}),
            **({"m": text(first.key[-1])} if first else {}),
            **({"b": self._drawn(first.was)} if first and first.was else {}),
            **({"w": self._drawn(first.now)} if first and first.now else {}),
            **({"n": len(change.pairs) - 1} if len(change.pairs) > 1 else {}),
            "r": [
                [text(path), *(None if each is None else text(each) for each in values)]
                for path, *values in change.rows()
            ],
            "q": [_request(operation) for operation in dictionaries(change.entry.get("operations"))],
        }

    def _opening(self, change: Change, one: Opening) -> dict[str, Any]:
        return {
            **{name: text(value) for name, value in zip("krm", one, strict=True)},
            "o": text(change.entry.get("object")),
            "p": change.anchor,
            "a": self._accounts[change.account],
            **self._owned(change.entry.get("owner")),
        }

    def _undeclared(self, account: str, one: Mapping[str, Any]) -> list[Any]:
        return [
            self._accounts[account],
            text(one.get("object")),
            text(one.get("option")),
            text(one.get("why")),
            declaration_of(one),
            self._owners.get(text(one.get("owner")), -1),
        ]

    def _owned(self, owner: Any) -> dict[str, int]:
        return {"u": self._owners[text(owner)]} if owner else {}


def _absence(view: AccountView) -> str:
    """Return why nothing is drawn of an account, empty if something is."""
    return "" if view.is_read else "missing" if view.is_missing else "not read" if view.error else "nothing read"


def _rank(finding: Mapping[str, Any]) -> int:
    return SEVERITIES.index(_severity(finding))


def _severity(finding: Mapping[str, Any]) -> str:
    return str(finding["severity"]) if finding.get("severity") in SEVERITIES else SEVERITIES[-1]


def _accepted(accepted: Any) -> list[str]:
    if not isinstance(accepted, Mapping):
        return ["", ""]
    return [text(accepted.get("reason")), text(accepted.get("until"))]


def _shown_fix(fix: Sequence[Any]) -> list[str]:
    sentence, options = fix
    if isinstance(sentence, Mapping):
        sentence, options = "", sentence
    return [text(sentence, 2000), yaml(options)]


def _shown_lock(lock: Lock) -> list[Any]:
    flags = _WEAK * lock.is_weak + _UNKNOWN * lock.is_unknown
    return [CHECKS.index(lock.check), text(lock.module, 60), text(lock.label, 60), STATES.index(lock.state), flags]


def _shown_detail(detail: Sequence[Any]) -> list[Any]:
    name, value = detail
    return [text(name), _shown(value)]


def _shown(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {text(name): _shown(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_shown(member) for member in value]
    # JavaScript would round large numbers, and its JSON has none that are infinite or not a number.
    is_exact = value is None or isinstance(value, bool) or (isinstance(value, int) and abs(value) <= _LARGEST)
    return value if is_exact else text(value)


def _request(operation: Mapping[str, Any]) -> str:
    request = f"{operation.get('method')} {operation.get('path')}"
    return text(f"{request}: {operation['reason']}" if operation.get("reason") else request)


def as_script_data(data: Mapping[str, Any]) -> str:
    """Return the data as JSON that is safe inside of a script element: it contains none of the characters of markup."""
    encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        encoded = encoded.replace(char, f"\\u{ord(char):04x}")
    return encoded
