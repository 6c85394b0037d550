# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of object kinds: each kind that the schema describes has a module of its own, which `object` names."""

from __future__ import annotations

import pytest

from ansible_collections.edgeops.ingress.plugins.module_utils._model import schema
from ansible_collections.edgeops.ingress.plugins.module_utils._model.identifiers import (
    OBJECT_KINDS,
    OWN_MODULES,
    own_module,
)
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from collection_tree import MODULES


def test_each_resource_of_the_schema_has_a_collection_and_a_module() -> None:
    resources = {kind.name for kind in vars(schema).values() if isinstance(kind, Object) and kind.resource}
    assert resources
    assert resources <= set(OWN_MODULES.values()) <= set(MODULES)


def test_prefixes_and_collections_belong_to_one_kind() -> None:
    for values in (
        [kind.prefix for kind in OBJECT_KINDS],
        [kind.collection for kind in OBJECT_KINDS if kind.collection],
    ):
        assert len(values) == len(set(values))


@pytest.mark.parametrize(
    ("collection", "module"),
    [
        ("edges/https", "https_edge"),
        ("edges/https/edghts_1/routes", "https_edge_route"),
        ("edges/https/edghts_1/routes/more", ""),
        ("edges/https/edghts_1/other", ""),
        ("edges/https//routes", ""),
        ("edges/https/edghts_1", ""),
        ("edges/tls/edgtls_1/ip_restriction", "tls_edge_ip_restriction"),
        ("edges/tls", ""),
        ("event_subscriptions/esb_1/sources", "event_source"),
        ("ip_policies", ""),
        ("", ""),
    ],
)
def test_the_module_of_a_collection(collection: str, module: str) -> None:
    assert own_module(collection) == module
