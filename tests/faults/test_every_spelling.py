# SPDX-License-Identifier: GPL-3.0-or-later
"""A service that quotes, in any way of writing it, what it was sent: no result and no line about progress holds it."""

from __future__ import annotations

import json
import random
from itertools import count, product

import pytest

from amount import SEED, some_of
from ansible_collections.edgeops.ingress.plugins.module_utils._transport.progress import Progress
from ansible_collections.edgeops.ingress.plugins.module_utils._values.identifiers import strings_in
from figures import LEAK, Figures
from hostile_strings import SPELLINGS
from module_task import Given, applied
from scripted_service import Received, Response, ScriptedService, as_json

WHAT = "secrets quoted in every encoding"
STATUSES = (200, 400, 401, 429, 503)
PLACES = ("msg", "error_code", "operation_id", "as a list", "a header", "at the cut", "the body", "an object")
CHARACTERS = "aZ09-_.~!*'();:@&=+$,/?#[]% \"\\<>{}|^`\n\t\u00e9\u20ac\U0001f600"
LENGTHS = (4, 5, 12, 40, 300)


def tasks_with(secret: str, key: str) -> dict[str, Given]:
    route = {"match_type": "exact_path", "match": "/", "oidc": {"issuer": "https://i.example.com", "client_id": "c"}}
    route["oidc"]["client_secret"] = secret  # type: ignore[index]
    tasks: dict[str, Given] = {
        "api": {"method": "POST", "path": "/edges/https", "body": {"deep": [{"client_secret": secret}]}},
        "estate": {"https_edges": [{"hostports": ["a.example.com:443"], "routes": [route]}]},
        "https_edge_route": {"edge_id": "edghts_one", **route},
        "https_edge_routes": {"edge_id": "edghts_one", "routes": [route]},
        "tunnel_info": {},
    }
    return {module: {**options, "api_key": key} for module, options in tasks.items()}


CASES = list(product(tasks_with("", ""), SPELLINGS, STATUSES, PLACES))


def response(status: int, place: str, written: str) -> Response:
    said: Given = {"error_code": "ERR", "msg": "no", "details": {"operation_id": "op_one"}}
    headers = {"Retry_After": "6"}
    if place == "a header":
        return Response(status, b"", {"Content-Type": written.encode("ascii", "replace").decode().replace("\n", " ")})
    if place == "operation_id":
        said["details"] = {"operation_id": written}
    elif place == "as a list":
        said["msg"] = [{written: written}]
    elif place == "at the cut":
        said["msg"] = "x" * (1995 - len(written) // 2) + written
    elif place == "an object":
        said = {"id": "edghts_one", "https_edges": [{"id": "edghts_one", "description": written, "routes": []}]}
        said |= {"description": written, "routes": [], "json": [written], "tunnels": []}
    elif place == "the body":
        return Response(status, written.encode("utf-8", "replace"), {"Content-Type": "text/plain"})
    else:
        said[place] = written
    return as_json(said, status, **headers)


@pytest.mark.parametrize(("module", "spelling", "status", "place"), some_of(CASES, 150, WHAT))
def test_no_quoted_secret_is_displayed(
    figures: Figures, responding: ScriptedService, module: str, spelling: str, status: int, place: str
) -> None:
    draw = random.Random(f"{SEED} {module} {spelling} {status} {place}")
    secret, key = "canary", "canarykey"
    secret += "".join(draw.choices(CHARACTERS, k=draw.choice(LENGTHS)))
    key += "".join(draw.choices(CHARACTERS[:12], k=draw.choice(LENGTHS)))
    spell = SPELLINGS[spelling]
    # Nothing but what the task knows can be known to be a secret.
    written = f"{spell(key if module == 'tunnel_info' else secret)} and {spell(key)}"

    def script(request: Received) -> Response:
        if request.method == "GET" and module != "tunnel_info" and request.number == 0 and place != "an object":
            return as_json({"id": "edghts_one", "hostports": [], "routes": [], "https_edges": []})
        return response(status, place, written)

    responding.received.clear()
    responding.script = script
    options = tasks_with(secret, key)[module]
    connection = {"base_url": responding.base_url, "retries": 1, "retry_max_wait": 20, "timeout": 5}
    said: list[str] = []
    moments = count(0.0, 6.0)  # A clock that jumps ahead, so that the task says something about its progress.
    progress = Progress(said.append, lambda: next(moments), lambda _seconds: None)
    result = applied(module, {**connection, **options}, progress=progress)
    assert "option_errors" not in result
    # As the worker hands it on, and what it has shown meanwhile.
    shown = [*strings_in(result), *said]
    # What shows a secret is all of it, or the beginning that is the same in most ways of writing it.
    parts = {"canary", spell("canary"), spell(secret), spell(key)}
    leaks = sorted({part for text in shown for part in parts if part in text})
    figures.tried(WHAT, len(responding.received), [f"{LEAK}: {part}" for part in leaks])
    assert leaks == [], json.dumps(shown)[:3000]
