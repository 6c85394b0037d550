# SPDX-License-Identifier: GPL-3.0-or-later
"""IP policies and their rules, live and as an estate declares them."""

from __future__ import annotations

from typing import Any

from estates_to_judge import estate
from module_task import Tasks
from places import EDGE

Given = dict[str, Any]

OFFICE: Given = {"name": "office", "collection": "ip_policies", "find_by": {"description": "office"}}


def rule(cidr: str, action: str = "allow", policy: str = "ref:office", **more: Any) -> Given:
    """A rule as it is declared, which its action distinguishes as well."""
    found = {"ip_policy_id": policy, "action": action, "cidr": cidr}
    return {"name": f"{action} {cidr.replace('/', '-')}", "collection": "ip_policy_rules", "find_by": found, **more}


def live_rule(cidr: str, action: str = "allow") -> Given:
    identifier = f"ipr_{action}_{cidr.partition('.')[0]}"
    return {"id": identifier, "ip_policy_id": "ipp_office", "action": action, "cidr": cidr}


def seed_rules(tasks: Tasks, edges: str, *rules: Given) -> None:
    """Put in two IP policies, the rules of the first one, and HTTPS edges in a line of text."""
    policies = [{"id": f"ipp_{name}", "description": name} for name in ("office", "other")]
    tasks.service.seed(objects={"ip_policies": policies, "ip_policy_rules": list(rules)})
    for edge in estate(edges)["https_edges"] if edges else ():
        routes = [{"id": f"edghtsrt_{one['match'].strip('/') or 'root'}", **one} for one in edge["routes"]]
        tasks.service.seed(https_edges=[{"id": EDGE, **edge, "routes": routes}])
