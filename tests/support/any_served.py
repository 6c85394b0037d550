# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn changes with objects: IP policies and their rules, and TLS edges, live and declared.

They are added to a change of edges by a generator of their own, so that the edges of a seed stay what they are.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from any_change import AUTHORITIES, BACKENDS, HOSTPORTS, LOGINS, Change, Fields
from visitors import Seen

OWN_HOSTPORTS = ["t.example.com:443", "u.example.com:443"]
TLS_EDGES = ("edgtls_a", "edgtls_b", "edgtls_c")
NETWORKS = ("0.0.0.0/0", "::/0", "10.0.0.0/8", "10.2.0.0/16", "10.2.3.0/24", "192.0.2.0/24", "2001:db8::/32")
COUNTS = (0, 1, 1, 2, 3)
"""How many rules live policies have."""
FRESH = "fresh"
"""The name of a policy that the task creates."""
RULES, POLICIES, TLS, STATIC = "ip_policy_rules", "ip_policies", "edges/tls", "backends/static"
SENT = ("ip_restriction", "mutual_tls", "backend")
"""The traffic modules that an update of a TLS edge may always send."""


def with_objects(change: Change, chance: random.Random, *, replaces: bool = False) -> Change:
    """If it `replaces`, updates replace TLS edges as a whole, and others take the hostports of deleted ones."""
    return _Objects(change, chance, replaces).changed()


class _Objects:
    """`left` are the hostports that HTTPS edges are to have in the end. If it `replaces`, `more` hostports change
    hands; the changes of other seeds stay what they are.
    """

    def __init__(self, change: Change, chance: random.Random, replaces: bool) -> None:
        self.chance, self.replaces, self.more = chance, replaces, 0.3 if replaces else 0
        self.change = copy.deepcopy(change)
        self.live, self.options = self.change.live, self.change.options
        self.is_estate = change.module == "estate"
        self.purge = self.options.get("purge", []) if self.is_estate else []
        self.declared: list[Fields] = self.options.get("objects", []) if self.is_estate else []
        self.tls_edges: list[Fields] = []
        self.left = set(_hostports_left(self.live["https_edges"], self.options)) if self.is_estate else set(HOSTPORTS)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def changed(self) -> Change:
        self.add_live_policies()
        self.add_live_tls_edges()
        if self.is_estate:
            self.take_modules_away()
            self.declare_rules()
            self.declare_fresh_policy()
            self.declare_tls_edges()
            self.remove_a_policy()
            if self.declared:
                self.options["objects"] = self.chance.sample(self.declared, len(self.declared))
            self.declare_tls_edges_twice()
            if self.tls_edges:
                self.options["tls_edges"] = self.tls_edges
        elif self.replaces or self.often(0.4):
            self.change_one_object()
        if self.replaces:
            self.replace_objects()
        self.exempt_options()
        if self.change.switches.get("references") == "single":
            # Of several members, the service shows one.
            _leave_one_member(self.live)
            _leave_one_member(self.options)
        return self.change

    # What is live

    def add_live_policies(self) -> None:
        objects: Fields = self.live["objects"]
        own = [{"id": one, "description": f"Policy {one}"} for one in ("ipp_one", "ipp_two")]
        objects[POLICIES] = [*objects.get(POLICIES, []), *own]
        objects[RULES] = [
            {"id": f"ipr_{policy['id'][4:]}{number}", "ip_policy_id": policy["id"], "description": "", **rule}
            for policy in objects[POLICIES]
            for number, rule in enumerate(map(self.rule, self.chance.sample(NETWORKS, self.chance.choice(COUNTS))))
        ]
        for number, rule in enumerate(objects[RULES]):
            rule["description"] = f"Rule {number}"

    def rule(self, network: str) -> Fields:
        return {"cidr": network, "action": self.chance.choice(["allow", "allow", "allow", "deny"])}

    def add_live_tls_edges(self) -> None:
        taken = {hostport for edge in self.live["https_edges"] for hostport in edge["hostports"]}
        free = [*(one for one in HOSTPORTS if one not in taken and self.is_estate), *OWN_HOSTPORTS]
        self.live["tls_edges"] = []
        for identifier in TLS_EDGES[: self.chance.choice([1, 2, 2, 3] if self.replaces else [0, 1, 1, 2])]:
            hostports = [one for one in free if self.often(0.5)]
            free = [one for one in free if one not in hostports]
            edge = {"id": identifier, "description": f"TLS {identifier}", "hostports": hostports, **self.tls_modules()}
            self.live["tls_edges"].append(edge)

    def tls_modules(self, share: float = 0.5) -> Fields:
        contents: Fields = {
            "mutual_tls": {"certificate_authority_ids": [self.chance.choice(AUTHORITIES)]},
            "ip_restriction": {"ip_policy_ids": self.policies()},
            "backend": {"backend_id": self.chance.choice(BACKENDS[:2])},
        }
        shares = {"mutual_tls": share / 2, "ip_restriction": share, "backend": 1 - (1 - share) / 2}
        return {name: {**contents[name], **self.enabled()} for name in contents if self.often(shares[name])}

    def enabled(self) -> Fields:
        return self.chance.choice([{}, {}, {"enabled": True}, {"enabled": False}])

    def policies(self, more: tuple[str, ...] = ()) -> list[str]:
        ids = [*(one["id"] for one in self.live["objects"][POLICIES]), *more]
        return sorted(self.chance.sample(ids, self.chance.choice([1, 1, 2])))

    def restriction(self, more: tuple[str, ...] = ()) -> Fields:
        return {"ip_policy_ids": self.policies(more), **self.enabled()}

    # What is to be

    def declare_rules(self) -> None:
        # A rule that has an ID is found without the list of rules, of which others are not known then.
        by_id = self.often(0.25)
        for number, rule in enumerate(self.live["objects"][RULES]):
            if self.often(0.5):
                self.declared.append({"name": f"rule_{number}", "collection": RULES, **self.declared_rule(rule, by_id)})
        for number in range(self.chance.choice([0, 0, 1, 1, 2])):
            policy = self.chance.choice(self.live["objects"][POLICIES])["id"]
            self.declare_new_rule(f"new_rule_{number}", policy)

    def declared_rule(self, rule: Fields, by_id: bool) -> Fields:
        by_fields = {"find_by": {name: rule[name] for name in ("ip_policy_id", "action", "cidr")}}
        which = {"id": rule["id"]} if by_id or self.often(0.2) else by_fields
        match self.chance.choice(["absent", "absent", "changed", "changed", "same"]):
            case "absent":
                return {**which, "state": "absent"}
            case "changed":
                return {"id": rule["id"], "body": {"cidr": self.free_network(rule["ip_policy_id"])}}
        return which

    def free_network(self, policy: str) -> str:
        taken = {rule["cidr"] for rule in self.live["objects"][RULES] if rule["ip_policy_id"] == policy}
        for one in self.declared:
            if one["collection"] == RULES and one.get("find_by", {}).get("ip_policy_id") == policy:
                taken.add(one["find_by"]["cidr"])
            taken.add(one.get("body", {}).get("cidr", ""))
        free = [one for one in NETWORKS if one not in taken]
        drawn = self.chance.choice(free or NETWORKS)
        # Of two rules that become the same one, the next run finds both, and fails.
        return drawn if free else f"198.51.{len(self.declared)}.0/24"

    def declare_new_rule(self, name: str, policy: str) -> None:
        rule = self.rule(self.free_network(policy))
        found = {"ip_policy_id": policy, **rule}
        is_new = all(one.get("find_by") != found for one in self.declared)
        if is_new and not any(found.items() <= one.items() for one in self.live["objects"][RULES]):
            body = {"description": f"new {rule['action']} {rule['cidr']} of {policy}"}
            self.declared.append({"name": name, "collection": RULES, "find_by": found, "body": body})

    def declare_fresh_policy(self) -> None:
        if self.often(0.35):
            self.declared.append({"name": FRESH, "collection": POLICIES, "find_by": {"description": FRESH}})
            for number in range(self.chance.choice([0, 1, 2, 2, 3])):
                self.declare_new_rule(f"fresh_rule_{number}", f"ref:{FRESH}")
            for route in self.declared_routes():
                if "ip_restriction" in route and self.often(0.5):
                    others = [one for one in route["ip_restriction"]["ip_policy_ids"] if self.often(0.3)]
                    members = sorted([*others, f"ref:{FRESH}"])
                    route["ip_restriction"] = {**route["ip_restriction"], "ip_policy_ids": members}

    def declared_routes(self) -> Iterator[Fields]:
        for edge in self.options.get("https_edges", ()):
            yield from edge.get("routes", ())

    def take_modules_away(self) -> None:
        """Backends and logins go, often together."""
        for route in self.declared_routes():
            if self.often(0.2):
                for name in ("backend", *LOGINS):
                    if self.often(0.6):
                        route.pop(name, None)
                        if not route.get("purge_modules") and "modules" not in self.purge:
                            route["absent_modules"] = sorted({*route.get("absent_modules", ()), name})

    def remove_a_policy(self) -> None:
        """A policy goes with its rules if nothing else has ever used it."""
        others = [one for one in self.declared if one["collection"] != RULES]
        options = [self.options.get("https_edges"), self.tls_edges, others]
        used = json.dumps([self.live["https_edges"], self.live["tls_edges"], *options])
        for policy in (one["id"] for one in self.live["objects"][POLICIES]):
            if policy not in (*used.split('"'), "ipp_named") and self.often(0.5):
                live = [one["id"] for one in self.live["objects"][RULES] if one["ip_policy_id"] == policy]
                self.declared[:] = [one for one in self.declared if not {policy, *live} & {*json.dumps(one).split('"')}]
                self.declared += [*(_gone(RULES, one) for one in live), _gone(POLICIES, policy)]

    def declare_tls_edges(self) -> None:
        free = [one for one in (*HOSTPORTS, *OWN_HOSTPORTS) if one not in self.left]
        slots: list[Fields | None] = []
        for edge in self.live["tls_edges"]:
            must = any(one in self.left for one in edge["hostports"])
            if (must or self.often(0.6)) and self.often(0.85):
                slots.append(edge)
                continue
            # Without `replaces`, nothing takes the hostports of a deleted edge.
            is_gone = must or self.often(0.2 + self.more)
            if not (is_gone and self.replaces):
                free = [one for one in free if one not in edge["hostports"]]
            if is_gone:
                self.declared.append(_gone(TLS, edge["id"]))
            elif self.often(0.3):
                self.declare_modules_of(edge)
        more = (f"ref:{FRESH}",) if any(one["name"] == FRESH for one in self.declared) else ()
        for each in (*slots, *([None] if self.often(0.25 + self.more) else [])):
            shares = dict.fromkeys(each["hostports"], 0.8) if each else {}
            hostports = [one for one in free if self.often(shares.get(one, 0.35 + self.more))]
            free = [one for one in free if one not in hostports]
            self.declare_tls_edge(each, hostports, more)

    def declare_tls_edge(self, edge: Fields | None, hostports: list[str], more: tuple[str, ...]) -> None:
        modules = self.tls_modules(0.4)
        if edge and self.replaces and self.often(0.5):
            # Only a change of nothing but hostports can be reverted, and a PUT resets the modules that it lacks.
            modules = {name: edge[name] for name in SENT if name in edge and self.often(0.8)}
        if more and self.often(0.5):
            modules["ip_restriction"] = self.restriction(more)
        which: Fields = {"id": edge["id"]} if edge else {"find_by": {"description": "new TLS edge"}}
        sets = {"unordered": ["hostports", "ip_restriction.ip_policy_ids"]}
        one = {"name": f"tls_{which.get('id', 'new')}", "collection": TLS, **sets, **which}
        self.declared.append({**one, "body": {"hostports": hostports, **modules}})

    def declare_tls_edges_twice(self) -> None:
        """An edge may be an object, and lose its separate traffic module in the same task."""
        for one in self.declared:
            is_silent = "id" in one and "ip_restriction" not in one.get("body", {"ip_restriction": {}})
            if one["collection"] == TLS and is_silent and "modules" not in self.purge and self.often(0.4):
                self.tls_edges.append({"edge_id": one["id"], "absent_modules": ["ip_restriction"]})

    def declare_modules_of(self, edge: Fields) -> None:
        """The edge is declared by its separate traffic modules."""
        is_absent = self.often(0.3) and "modules" not in self.purge
        declared = {"absent_modules": ["ip_restriction"]} if is_absent else {"ip_restriction": self.restriction()}
        self.tls_edges.append({"edge_id": edge["id"], **declared})

    # Tasks of one object

    def change_one_object(self) -> None:
        rules = self.live["objects"][RULES]
        if self.live["tls_edges"] and (self.replaces or self.often(0.4)):
            edge = self.chance.choice(self.live["tls_edges"])
            # That a PUT gives up the hostports that it lacks is refused.
            kept = {"hostports": edge["hostports"]} if self.replaces else {}
            body = {**kept, **self.tls_modules(0.7)}
            module, options = "object", {"collection": TLS, "id": edge["id"], "body": body}
            if not self.replaces and self.often(0.4):
                module, options = "tls_edge_ip_restriction", {"edge_id": edge["id"], **self.restriction()}
            if not options.get("body", True):
                options = {"collection": TLS, "id": edge["id"], "state": "absent"}
        elif rules and self.often(0.7):
            rule = self.chance.choice(rules)
            module, options = "object", {"collection": RULES, **self.declared_rule(rule, by_id=True)}
        else:
            policy = self.chance.choice(self.live["objects"][POLICIES])["id"]
            found = {"ip_policy_id": policy, **self.rule(self.free_network(policy))}
            module, options = "object", {"collection": RULES, "find_by": found, "body": {"description": "new rule"}}
        self.change.module, self.change.expects_plan = module, False
        self.options = self.change.options = options

    def replace_objects(self) -> None:
        # That an update undoes what `tls_edges` does is refused.
        separate = {one["edge_id"] for one in self.tls_edges}
        for one in self.options.get("objects", [self.options]):
            if one.get("collection") in (TLS, STATIC) and one.get("id") not in separate:
                one["update_method"] = self.chance.choice(["PATCH", "PUT"])
                if one["collection"] == TLS and self.often(0.4):
                    one["always_send"] = self.chance.sample(SENT, self.chance.choice([1, 2, 3]))

    def exempt_options(self) -> None:
        """Some logins let requests with the method OPTIONS through."""
        live = [route for edge in self.live["https_edges"] for route in edge["routes"]]
        for route in (*live, *self.declared_routes()):
            for name in LOGINS:
                if name in route and self.often(0.1):
                    route[name] = {**route[name], "options_passthrough": True}


def _gone(collection: str, identifier: str) -> Fields:
    return {"name": f"gone_{identifier}", "collection": collection, "id": identifier, "state": "absent"}


def seen_by(change: Change) -> Seen:
    """The rules of IP policies that the task of a change reads: all, if it finds one in the list of them."""
    options = change.options
    objects = options.get("objects", []) if change.module == "estate" else []
    if any(one["collection"] == RULES and "id" not in one for one in objects):
        return Seen()
    live = {one["id"] for one in change.live["objects"].get(POLICIES, ())}
    single = [options] if change.module == "object" else objects
    rules = {one["id"] for one in single if one["collection"] == RULES and "id" in one}
    return Seen(frozenset(live), frozenset(rules))


def _hostports_left(live: list[Fields], options: Fields) -> Iterator[str]:
    """The hostports that HTTPS edges have in the end, as an estate declares them."""
    declared = {edge["id"]: edge for edge in options["https_edges"] if "id" in edge}
    for edge in live:
        is_kept = edge["id"] in declared or "edges" not in options["purge"]
        yield from declared.get(edge["id"], {}).get("hostports", edge["hostports"]) if is_kept else ()
    for edge in options["https_edges"]:
        yield from edge["hostports"] if "id" not in edge else ()


def _leave_one_member(value: Any) -> None:
    for name, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if name in ("ip_policy_ids", "certificate_authority_ids"):
            del one[1:]
        _leave_one_member(one)
