# SPDX-License-Identifier: GPL-3.0-or-later
"""One account as a report shows it: its edges and tunnels, who gets through, and what was found. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...module_utils._exposure.finding import SEVERITIES
from ...module_utils._values.option_error import dictionary_of, members_of
from .._visible_text import as_text
from . import identity as ids
from .drawing import Drawing, details_of, drawing_of
from .exposure import Exposure, strings
from .names import names_of, with_names

LIVE, AFTER = "live", "after"
_TITLES = {ids.TLS_EDGE: "TLS edges", ids.TUNNEL: "Online tunnels", ids.OBJECT: "Objects of other collections"}
KINDS = (ids.EDGE, *_TITLES)
"""What is drawn, in this order."""


class Finding:
    """What a rule has found. `given` is all that a module returned about it, and `at` what is drawn of its object.

    If there is an earlier report, `state` says whether it is NEW, GONE, or UNCHANGED since then.
    """

    def __init__(self, account: AccountView, given: Mapping[str, Any]) -> None:
        self.account, self.given, self.state = account, given, ""
        self.rule, self.object, self.path, self.why, self.owner = (
            as_text(given.get(name)) for name in ("rule", "object", "path", "why", "owner")
        )
        self.severity = given["severity"] if given.get("severity") in SEVERITIES else SEVERITIES[-1]
        self.accepted = dictionary_of(given.get("accepted"))
        self.at = account.at(self.path)

    @property
    def sentence(self) -> Any:
        return self.account.named(self.given.get("message"))

    @property
    def message(self) -> Any:
        """What it says, and whom to ask about it."""
        return f"{self.sentence} Owner: {self.owner}." if self.owner else self.sentence

    @property
    def others(self) -> list[Group | ShownObject]:
        """The other objects that it is about, as far as they are drawn."""
        found = (self.account.at(path) for path in strings(self.given.get("also")))
        return [one for one in found if one and one is not self.at]

    @property
    def identity(self) -> tuple[str, ...]:
        """What stays the same if its object gets another ID, or another place in the estate."""
        place = ids.without_id(self.object), ids.option_in(self.path)
        return (self.account.name, self.rule, *place, as_text(self.given.get("requirement")))


@dataclass(eq=False)
class ShownObject:
    """A route, a TLS edge, or a tunnel at its place in the page. `live` is None if only the plan creates it."""

    key: ids.Key
    anchor: str
    name: str
    live: Drawing | None
    findings: list[Finding] = field(default_factory=list)
    action: str = ""
    plan_anchor: str = ""
    planned: Drawing | None = None


@dataclass(frozen=True)
class Lane:
    """An object as it is, or as the plan leaves it. If `moment` is empty, the plan does not change it."""

    one: ShownObject
    drawing: Drawing
    is_live: bool

    @property
    def anchor(self) -> str:
        return self.one.anchor if self.is_live or not self.one.live else f"{self.one.anchor}-planned"

    @property
    def severity(self) -> str:
        return highest_severity(self.one.findings) if self.is_live else ""

    @property
    def moment(self) -> str:
        return "" if not self.one.action else LIVE if self.is_live else AFTER


@dataclass(eq=False)
class Group:
    """What is drawn together: an HTTPS edge with its routes, or all TLS edges or tunnels of an account.

    An edge that only the plan creates is not `is_live`, and one that the plan deletes is not `is_left`.
    """

    account: AccountView
    key: ids.Key
    anchor: str
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
    def kind(self) -> str:
        return str(self.key[0])

    @property
    def name(self) -> str:
        return self.hosts[0]

    @property
    def lanes(self) -> list[Lane]:
        sides = ((one, drawing, drawing is one.live) for one in self.objects for drawing in (one.live, one.planned))
        return [Lane(one, drawing, is_live) for one, drawing, is_live in sides if drawing]

    @property
    def moment(self) -> str:
        return AFTER if not self.is_live else "" if self.is_left else LIVE

    @property
    def has_weak_tls(self) -> bool:
        return any("tls_termination" in one.path for one in self.findings if not one.accepted)

    def name_of(self, one: ShownObject) -> str:
        """Return the name of an object as findings and plans contain it, without its ID."""
        if self.kind != ids.EDGE:
            return f"{self.kind} {one.name}"
        return " ".join(filter(None, (ids.ROUTE, one.key[2], one.name, "of", ", ".join(self.hosts))))


class AccountView:
    """An account with its drawing; `account` has the shape of a member of the option `accounts`.

    `error` is why it is not complete, and `only_judged` are the objects that its exposure contains and its estate does
    not. `names` are those of objects, by their IDs.
    """

    def __init__(self, account: Mapping[str, Any], anchors: ids.Anchors) -> None:
        self.name = str(account.get("name"))
        self.anchor = anchors.of("a", self.name)
        self.error = str(account.get("error") or "") or _omission(account)
        self.is_missing = bool(account.get("missing"))
        self.collected_at, self.declaration = (str(account.get(name) or "") for name in ("collected_at", "declaration"))
        self.estate, self.plan = dictionary_of(account.get("estate")), dictionary_of(account.get("plan"))
        self.names = names_of(account)
        self.exposure = Exposure(account)
        self.anchors, self._numbered = anchors, ids.Numbered()
        self.groups: dict[ids.Key, Group] = {}
        self.objects: dict[ids.Key, ShownObject] = {}
        self.only_judged: list[ids.Key] = []
        self._draw(members_of(account.get("tunnels")))
        self.findings = [Finding(self, one) for one in self.exposure.findings]
        for finding in self.findings:
            if finding.at:
                finding.at.findings.append(finding)

    @property
    def is_read(self) -> bool:
        """Whether anything is known of its configuration."""
        return bool(self.estate) or self.exposure.is_known

    @property
    def absence(self) -> str:
        """Why nothing of it is drawn, in a few words, empty if something is."""
        return "" if self.is_read else "missing" if self.is_missing else "not read" if self.error else "nothing read"

    @property
    def problem(self) -> str:
        """What is wrong with it if it is not complete, as the end of a sentence."""
        return "is missing." if self.is_missing else "was read only in part." if self.is_read else "could not be read."

    @property
    def has_plan(self) -> bool:
        return isinstance(self.plan.get("plan"), list)

    @property
    def edges(self) -> int:
        """How many live HTTPS edges there are."""
        return sum(group.kind == ids.EDGE and group.is_live for group in self.groups.values())

    def live(self, kind: str = ids.ROUTE) -> list[Drawing]:
        """Return what is drawn of live objects, by default of the routes of HTTPS edges."""
        return [one.live for one in self.objects.values() if one.key[0] == kind and one.live]

    def openness(self) -> Counter[str]:
        return Counter(one.openness for one in self.live())

    def severities(self) -> Counter[str]:
        return Counter(one.severity for one in self.findings if not one.accepted)

    def named(self, sentence: Any) -> Any:
        return with_names(sentence, self.names)

    def at(self, path: str) -> Group | ShownObject | None:
        """Return what is drawn of the object to which a path in the exposure belongs."""
        key = self.exposure.key_of(path) or ()
        return self.objects.get(key) or self.groups.get(key)

    def _draw(self, tunnels: Sequence[Mapping[str, Any]]) -> None:
        for number, edge in enumerate(members_of(self.estate.get("https_edges"))):
            self._draw_edge(edge, f"https_edges[{number}]")
        for number, edge in enumerate(members_of(self.estate.get("tls_edges"))):
            # The API reference does not say what a TLS edge forwards its connections to.
            key = self._numbered.key(ids.key_by_id(ids.TLS_EDGE, edge, f"tls_edges[{number}]"))
            end = dictionary_of(edge.get("tls_termination")).get("terminate_at")
            self._add(key, key[1], {**edge, "forwards_to": f"TLS ends at {end}" if end else "the connection"})
        for number, tunnel in enumerate(tunnels):
            labels = dictionary_of(tunnel.get("labels"))
            name = str(tunnel.get("public_url") or "") or ", ".join(f"{label}={labels[label]}" for label in labels)
            parts = {name: value for name, value in tunnel.items() if value and not isinstance(value, list)}
            key = self._numbered.key(ids.key_by_id(ids.TUNNEL, tunnel, f"tunnels[{number}]"))
            self._add(key, name or str(tunnel.get("id") or "a tunnel"), parts)
        self._draw_judged(frozenset({ids.TUNNEL} if tunnels else ()))

    def _draw_edge(self, edge: Mapping[str, Any], place: str) -> None:
        key = self._numbered.key(ids.edge_key(edge, place))
        group = self.group(key, strings(edge.get("hostports")) or [str(edge.get("id") or "without hostports")])
        group.description = str(edge.get("description") or "")
        group.tls = str(dictionary_of(edge.get("tls_termination")).get("min_version") or "")
        group.details = details_of(edge, "edge")
        mutual_tls = {"mutual_tls": edge["mutual_tls"]} if "mutual_tls" in edge else {}
        for route in members_of(edge.get("routes")):
            own = self._numbered.key(ids.route_key(key, route))
            self._add(own, own[3], {**mutual_tls, **route}, group)

    def _draw_judged(self, known: frozenset[str]) -> None:
        """Draw what only the exposure contains, without the kinds of which everything is known."""
        for key, judged in self.exposure.objects.items():
            kind = key[0]
            if key in self.objects or key in self.groups or kind in known:
                continue
            group = None
            if kind in (ids.EDGE, ids.ROUTE):
                hosts = strings(dictionary_of(judged.get("edge")).get("hostports")) or [str(key[1])]
                group = self.group((ids.EDGE, key[1]), hosts)
            if kind != ids.EDGE:
                if self.estate and kind not in (ids.TUNNEL, ids.OBJECT):
                    self.only_judged.append(key)
                self._add(key, str(key[3 if kind == ids.ROUTE else 1]), None, group)

    def _add(self, key: ids.Key, name: str, parts: Mapping[str, Any] | None, group: Group | None = None) -> None:
        """Draw an object in its edge, or in the group of its kind."""
        group = group or self.group((key[0], ""), [_TITLES[key[0]]])
        entry, noun = self.exposure.objects.get(key, {}), key[0].removeprefix("https_edge_")
        drawing = drawing_of(entry, self.exposure, parts, noun)
        one = ShownObject(key, self.anchors.of_object(self.name, key), name, drawing)
        self.objects[key] = one
        group.objects.append(one)
        group.owner = group.owner or str(entry.get("owner") or "")

    def group(self, key: ids.Key, hosts: Sequence[str]) -> Group:
        """Return the group with this key, which is added if there is none."""
        if key not in self.groups:
            owner = str(self.exposure.objects.get(key, {}).get("owner") or "")
            self.groups[key] = Group(self, key, self.anchors.of_object(self.name, key), hosts, owner=owner)
        return self.groups[key]


def highest_severity(findings: Sequence[Finding]) -> str:
    """Return the highest severity of the findings that are not accepted, empty if there are none."""
    found = {one.severity for one in findings if not one.accepted}
    return next((severity for severity in SEVERITIES if severity in found), "")


def _omission(account: Mapping[str, Any]) -> str:
    """Return why an account without an error is not complete all the same, empty if it is."""
    estate, exposure = dictionary_of(account.get("estate")), account.get("exposure")
    if estate and not isinstance(estate.get("https_edges"), list):
        kinds = {one.get("kind") for one in members_of(dictionary_of(exposure).get("exposure"))}
        return "" if kinds & {ids.EDGE, ids.ROUTE} else "Its HTTPS edges were not read."
    if estate or exposure is not None:
        return ""
    return "Neither its estate nor its exposure is known." if account.get("plan") is None else "Only its plan is known."
