# SPDX-License-Identifier: GPL-3.0-or-later
"""An object that could not be found or read may be any: nothing changes that would open something without it."""

from __future__ import annotations

from typing import Any

import pytest

from cases import cases
from estates_to_judge import Given
from module_task import Tasks, accepted_writes
from places import EDGE, TLS_EDGE, seed_edges
from scripted_service import Response, rejecting

PAGE, OTHER, SPLIT, RULE = "bkdst_page", "bkdst_other", "bkdwd_split", "ipr_office"
ROOT = {"match_type": "path_prefix", "match": "/"}
LOGIN = {"oidc": {"issuer": "https://id.example.com", "client_id": "app", "client_secret": "words"}}
RESTRICTED = {"ip_restriction": {"ip_policy_ids": ["ipp_other"]}}


def changed(collection: str, body: Given, **found: Given | str) -> Given:
    return {"name": collection.replace("/", " "), "collection": collection, "body": body, **found}


# What is live, the objects and the edges that are declared, and what is withheld; and what the service rejects.
UNCLEAR = cases(
    """
    a route, and what is behind it | / >bkdst_page | [*SECRET] | [*TWICE] | bkdst_page
    a route, and whom its networks admit | / >bkdst_page office | [*WIDE] | [*TWICE] | ipr_office
    a route, and the certificates of its edge
        | "[certificates=ca] / >bkdst_page" | [] | [{<<: *TWICE, absent_modules: [mutual_tls]}] | edghts_place
    a route, and a hostport that moves to it | *TWO_EDGES | [] | [{<<: *TWICE, <<: *AB}, *C_ONLY] | edghts_place1
    an edge that several match | *TWO_EDGES | [*SECRET] | [{<<: *AB, <<: *CLOSED}] | bkdst_page
    an edge that is declared twice
        | "[host=a.example.com] / >bkdst_page" | [*SECRET] | [{id: edghts_place, <<: *CLOSED}, {<<: *A, <<: *CLOSED}]
        | bkdst_page
    an edge that would be new, and needs a hostport of another one
        | "[host=a.example.com] / >bkdst_page" | [*SECRET] | [{find_by: metadata, metadata: x, <<: *A, <<: *CLOSED}]
        | bkdst_page
    a TLS edge that is not read | / | [*SECRET, *VPN] | [] | bkdst_page | GET edgtls_place
    a TLS edge that is not read, and whom a policy admits | / | [*WIDE, *VPN] | [] | ipr_office | GET edgtls_place
    a TLS edge in another spelling | / | [*SECRET, *SPELLED_VPN] | [] | bkdst_page
    a backend, declared before the one that it may be
        | / >bkdst_page | [*TWIN, *SECRET] | [{id: edghts_place, <<: *CLOSED}] | bkdst_page | PATCH edghtsrt_root
    a backend, declared after the one that it may be
        | / >bkdst_page | [*SECRET, *TWIN] | [{id: edghts_place, <<: *CLOSED}] | bkdst_page | PATCH edghtsrt_root
    a backend, and a route that moves to what it may be | / >bkdst_page | [*TWIN] | [*MOVED] | edghtsrt_root
    a backend in another spelling, and what it leads to
        | / >bkdwd_split | [*SECRET, *SPELLED_SPLIT] | [] | bkdst_page
    """,
    TWO_EDGES="[host=a.example.com] / >bkdst_page | [host=b.example.com] / staff",
    A={"hostports": ["a.example.com:443"]},
    AB={"hostports": ["a.example.com:443", "b.example.com:443"]},
    C_ONLY={"id": f"{EDGE}1", "hostports": ["c.example.com:443"]},
    CLOSED={"routes": [{**ROOT, **LOGIN}]},
    TWICE={"id": EDGE, "routes": [{**ROOT, **LOGIN}, {"id": "edghtsrt_root", **ROOT, **LOGIN}]},
    MOVED={"id": EDGE, "routes": [{**ROOT, "backend": {"backend_id": OTHER}}]},
    SECRET=changed("backends/static", {"address": "secret.internal:80"}, id=PAGE),
    WIDE=changed("ip_policy_rules", {"cidr": "0.0.0.0/0"}, id=RULE),
    VPN=changed("edges/tls", RESTRICTED, id=TLS_EDGE),
    SPELLED_VPN=changed("edges/tls", RESTRICTED, find_by={"description": "The VPN"}),
    TWIN={**changed("backends/static", {"address": "open.internal:80"}, find_by={"description": "twin"}), "name": "t"},
    SPELLED_SPLIT=changed("backends/weighted", {"backends": {OTHER: 1}}, find_by={"description": "Split"}),
)


def seed(tasks: Tasks, text: str) -> None:
    """Put in edges, a TLS edge, and the backends and the policy that they use."""
    statics = [{"id": one, "address": f"{one}:80", "description": "twin"} for one in (PAGE, OTHER)]
    rule = {"id": RULE, "ip_policy_id": "ipp_office", "action": "allow", "cidr": "192.0.2.0/24"}
    tasks.service.seed(
        objects={
            "backends/static": statics,
            "backends/weighted": [{"id": SPLIT, "backends": {PAGE: 1}, "description": "split"}],
            "ip_policies": [{"id": "ipp_office"}],
            "ip_policy_rules": [rule],
        },
        tls_edges=[
            {
                "id": TLS_EDGE,
                "hostports": ["vpn.example.com:443"],
                "description": "the VPN",
                "backend": {"backend_id": PAGE},
                "ip_restriction": {"ip_policy_ids": ["ipp_office"]},
            }
        ],
    )
    seed_edges(tasks, text)


@pytest.mark.parametrize("case", UNCLEAR.values(), ids=UNCLEAR)
def test_nothing_changes_that_an_object_may_rely_on_that_is_not_known(tasks: Tasks, case: tuple[Any, ...]) -> None:
    live, objects, edges, withheld, *rejected = case
    seed(tasks, live)
    instead = rejecting(*rejected[0].split(), Response(500)) if rejected else None
    result = tasks.failed("estate", instead=instead, objects=objects, https_edges=edges, purge=["hostports"])
    assert accepted_writes(result) == []
    reasons = [line for line in result["msg"].splitlines() if "Not changed, because" in line]
    assert f"({withheld})" in "\n".join(reasons), result["msg"]
