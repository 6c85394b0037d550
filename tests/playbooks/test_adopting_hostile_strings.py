# SPDX-License-Identifier: GPL-3.0-or-later
"""The live configuration is exported and applied again: no string of the service means anything to Ansible."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from collection_tree import CHECKOUT
from hostile_strings import HOSTILE
from playbook_run import Ansible, Run

pytestmark = pytest.mark.every_core

PURGE = json.dumps({"estate_purge": ["edges", "routes", "modules", "sources"]})


def world(canary: Path) -> dict[str, Any]:
    """Strings that would leave a file at this path if they were taken for templates, and others, wherever they fit."""
    run = f"lookup('pipe', 'touch {canary}')"
    strings = [
        *(f"{{{{ {run} }}}}", f"{{% if {run} %}}{{% endif %}}", f"x{{{{{run}}}}}"),
        f"#jinja2:variable_start_string:'[[',variable_end_string:']]'\n[[ {run} ]]",
        *(text for text in HOSTILE if "\0" not in text),
    ]
    edges: list[dict[str, Any]] = [
        {
            "id": f"edghts_{number}",
            "hostports": [f"{number}.example.com:443"],
            "description": text,
            "metadata": text,
            "routes": [{"match_type": "exact_path", "match": f"/{text}", "description": text}],
        }
        for number, text in enumerate(strings[:16])
    ]
    # Headers hold no line break, and their names no blank. Whatever else a service returns there must be rejected.
    headers = {f"x-{number}": re.sub(r"[\r\n]", " ", text) for number, text in enumerate(strings)}
    headers |= {re.sub(r"[\s:\x00-\x1f\x7f]", "_", text.lower()) or "x": "" for text in strings}
    edges[0]["routes"][0]["request_headers"] = {"add": headers}
    return {"https_edges": edges}


def succeeded(ansible: Ansible, playbook: str, *arguments: str) -> Run:
    project = ansible.folder / "project"
    environment = {"INGRESS_BASE_URL": ansible.service.base_url, "INGRESS_API_KEY": ansible.service.api_key}
    inventory = ("--inventory", str(project / "inventory" / "accounts.yml"))
    run = ansible.playbook(project / playbook, *inventory, *arguments, environment=environment)
    assert run.code == 0, run.output
    return run


@pytest.mark.long(cores=0)
def test_the_project_for_awx_takes_no_text_for_a_template(ansible: Ansible) -> None:
    ansible.service.seed(**world(ansible.folder / "canary"))
    before = ansible.service.state()
    project = ansible.folder / "project"
    shutil.copytree(CHECKOUT / "docs" / "awx" / "project", project)
    succeeded(ansible, "export.yml")
    kept = (project / "host_vars" / "shop.yml").read_text(encoding="utf-8").partition("estate_https_edges:")[0]
    written = (project / "exported" / "shop.yml").read_text(encoding="utf-8")
    (project / "host_vars" / "shop.yml").write_text(kept + written, encoding="utf-8")
    applied = succeeded(ansible, "estate.yml", "--check", "--extra-vars", PURGE)
    assert applied.result("Make the service match the declaration")["changed"] is False
    assert ansible.service.state() == before
    assert not (ansible.folder / "canary").exists()
