# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, and what is wrong with that: everything about one estate. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from .._access.locks import POLICY, Member, locks_by_module
from .._model.kinds import Mark
from .._model.objects import Object, join
from .._model.protection import CHECKS, is_enabled, protecting_modules
from .acceptance import accepted
from .classes import CLASSES
from .declared import Given, declared_estate
from .doubts import doubts
from .finding import SEVERITIES, Finding, Hit
from .judged_estate import Estate, NotJudged
from .rules import RULES
from .subjects import Route, Subject

_ORDER = (*CHECKS, POLICY)
_MOST_ADMITTED = 5
_EVERYONE = {"oauth": "any user of {}", "saml": "any user"}
"""Whom logins admit that do not restrict the users of a provider. Those of `oidc` are known by their issuer."""


@dataclass(frozen=True)
class Judgement:
    """What was found about an estate. `warnings` are about exceptions that have no effect."""

    estate: Estate
    findings: Sequence[Finding]
    not_judged: Sequence[NotJudged]
    warnings: Sequence[str]

    def counting(self, severity: str) -> list[Finding]:
        """Return the findings of this severity or a higher one that nobody has accepted."""
        counted = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return [one for one in self.findings if one.rule.severity in counted and one.accepted is None]

    def result(self) -> dict[str, Any]:
        """Return the return values."""
        exposure = [_exposed(subject) for subject in self.estate.exposed()]
        severities = Counter(one.rule.severity for one in self.findings if one.accepted is None)
        classes = Counter(name for one in exposure for name in one["access"])
        return {
            "exposure": exposure,
            "findings": [one.shown() for one in self.findings],
            "not_judged": [one.shown() for one in self.not_judged],
            "summary": {
                "routes": len(self.estate.routes),
                "access": {name: classes[name] for name in CLASSES},
                "findings": {severity: severities[severity] for severity in SEVERITIES},
                "accepted": sum(1 for one in self.findings if one.accepted is not None),
            },
        }


def judge(estate: Given, tunnels: Sequence[Given] | None = None) -> Judgement:
    """Judge an estate as `estate_info` returns and `estate` accepts it: omitted options mean what a new object gets.

    `tunnels` are as `tunnel_info` returns them, None if they were not read. Nothing is accepted.
    """
    return judgement_of(declared_estate(estate, tunnels), (), date.max)


def judgement_of(estate: Estate, accept: Sequence[Mapping[str, Any]], today: date) -> Judgement:
    """Return what the rules find in an estate, in their order, which is that of severity.

    `accept` has no option errors.
    """
    results = [(rule, one) for rule in RULES for one in rule.find(estate)]
    found = [Finding(rule, one) for rule, one in results if isinstance(one, Hit)]
    unknown = [one for _rule, one in results if isinstance(one, NotJudged)]
    findings, warnings = accepted(found, accept, today, estate.parts)
    return Judgement(estate, findings, [*doubts(estate), *unknown], warnings)


def _exposed(subject: Subject) -> dict[str, Any]:
    route = subject if isinstance(subject, Route) else None
    edge = route.edge if route else subject
    hostports = {"hostports": list(edge.state["hostports"])} if edge.kind == "https_edge" else {}
    return {
        "object": subject.name,
        "kind": subject.kind,
        "path": subject.path,
        "id": subject.id,
        "edge": None if edge.kind == "tunnel" else {"id": edge.id, **hostports},
        "route": {name: route.state[name] for name in ("match_type", "match")} if route else None,
        "access": subject.access,
        "by": {} if subject.is_closed else {name: list(paths) for name, paths in subject.required.items()},
        "locks": sorted(_locks(subject), key=lambda one: _ORDER.index(one["requires"])),
        "backend_id": route.backend_id if route else None,
    }


def _locks(subject: Subject) -> Iterator[dict[str, Any]]:
    """Yield the traffic modules of an object, and of its edge, that can keep visitors out."""
    layers = [subject.edge, subject] if isinstance(subject, Route) else [subject]
    for layer in layers:
        for name, kind in protecting_modules(layer.table).items():
            settings = layer.state[name]
            if settings is not None:
                state, admits = _state_of_lock(layer.table, name, settings)
                yield {
                    "module": name,
                    "path": join(layer.path, name),
                    "requires": kind.protects,
                    "state": state,
                    "admits": admits[:_MOST_ADMITTED],
                    "admits_count": len(admits),
                }


def _state_of_lock(kind: Object, name: str, settings: Any) -> tuple[str, list[str]]:
    """Return whether a traffic module checks visitors, and in short whom it admits if it is enabled.

    Of a policy, these are the names of its rules, because nobody knows what its actions do.
    """
    if settings is Mark.KEEP:
        return "unknown", []
    found = list(locks_by_module(kind, {name: {**settings, "enabled": True}}))
    admits = [_in_short(name, member) for _name, _dimension, members in found for member in sorted(members)]
    if name == POLICY:
        admits = [str(rule.get("name") or "rule") for rule in (*settings["inbound"], *settings["outbound"])]
    if not is_enabled(settings):
        return "off", admits
    return "open" if not found else "unknown" if name == POLICY else "on", admits


def _in_short(name: str, member: Member) -> str:
    is_everyone = len(member) == 1 or name == "oidc"
    return _EVERYONE.get(name, "{}").format(member[0]) if is_everyone else member[-1]
