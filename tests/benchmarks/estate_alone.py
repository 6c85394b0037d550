# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of the module estate without Ansible's executor around it, for its peak memory."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from ansible.plugins.loader import init_plugin_loader

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "dev"))

from collection_tree import link_checkout

init_plugin_loader([str(link_checkout())])

from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry  # noqa: E402
from ansible_collections.edgeops.ingress.plugins.module_utils._entry import checked, masked  # noqa: E402
from ansible_collections.edgeops.ingress.plugins.module_utils._resources.estate import DEFINITION  # noqa: E402

connection = {"base_url": os.environ["INGRESS_BASE_URL"], "api_key": os.environ["INGRESS_API_KEY"]}
declared = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
arguments = checked(DEFINITION, {**connection, "https_edges": declared})
result = masked(entry.result_of(DEFINITION, arguments.options), DEFINITION, arguments)
sys.exit(1 if result["changed"] or result.get("failed") else 0)
