# SPDX-License-Identifier: GPL-3.0-or-later
"""Who gets in, read from the service or judged from a declaration."""

from __future__ import annotations

from module_task import Tasks


def test_try(tasks: Tasks) -> None:
    tasks.service.seed(https_edges=[{"hostports": ["a.example.com:443"], "routes": [{"match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bk_1"}, "webhook_verification": {"provider": "github", "secret": "canary"}, "saml": {"idp_metadata": "<x/>"}}]}])
    r = tasks.done("exposure_info")
    import yaml
    print(yaml.safe_dump(r, sort_keys=False))
    r = tasks.done("exposure_info", estate={"https_edges": [{"hostports": ["a.example.com:443"], "routes": [{"match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bk_1", "enabled": "no"}}]}]})
    print(yaml.safe_dump(r, sort_keys=False))
    assert 0
