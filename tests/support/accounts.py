# SPDX-License-Identifier: GPL-3.0-or-later
"""Many accounts: a service for each, and the files of docs/many_accounts.md for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

from collection_tree import CHECKOUT
from page import blocks
from reference_service_process import ReferenceService, running_program
from vaulted import VAULT_PASSWORD, encrypted

NAMES = [f"account{number:02}" for number in range(16)]

_KEY = re.compile(r"^ingress_api_key:.*\n( +.*\n)*", re.MULTILINE)
_STARTED_BY = Path(__file__).with_name("accounts_service.py")

Services = dict[str, ReferenceService]


@contextmanager
def running_services(folder: Path, names: Sequence[str] = NAMES) -> Iterator[Services]:
    ready = folder / "ready.json"
    with running_program((str(_STARTED_BY), str(ready), *names), ready, {}) as started:
        below = {name: f"{started.announced['base_url']}/{name}" for name in names}
        yield {name: ReferenceService(url, f"{url}/_control", f"ak_of_{name}") for name, url in below.items()}


def write_page(folder: Path, services: Services) -> None:
    """Write the files of the page, with these accounts instead of its own, and their keys encrypted."""
    files = {block.file: block.text for block in blocks(CHECKOUT / "docs" / "many_accounts.md") if block.file}
    example = yaml.safe_load(files.pop("host_vars/shop.yml"))
    files["inventory/accounts.yml"] = yaml.safe_dump({"accounts": {"hosts": dict.fromkeys(NAMES)}})
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "host_vars").mkdir(exist_ok=True)
    for name, service in services.items():
        write_account(folder, name, service, example)
    (folder / "vault_password").write_text(VAULT_PASSWORD, encoding="utf-8")


def write_account(folder: Path, name: str, service: ReferenceService, example: dict[str, Any]) -> None:
    [edge] = example["estate_https_edges"]
    account = {
        **example,
        "ingress_base_url": service.base_url,
        "ingress_api_key": "ENCRYPTED",
        "estate_https_edges": [{**edge, "hostports": [hostport_of(name)], "description": name}],
    }
    assert account.keys() == example.keys()
    key = f"!vault |\n{indent(encrypted(service.api_key), '  ')}".rstrip()
    text = yaml.safe_dump(account).replace("ENCRYPTED", key)
    (folder / "host_vars" / f"{name}.yml").write_text(text, encoding="utf-8")


def change_key(folder: Path, name: str, key: str | None) -> None:
    """Give an account another key, which nobody encrypted, or none."""
    path = folder / "host_vars" / f"{name}.yml"
    text = _KEY.sub("" if key is None else f"ingress_api_key: {key}\n", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def hostport_of(name: str) -> str:
    return f"{name}.example.com:443"


def hostports(service: ReferenceService) -> list[str]:
    """What the edges of an account serve."""
    return [hostport for edge in service.state()["https_edges"] for hostport in edge["hostports"]]


def writes(service: ReferenceService) -> list[str]:
    return [request["method"] for request in service.journal() if request["method"] != "GET"]


def keys_sent(service: ReferenceService) -> set[str]:
    """The keys of all requests that an account's service got, whoever sent them."""
    return {dict(request["headers"])["authorization"].removeprefix("Bearer ") for request in service.journal()}
