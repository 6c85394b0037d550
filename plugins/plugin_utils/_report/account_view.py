# SPDX-License-Identifier: GPL-3.0-or-later
"""One account as a report shows it: its edges and tunnels, and who gets through. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .drawing import Drawing, details_of, drawing_of
from .exposure import Exposure, dictionaries, exposure_of, mapping, severity_of, strings
from .identity import (
    EDGE,
    OBJECT,
    ROUTE,
    TLS_EDGE,
    TUNNEL,
    Anchors,
    Key,
    Numbered,
    edge_key,
    route_key,
    tls_edge_key,
    tunnel_key,
)
from .names import Names, names_of, with_names

Finding = Mapping[str, Any]

LIVE, AFTER = "live", "after"
_TITLES = {TLS_EDGE: "TLS edges", TUNNEL: "Online tunnels", OBJECT: "Objects of other collections"}
KINDS = (EDGE, *_TITLES)
"""What is drawn, in this order."""


@dataclass
class ShownObject:
    """A route, a TLS edge, or a tunnel at its place in the page. `live` is None if only the plan creates it."""

    key: Key
    anchor: str
    name: str
    match_type: str
    live: Drawing | None
    findings: list[Finding] = field(default_factory=list)
    action: str = ""
    plan_anchor: str = ""
    planned: Drawing | None = None

    @property
    def severity(self) -> str:
        return severity_of(self.findings)


@dataclass(frozen=True)
class Lane:
    """An object as it is, or as the plan leaves it. If `view` is empty, the plan does not change it."""

    one: ShownObject
    drawing: Drawing
    is_live: bool

    @property
    def anchor(self) -> str:
        return self.one.anchor if self.is_live or not self.one.live else f"{self.one.anchor}-planned"

    @property
    def severity(self) -> str:
        return self.one.severity if self.is_live else ""

    @property
    def view(self) -> str:
        return "" if not self.one.action else LIVE if self.is_live else AFTER


@dataclass
class Group:
    """What is drawn together: an HTTPS edge with its routes, or all TLS edges or tunnels of an account.

    An edge that only the plan creates is not `is_live`, and one that the plan deletes is not `is_left`.
    """

    kind: str
    key: Key
    anchor: str
    account: str
    hosts: Sequence[str]
    description: str = ""
    tls: str = ""
    objects: list[ShownObject] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    details: Mapping[str, Any] = field(default_factory=dict)
    owner: str = ""
    is_live: bool = True
    is_left: bool = True

    @property
    def lanes(self) -> list[Lane]:
        sides = ((one, drawing, drawing is one.live) for one in self.objects for drawing in (one.live, one.planned))
        return [Lane(one, drawing, is_live) for one, drawing, is_live in sides if drawing]

    @property
    def view(self) -> str:
        return AFTER if not self.is_live else "" if self.is_left else LIVE

    @property
    def has_weak_tls(self) -> bool:
        return any("tls_termination" in str(one.get("path")) for one in self.findings if not one.get("accepted"))

    def name_of(self, one: ShownObject) -> str:
        """Return the name of an object as findings and plans contain it, without its ID."""
        if self.kind != EDGE:
            return f"{self.kind} {one.name}"
        return " ".join(filter(None, (ROUTE, one.match_type, one.name, "of", ", ".join(self.hosts))))


@dataclass
class AccountView:
    """An account with its drawing.

    `targets` are the anchors of its objects, `error` is why it is not complete, and `only_judged` are the objects that
    its exposure contains and its estate does not. `names` are those of objects, by their IDs.
    """

    name: str
    anchor: str
    error: str
    is_missing: bool
    estate: Mapping[str, Any]
    exposure: Exposure
    groups: list[Group]
    plan: Mapping[str, Any]
    subscriptions: list[Mapping[str, Any]]
    targets: dict[Key, str] = field(default_factory=dict)
    only_judged: Sequence[Key] = ()
    names: Names = field(default_factory=dict)
    collected_at: str = ""
    declaration: str = ""

    @property
    def is_read(self) -> bool:
        """Whether anything is known of its configuration."""
        return bool(self.estate) or self.exposure.is_known

    @property
    def absence(self) -> str:
        """Why nothing of it is drawn, in a few words, empty if something is."""
        return "" if self.is_read else "missing" if self.is_missing else "not read" if self.error else "nothing read"

    @property
    def edges(self) -> int:
        """How many live HTTPS edges there are."""
        return sum(group.kind == EDGE and group.is_live for group in self.groups)

    def objects(self, kind: str = EDGE) -> list[ShownObject]:
        """Return what is live, by default the routes of HTTPS edges."""
        return [one for group in self.groups if group.kind == kind for one in group.objects if one.live is not None]

    def openness(self) -> Counter[str]:
        """Return how many routes there are of each degree of openness."""
        return Counter(one.live.openness for one in self.objects() if one.live is not None)

    def severities(self) -> Counter[str]:
        return Counter(str(one.get("severity")) for one in self.exposure.findings if not one.get("accepted"))

    def sentence(self, finding: Finding) -> Any:
        """Return what a finding says, with the names of the objects in it."""
        return with_names(finding.get("message"), self.names)

    def message(self, finding: Finding) -> Any:
        """Return what a finding says, and whom to ask about it."""
        message = self.sentence(finding)
        return f"{message} Owner: {finding['owner']}." if finding.get("owner") else message

    def has_plan(self) -> bool:
        return isinstance(self.plan.get("plan"), list)


def account_view(account: Mapping[str, Any], anchors: Anchors) -> AccountView:
    """Return what a report shows of an account; `account` has the shape of the option `accounts`."""
    name = str(account.get("name"))
    estate, plan = mapping(account.get("estate")), mapping(account.get("plan"))
    exposure = exposure_of(account)
    drawn = _DrawnAccount(name, exposure, anchors)
    drawn.draw(estate, dictionaries(account.get("tunnels")))
    view = AccountView(
        name=name,
        anchor=anchors.of("a", name),
        error=str(account.get("error") or "") or _omission(account),
        is_missing=bool(account.get("missing")),
        estate=estate,
        exposure=exposure,
        groups=sorted(drawn.groups.values(), key=lambda group: KINDS.index(group.kind)),
        plan=plan,
        subscriptions=dictionaries(estate.get("event_subscriptions")),
        targets=drawn.targets,
        only_judged=[key for key in drawn.only_judged if key[0] not in (TUNNEL, OBJECT)] if estate else (),
        names=names_of(account),
        collected_at=str(account.get("collected_at") or ""),
        declaration=str(account.get("declaration") or ""),
    )
    _assign_findings(view)
    return view


def _omission(account: Mapping[str, Any]) -> str:
    """Return why an account without an error is not complete all the same, empty if it is."""
    estate, exposure = mapping(account.get("estate")), account.get("exposure")
    if estate and not isinstance(estate.get("https_edges"), list):
        kinds = {one.get("kind") for one in dictionaries(mapping(exposure).get("exposure"))}
        return "" if kinds & {EDGE, ROUTE} else "Its HTTPS edges were not read."
    if estate or exposure is not None:
        return ""
    return "Neither its estate nor its exposure is known." if account.get("plan") is None else "Only its plan is known."


def _assign_findings(view: AccountView) -> None:
    """Add to edges and other objects what was found about them, and the owner."""
    objects = {one.key: one.findings for group in view.groups for one in group.objects}
    places = {**{group.key: group.findings for group in view.groups}, **objects}
    for finding in view.exposure.findings:
        key = view.exposure.key_of(finding.get("path"))
        if key in places:
            places[key].append(finding)
    for group in view.groups:
        judged = (view.exposure.objects.get(key) for key in (group.key, *(one.key for one in group.objects)))
        group.owner = next((str(one["owner"]) for one in judged if one and one.get("owner")), "")


class _DrawnAccount:
    """Draws the objects of one account, each in its group."""

    def __init__(self, account: str, exposure: Exposure, anchors: Anchors) -> None:
        self._account = account
        self._exposure = exposure
        self._anchors = anchors
        self._numbered = Numbered()
        self.groups: dict[Key, Group] = {}
        self.targets: dict[Key, str] = {}
        self.only_judged: list[Key] = []

    def draw(self, estate: Mapping[str, Any], tunnels: Sequence[Mapping[str, Any]]) -> None:
        for number, edge in enumerate(dictionaries(estate.get("https_edges"))):
            self._draw_edge(edge, f"https_edges[{number}]")
        for number, edge in enumerate(dictionaries(estate.get("tls_edges"))):
            # The API reference does not say what a TLS edge forwards its connections to.
            key = self._numbered.key(tls_edge_key(edge, f"tls_edges[{number}]"))
            end = mapping(edge.get("tls_termination")).get("terminate_at")
            self._add(key, key[1], {**edge, "forwards_to": f"TLS ends at {end}" if end else "the connection"})
        for number, tunnel in enumerate(tunnels):
            labels = mapping(tunnel.get("labels"))
            name = str(tunnel.get("public_url") or "") or ", ".join(f"{label}={labels[label]}" for label in labels)
            parts = {name: value for name, value in tunnel.items() if value and not isinstance(value, list)}
            key = self._numbered.key(tunnel_key(tunnel, f"tunnels[{number}]"))
            self._add(key, name or str(tunnel.get("id") or "a tunnel"), parts)
        self._draw_judged(frozenset({TUNNEL} if tunnels else ()))

    def _draw_edge(self, edge: Mapping[str, Any], place: str) -> None:
        key = self._numbered.key(edge_key(edge, place))
        group = self._group(key, strings(edge.get("hostports")) or [str(edge.get("id") or "without hostports")])
        group.description = str(edge.get("description") or "")
        group.tls = str(mapping(edge.get("tls_termination")).get("min_version") or "")
        group.details = details_of(edge, "edge")
        mutual_tls = {"mutual_tls": edge["mutual_tls"]} if "mutual_tls" in edge else {}
        for route in dictionaries(edge.get("routes")):
            own = self._numbered.key(route_key(key, route))
            self._add(own, own[3], {**mutual_tls, **route}, key)

    def _draw_judged(self, known: frozenset[str]) -> None:
        """Draw what only the exposure contains, without the kinds of which everything is known."""
        for key, judged in self._exposure.objects.items():
            kind = key[0]
            if key in self.targets or kind in known:
                continue
            edge = (EDGE, key[1])
            if kind in (EDGE, ROUTE) and edge not in self.groups:
                self._group(edge, strings(mapping(judged.get("edge")).get("hostports")) or [str(key[1])])
            if kind != EDGE:
                self.only_judged.append(key)
                self._add(key, str(key[3 if kind == ROUTE else 1]), None, edge if kind == ROUTE else None)

    def _add(self, key: Key, name: str, parts: Mapping[str, Any] | None, of: Key | None = None) -> None:
        """Draw an object in the group of its edge, or in that of its kind."""
        kind = key[0]
        group = self.groups.get(of or (kind, "")) or self._group((kind, ""), [_TITLES[kind]])
        drawing = drawing_of(self._exposure.objects.get(key), self._exposure, parts, kind.removeprefix("https_edge_"))
        match_type = key[2] if kind == ROUTE else ""
        group.objects.append(ShownObject(key, self._target(key), name, match_type, drawing))

    def _group(self, key: Key, hosts: Sequence[str]) -> Group:
        self.groups[key] = Group(key[0], key, self._target(key), self._account, hosts)
        return self.groups[key]

    def _target(self, key: Key) -> str:
        return self.targets.setdefault(key, self._anchors.of_object(self._account, key))
