# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks with secrets in them, successful and failing ones, and a search for those secrets in strings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from playbook_run import Ansible
from reference_service_process import API_KEY, ReferenceService

CANARIES = {
    "webhook_canary": "canary-of-the-webhook",
    "oidc_canary": "canary-of-oidc",
    "app_canary": 'canary of the app, "quoted" \\ and\nwith two lines',
    "google_canary": "canary-of-another-provider",
    "body_canary": "canary-in-a-body",
    "wrong_key_canary": "canary-of-a-wrong-key",
    "odd_type_canary": "canary-of-an-odd-type",
    "key_canary": "canary-of-a-private-key",
    "vault_canary": "canary-of-a-vault",
    "url_canary": "canary-of-a-url",
    "header_canary": "Bearer canary-of-a-header",
    "cookie_canary": "session=canary-of-a-cookie",
}
NEVER_SENT = ("odd_type_canary", "url_canary")
"""What is in options that are rejected."""

TASKS = """
- edgeops.ingress.https_edge_route: &route
    <<: &place {edge_id: edghts_canary, match_type: path_prefix, match: /}
    webhook_verification: {provider: slack, secret: "{{ webhook_canary }}"}
    oauth: {provider: {github: {client_id: app, client_secret: "{{ app_canary }}"}}}
  register: created
- edgeops.ingress.https_edge_route: *route
- edgeops.ingress.https_edge_route: &changed
    <<: *place
    absent_modules: [oauth]
    oidc: {issuer: https://id.example.com, client_id: client, client_secret: "{{ oidc_canary }}"}
  check_mode: true
- edgeops.ingress.https_edge_route: *changed
- edgeops.ingress.https_edge_routes:
    edge_id: edghts_canary
    routes:
      - match_type: exact_path
        match: /set
        request_headers: {add: {Authorization: "{{ header_canary }}"}}
        webhook_verification: {provider: slack, secret: "{{ webhook_canary }}"}
- edgeops.ingress.estate:
    https_edges:
      - id: edghts_canary
        routes:
          - match_type: exact_path
            match: /estate
            oidc: {issuer: https://id.example.com, client_id: client, client_secret: "{{ oidc_canary }}"}
          - match_type: exact_path
            match: /google
            oauth: {provider: {google: {client_id: app, client_secret: "{{ google_canary }}"}}}
- edgeops.ingress.estate_info:
- edgeops.ingress.api:
    method: PUT
    path: /edges/https/edghts_canary/routes/{{ created.https_edge_route.id }}/webhook_verification
    body: {provider: slack, secret: "{{ body_canary }}"}
- edgeops.ingress.api: {path: /edges/https/edghts_canary}
- edgeops.ingress.object: &object
    collection: backends/http_response
    find_by: {description: Canary}
    body:
      body: "-----BEGIN PRIVATE KEY-----\\n{{ key_canary }}\\n-----END PRIVATE KEY-----"
      headers: {Set-Cookie: "{{ cookie_canary }}"}
- edgeops.ingress.object: *object
- edgeops.ingress.object:
    collection: backends/http_response
    find_by: {description: Canary}
    body: {body: "No key"}
  check_mode: true
- edgeops.ingress.object_info: {collection: backends/http_response}
- edgeops.ingress.api: {path: /backends/http_response}
- edgeops.ingress.object: {collection: vaults, find_by: {name: Canary}}
  register: vault
- edgeops.ingress.object:
    collection: vault_secrets
    find_by: {name: Canary}
    body: {vault_id: "{{ vault.object.id }}", value: "{{ vault_canary }}"}
- edgeops.ingress.estate:
    objects:
      - name: canary
        collection: vault_secrets
        find_by: {name: Canary}
        body: {metadata: new, value: "{{ vault_canary }}"}
      - name: key
        collection: backends/http_response
        find_by: {description: Canary}
        body: {metadata: new}
- edgeops.ingress.object_info: {collection: vault_secrets, find_by: {value: "{{ vault_canary }}"}}
- ansible.builtin.debug:
    msg: "{{ lookup('edgeops.ingress.object_id', 'backends/http_response', description='None') }}"
- edgeops.ingress.api: {method: POST, path: /vault_secrets, body: {value: "{{ vault_canary }}"}}
- edgeops.ingress.estate_info: {objects: [backends/http_response, vault_secrets]}
- ansible.builtin.debug: {var: created}
- edgeops.ingress.https_edge_route:
    edge_id: edghts_canary
    match: /
    unknown: true
    webhook_verification: {provider: slack, secret: "{{ webhook_canary }}", more: true}
    oauth: {provider: {google: {client_secret: "{{ google_canary }}", client_secrets: "{{ oidc_canary }}"}}}
    circuit_breaker: {num_buckets: 1000}
- edgeops.ingress.https_edge_route: {<<: *place, api_kye: "{{ url_canary }}", oidc: {client_secert: "{{ url_canary }}"}}
- edgeops.ingress.https_edge_route: {<<: *place, oidc: {client_secret: {inner: "{{ odd_type_canary }}"}}}
- edgeops.ingress.https_edge_route: {<<: *place, edge_id: edghts_nowhere, oidc: {client_secret: "{{ oidc_canary }}"}}
- edgeops.ingress.api: {method: PUT, path: /nowhere, body: [{deep: {client_secret: "{{ body_canary }}"}}]}
- edgeops.ingress.tunnel_info: {base_url: "https://user:{{ url_canary }}@127.0.0.1:1"}
- edgeops.ingress.tunnel_info: {api_key: "{{ wrong_key_canary }}"}
- edgeops.ingress.api: {path: /tunnels, api_key: "{{ wrong_key_canary }}"}
- edgeops.ingress.api:
    {base_url: "http://127.0.0.1:9", retries: 0, method: POST, path: /edges/https, body: {secret: "{{ body_canary }}"}}
"""


def prepared(service: ReferenceService, folder: Path) -> Ansible:
    service.reset()
    service.seed(https_edges=[{"id": "edghts_canary", "hostports": ["canary.example.com:443"]}])
    service.switches(rejection_quotes_key=True, error_quotes_request="escaped")
    # From a file: Ansible itself prints what its command line and the lines around a failed task say.
    (folder / "variables.json").write_text(json.dumps(CANARIES), encoding="utf-8")
    return Ansible(folder, service)


def sent(service: ReferenceService) -> Iterator[str]:
    """The secrets that the service got: if they had not been used, there would be nothing to hide."""
    requests = json.dumps([[request["headers"], request["body"]] for request in service.journal()])
    yield from (secret for secret in (*CANARIES.values(), API_KEY) if as_written(secret) in requests)


def as_written(secret: str) -> str:
    """A part of the secret that is the same in every way of writing it."""
    return secret.split(",", maxsplit=1)[0]


def shown(strings: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Where a string shows a secret, with what stands around it."""
    return [
        (name, secret, text[max(0, text.index(part) - 200) : text.index(part) + 100])
        for name, text in strings.items()
        for secret, part in ((secret, as_written(secret)) for secret in (*CANARIES.values(), API_KEY))
        if part in text
    ]
