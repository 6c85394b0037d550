# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges with their routes, drawn from a small alphabet, so that most of what is drawn overlaps."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

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


class AnyWorld:
    """What is live. With some of the switches, less of it is accepted."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.switches = {name: chance.choice(values) for name, values in SWITCHES.items() if chance.random() < 0.4}
        self.one_login = self.switches.get("one_login_per_edge")
        self.named_is_live = chance.random() < 0.5

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def live_objects(self) -> Fields:
        if not self.named_is_live:
            return {}
        objects: Fields = {}
        for identifier, one in NAMED.items():
            objects[one["collection"]] = [{"id": identifier, **one["find_by"], **one.get("body", {})}]
        return objects

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
        chosen += [
            name for name, share in (("ip_restriction", 0.3), ("webhook_verification", 0.1)) if self.often(share)
        ]
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
