# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of estates, drawn from a seed: what is live, and a task that changes who gets through.

Most changes overlap: a route below another one, a hostport that moves to an edge with other certificates, a login that
another one replaces. Each change comes about on a service with its switches. What is to be is drawn first, and then
declared in one of several ways.
"""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_world import FIRST

Fields = dict[str, Any]

EDGE_IDS = ("edghts_a", "edghts_b", "edghts_c")
HOSTPORTS = [f"{name}.example.com:443" for name in "abcd"]
MATCHES = ["/", "/admin", "/admin/x", "/pub"]
NAMING_A_HOST = "a.example.com/admin"
BACKENDS = ["bkd_one", "bkd_two", "bkd_named"]
POLICIES = ["ipp_one", "ipp_two", "ipp_named"]
AUTHORITIES = ["ca_one", "ca_two"]
LOGINS = ("oauth", "oidc", "saml")
NAMED: dict[str, Fields] = {
    "bkd_named": {
        "name": "shop",
        "collection": "backends/static",
        "find_by": {"description": "shop"},
        "body": {"address": "shop.internal:443"},
    },
    "ipp_named": {"name": "office", "collection": "ip_policies", "find_by": {"description": "office"}},
}
"""Objects that the task may declare, by the ID that they have if they are live."""

SWITCHES: dict[str, list[Any]] = {
    "one_auth_module": [True, False],
    "one_login_per_edge": [True, False, False, False, "enabled"],
    "secrets": ["echoed", "redacted", "left_out"],
    "match_unique": ["with_type", "alone"],
    "defaults": ["filled", "omitted"],
    "references": ["list", "single", "ids"],
    "delete_unset_module": [204, 404],
    "patch_forgets_text": [False, True],
    "slow_releases": [0, 1],
    "list_members": ["without_routes", "short_routes", "without_parts", "id_and_uri"],
}


@dataclass
class Change:
    """What is live, as the service is seeded with it, and a task: its module, and its options."""

    live: Fields
    module: str
    options: Fields
    switches: Fields = field(default_factory=dict)
    expects_plan: bool = False
    is_silent: bool = False
    """Whether the service returns 204 to updates."""

    @property
    def known(self) -> frozenset[str]:
        """The IDs that are the same in each run."""
        return frozenset(re.findall('"id": "(.*?)"', json.dumps(self.live)))

    @property
    def without_declared_backend(self) -> frozenset[str]:
        """The IDs of the live routes that the task declares without their backend."""
        return self._declared(lambda route: "backend" not in route)

    @property
    def leaves_routes(self) -> bool:
        """Whether there are live routes that the task does not declare."""
        return len(self._declared()) < sum(len(edge["routes"]) for edge in self.live["https_edges"])

    def _declared(self, is_meant: Callable[[Fields], bool] = bool) -> frozenset[str]:
        """The IDs of the live routes that the task declares in such a way, by their IDs or by edge and match."""
        declared: set[Any] = set()
        for edge in self.options.get("https_edges", [self.options]):
            for route in filter(is_meant, edge.get("routes", [edge])):
                declared |= {route.get("id"), (edge.get("edge_id", edge.get("id")), route.get("match"))}
        live = [(edge["id"], route) for edge in self.live["https_edges"] for route in edge["routes"]]
        return frozenset(one["id"] for edge, one in live if declared & {one["id"], (edge, one["match"])})


def any_change(seed: str) -> Change:
    return _Drawing(random.Random(seed)).change()


class _Drawing:
    """With some of the switches, less of what is live is accepted."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.switches = {name: chance.choice(values) for name, values in SWITCHES.items() if chance.random() < 0.4}
        self.one_login = self.switches.get("one_login_per_edge")
        self.named_is_live = chance.random() < 0.5

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def live_objects(self) -> Fields:
        named = NAMED.items() if self.named_is_live else ()
        return {one["collection"]: [{"id": name, **one["find_by"], **one.get("body", {})}] for name, one in named}

    def live_edges(self) -> list[Fields]:
        ids = EDGE_IDS[: self.chance.choice([1, 2, 2, 3])]
        owners = {hostport: self.chance.choice([*ids, *ids, None]) for hostport in HOSTPORTS}
        edges = []
        for identifier in ids:
            matches = self.chance.sample(MATCHES, self.chance.choice([1, 2, 2, 3]))
            if self.often(0.08):
                matches.append(NAMING_A_HOST)
            routes = [
                {"id": f"edghtsrt_{identifier[-1]}{number}", "description": f"Number {number}", **self.route(match)}
                for number, match in enumerate(matches)
            ]
            hostports = [hostport for hostport, owner in owners.items() if owner == identifier]
            edge = {"id": identifier, "hostports": hostports, "routes": routes}
            edges.append({**edge, **({"mutual_tls": self.mutual_tls()} if self.often(0.4) else {})})
            self.leave_one_login(routes)
        return edges

    # Modules and routes

    def enabled(self) -> Fields:
        """`enabled` is often omitted, which means true."""
        return self.chance.choice([{}, {}, {}, {"enabled": True}, {"enabled": False}])

    def members(self, ids: Sequence[str], limit: int = 2) -> list[str]:
        choices = [one for one in ids if self.named_is_live or one not in NAMED]
        return sorted(self.chance.sample(choices, self.chance.randint(1, min(limit, len(choices)))))

    def mutual_tls(self) -> Fields:
        return {"certificate_authority_ids": self.members(AUTHORITIES), **self.enabled()}

    def module(self, name: str) -> Fields:
        number = self.chance.choice([1, 2])
        app = {"client_id": f"app{number}", "client_secret": f"secret{number}"}
        contents: Fields = {
            "backend": {"backend_id": self.members(BACKENDS, 1)[0]},
            "ip_restriction": {"ip_policy_ids": self.members(POLICIES)},
            "webhook_verification": {"provider": self.chance.choice(["slack", "github"]), "secret": "signing"},
            "oidc": {"issuer": f"https://id{number}.example.com", **app},
            "oauth": {"provider": {"github": {**app, "organizations": [f"team{number}"]}}},
            "saml": {"idp_metadata": f"<metadata {number}/>", "authorized_groups": [f"group{number}"]},
        }
        return {**contents[name], **self.enabled()}

    def guards(self) -> Fields:
        chosen = [self.chance.choice(LOGINS)] if self.often(0.45) else []
        shares = {"ip_restriction": 0.3, "webhook_verification": 0.1}
        chosen += [name for name in shares if self.often(shares[name])]
        return {name: self.module(name) for name in chosen}

    def route(self, match: str) -> Fields:
        match_type = "exact_path" if self.often(0.2) else "path_prefix"
        backend = {"backend": self.module("backend")} if self.often(0.9) else {}
        return {"match_type": match_type, "match": match, **backend, **self.guards()}

    def leave_one_login(self, routes: Sequence[Fields], kept: Sequence[Fields] = ()) -> None:
        """Some services accept one route with a login for each edge."""
        if not self.one_login:
            return
        has_one = any(self.counted(route) for route in kept)
        for route in routes:
            counted = self.counted(route)
            for name in counted if has_one else ():
                if self.one_login == "enabled":
                    route[name] = {**route[name], "enabled": False}
                else:
                    del route[name]
            has_one = has_one or bool(counted)

    def counted(self, route: Fields) -> list[str]:
        """The logins of a route that count where one is accepted for each edge."""
        held = [name for name in LOGINS if name in route]
        return [name for name in held if self.one_login != "enabled" or route[name].get("enabled", True)]

    # Tasks

    def change(self) -> Change:
        live = self.live_edges()
        draws = {"estate": self.estate, "https_edge_routes": self.routes_of_an_edge}
        draws |= {"https_edge_route": self.one_route, "https_edge": self.one_edge}
        module = self.chance.choices(list(draws), [6, 2, 1, 1])[0]
        options = draws[module](live)
        has_plan = module in ("estate", "https_edge_routes")
        seed = {"https_edges": live, "objects": self.live_objects()}
        return Change(seed, module, options, self.switches, has_plan and self.often(0.2))

    # What is to be

    def changed_routes(self, edge: Fields, purge: bool) -> list[Fields]:
        """The declared routes as they are to be; those that are there have their IDs."""
        live = edge["routes"]
        routes = [copy.deepcopy(route) for route in live if self.often(0.85)]
        for _step in range(self.chance.choice([1, 1, 2, 3, 5])):
            self.change_a_route(routes)
        others = self.undeclared(live, routes, purge)
        taken = {route["match"] for route in [*routes, *([] if purge else others)]}
        new = self.route(self.chance.choice(MATCHES))
        # One with the match of a live route would be that one.
        is_free = new["match"] not in taken and not any(has_match_of(new, one) for one in live)
        if is_free and self.often(0.5):
            routes.append({**new, "description": f"new {new['match']} of {edge['id'] or 'the new edge'}"})
        # A route that is purged keeps its login until everything else is done.
        self.leave_one_login(routes, others)
        return routes

    @staticmethod
    def undeclared(live: Sequence[Fields], routes: list[Fields], purge: bool) -> list[Fields]:
        """The live routes that are not among the declared ones, of which those go that one of the others is in the way
        of: it keeps its match, unless it is purged.
        """
        while True:
            others = [route for route in live if route["id"] not in {one["id"] for one in routes}]
            kept = set() if purge else {route["match"] for route in others}
            blocked = [route for route in routes if route["match"] in kept]
            if not blocked:
                return others
            for route in blocked:
                routes.remove(route)

    def change_a_route(self, routes: list[Fields]) -> None:
        if routes:
            steps = [self.change_guards, self.change_login, self.move_login, self.swap_matches, self.change_backend]
            steps += [self.change_guards, self.switch_a_module]
            route, other = self.chance.choice(routes), self.chance.choice(routes)
            if self.often(1 / 8):
                routes.remove(route)
            else:
                self.chance.choice(steps)(route, other)

    def change_guards(self, route: Fields, _other: Fields) -> None:
        for name in ("ip_restriction", "webhook_verification", *LOGINS):
            route.pop(name, None)
        route |= self.guards()

    def change_login(self, route: Fields, _other: Fields) -> None:
        held = [name for name in LOGINS if route.pop(name, None)]
        name = self.chance.choice(LOGINS)
        route.update({name: self.module(name)} if held or self.often(0.5) else {})

    def move_login(self, route: Fields, other: Fields) -> None:
        held = {name: route.pop(name) for name in LOGINS if name in route}
        for name in LOGINS if held else ():
            other.pop(name, None)
        other.update(held)

    def swap_matches(self, route: Fields, other: Fields) -> None:
        for name in ("match", "match_type"):
            route[name], other[name] = other[name], route[name]

    def change_backend(self, route: Fields, _other: Fields) -> None:
        route.pop("backend", None)
        route.update({"backend": self.module("backend")} if self.often(0.85) else {})

    def switch_a_module(self, route: Fields, _other: Fields) -> None:
        held = [name for name in ("backend", "ip_restriction", *LOGINS) if name in route]
        for name in held and [self.chance.choice(held)]:
            route[name] = {**route[name], "enabled": not route[name].get("enabled", True)}

    # How it is declared

    def declared_route(self, wanted: Fields, live: Fields | None, purges_modules: bool = False) -> Fields:
        modules = {name: value for name, value in wanted.items() if isinstance(value, dict)}
        key = {"match_type": wanted["match_type"], "match": wanted["match"]}
        if live is None:
            return {**key, "description": wanted["description"], **modules}
        by_key = has_match_of(wanted, live) and self.often(0.5)
        route = {**({} if by_key else {"id": wanted["id"]}), **key}
        return {**route, **self.declared_modules(modules, live, purges_modules)}

    def declared_modules(self, modules: Fields, live: Mapping[str, Any], purges_modules: bool) -> Fields:
        gone = [name for name, value in live.items() if isinstance(value, dict) and name not in modules]
        if purges_modules or (gone and self.often(0.3)):
            return {**modules, **({} if purges_modules else {"purge_modules": True})}
        omitted = [name for name, value in modules.items() if value == live.get(name) and self.often(0.4)]
        declared = {name: value for name, value in modules.items() if name not in omitted}
        return {**declared, **({"absent_modules": gone} if gone else {})}

    def declared_routes(self, edge: Fields, purge: bool, purges_modules: bool = False) -> list[Fields]:
        by_id = {route["id"]: route for route in edge["routes"]}
        wanted = self.changed_routes(edge, purge)
        routes = [self.declared_route(one, by_id.get(one.get("id", "")), purges_modules) for one in wanted]
        return self.chance.sample(routes, len(routes))

    def estate(self, live: Sequence[Fields]) -> Fields:
        purge = [kind for kind in ("edges", "routes", "modules") if self.often(0.4)]
        declared = [edge for edge in live if self.often(0.85)] or list(live[:1])
        is_new_wanted = self.often(0.25)
        slots: list[Fields | None] = [*declared, *([None] if is_new_wanted else [])]
        owned = self.owned(slots, live, "edges" in purge)
        edges = []
        for slot, hostports in zip(slots, owned, strict=True):
            if slot is None and not hostports:
                continue
            there = slot or {"id": None, "routes": []}
            edge = self.declared_edge(there, hostports, "modules" in purge)
            if slot is None or self.often(0.85):
                edge["routes"] = self.declared_routes(there, "routes" in purge, "modules" in purge)
            edges.append(edge)
        kinds = [kind for kind in purge if kind != "routes" or any("routes" in edge for edge in edges)]
        options = {"https_edges": self.chance.sample(edges, len(edges)), "purge": [*kinds, "hostports"]}
        options |= {"max_deletions": 100, "allow_empty": True, "concurrency": self.chance.choice([1, 4])}
        return self.with_names(options)

    def owned(self, slots: Sequence[Fields | None], live: Sequence[Fields], purge: bool) -> list[list[str]]:
        """The hostports that each declared edge is to have."""
        owned: list[list[str]] = [[] for _slot in slots]
        for hostport in HOSTPORTS:
            owner = next((edge for edge in live if hostport in edge["hostports"]), None)
            if owner is not None and owner not in slots and not purge:
                continue
            # A new edge that had the hostport of an undeclared one would be that one.
            free = [number for number, slot in enumerate(slots) if slot or owner is None or owner in slots]
            stays = [number for number, slot in enumerate(slots) if slot and slot is owner]
            choice = self.chance.choice([*(6 * (stays or [None])), *free, None])
            if choice is not None:
                owned[choice].append(hostport)
        return owned

    def declared_edge(self, there: Fields, hostports: list[str], purges_modules: bool) -> Fields:
        wanted = {"mutual_tls": there["mutual_tls"]} if "mutual_tls" in there else {}
        if self.often(0.4):
            wanted = {"mutual_tls": self.mutual_tls()} if self.often(0.5) else {}
        if there["id"] is None:
            return {"description": "new edge", "hostports": hostports, **wanted}
        edge: Fields = {"id": there["id"], **self.declared_modules(wanted, there, purges_modules)}
        is_same = sorted(hostports) == sorted(there["hostports"])
        return edge if is_same and self.often(0.5) else {**edge, "hostports": hostports}

    def with_names(self, options: Fields) -> Fields:
        """The task declares what it refers to by name, or refers to an object that is live by its ID."""
        if self.named_is_live and self.often(0.6):
            return options
        options = {**options, "objects": [dict(one) for one in NAMED.values()]}
        for edge in options["https_edges"]:
            for route in edge.get("routes", ()):
                if "backend" in route and self.often(0.4):
                    route["backend"] = {**route["backend"], "backend_id": "ref:shop"}
                if "ip_restriction" in route and self.often(0.4):
                    route["ip_restriction"] = {**route["ip_restriction"], "ip_policy_ids": ["ref:office"]}
        return options

    def routes_of_an_edge(self, live: Sequence[Fields]) -> Fields:
        edge, purge = self.chance.choice(live), self.often(0.5)
        routes = self.declared_routes(edge, purge)
        return {"edge_id": edge["id"], "routes": routes, "purge": purge, "max_deletions": 100, "allow_empty": True}

    def one_route(self, live: Sequence[Fields]) -> Fields:
        edge = self.chance.choice(live)
        route = self.chance.choice(edge["routes"])
        if self.often(0.15):
            return {"edge_id": edge["id"], "id": route["id"], "state": "absent"}
        wanted = [copy.deepcopy(route)]
        while wanted == [route]:
            self.change_a_route(wanted)
            wanted = wanted or [copy.deepcopy(route)]
        self.leave_one_login(wanted, [one for one in edge["routes"] if one is not route])
        return {"edge_id": edge["id"], **self.declared_route(wanted[0], route)}

    def one_edge(self, live: Sequence[Fields]) -> Fields:
        edge = self.chance.choice(live)
        if self.often(0.15):
            return {"id": edge["id"], "state": "absent"}
        taken = {hostport for other in live if other is not edge for hostport in other["hostports"]}
        hostports = [one for one in HOSTPORTS if one not in taken and self.often(0.7)]
        return {**self.declared_edge(edge, hostports, False), "purge_hostports": True, "allow_empty": True}


def has_match_of(route: Fields, other: Fields) -> bool:
    return all(route[name] == other[name] for name in ("match_type", "match"))


# Of redistributions.
MOVED = [f"{name}.example.com:443" for name in "uvwxy"]
SWAPPED = ["/", "/a", "/b", "h.example.com/c"]
BACKEND = {"backend_id": "bkd_one"}
MUTUAL_TLS = {"mutual_tls": {"certificate_authority_ids": ["ca_one"]}}


def redistribution(seed: str) -> Change:
    """Hostports, matches, and logins that move between three edges, as services take one of each."""
    chance = random.Random(seed)
    edges, declared = [], []
    old, new = ({host: chance.choice(EDGE_IDS) for host in MOVED} for _end in range(2))
    one_login = chance.random() < 0.5
    for edge_id in EDGE_IDS:
        before, after = (_routes_with_logins(chance, one_login) for _end in range(2))
        live = [
            {"id": f"edghtsrt_{edge_id[-1]}{number}", **route, "description": f"{number}"}
            for number, route in enumerate(before)
        ]
        edge = {"id": edge_id, "hostports": [host for host in MOVED if old[host] == edge_id], "routes": live}
        edges.append({**edge, **(MUTUAL_TLS if chance.random() < 0.7 else {})})
        # The first ones that are there are declared by their IDs; others are new.
        ids = [{"id": route["id"]} for route in live] + [{}] * len(after)
        absent = [[name for name in LOGINS if name not in route] for route in after]
        routes = [{**ids[at], **route, "absent_modules": absent[at]} for at, route in enumerate(after)]
        protected = MUTUAL_TLS if chance.random() < 0.7 else {"absent_modules": ["mutual_tls"]}
        hostports = [host for host in MOVED if new[host] == edge_id]
        routes = chance.sample(routes, len(routes))
        declared.append({"id": edge_id, "hostports": hostports, **protected, "routes": routes})
    # What is neither declared nor purged keeps its match and its login.
    pairs = zip(edges, declared, strict=True)
    is_all_declared = all(len(there["routes"]) <= len(one["routes"]) for there, one in pairs)
    purge = chance.choice([[], ["routes"]]) if is_all_declared else ["routes"]
    options = {"https_edges": chance.sample(declared, len(declared)), "purge": purge, "max_deletions": 100}
    switches = {"one_login_per_edge": one_login, "match_unique": "alone"}
    return Change({"https_edges": edges, "objects": {}}, "estate", {**options, "concurrency": 1}, switches)


def _routes_with_logins(chance: random.Random, one_login: bool) -> list[Fields]:
    matches = chance.sample(SWAPPED, chance.choice([2, 3, 3]))
    routes: list[Fields] = [{"match_type": "path_prefix", "match": one, "backend": BACKEND} for one in matches]
    # The third one may be purged, and would keep the only login until everything else is done.
    protected = [chance.choice(routes[:2])] if one_login else [route for route in routes if chance.random() < 0.5]
    for route in protected:
        login = chance.choice(("oidc", "oauth"))
        route[login] = FIRST[login]
    return routes
