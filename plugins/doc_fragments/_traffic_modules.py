# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Options and sentences that edges, routes, and their traffic modules have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import yaml

from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import Options, described
from ansible_collections.edgeops.ingress.plugins.module_utils._model.objects import Object
from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_wording import Spec

KEPT_OR_CHOSEN = "If omitted, the current value is kept. For a new traffic module, the service chooses the value."
REQUIRED_IF_NEW = "Required in a new traffic module."
EMPTY_LIST = "If omitted, the list is empty."
UINT32 = "From V(0) to V(4294967295)."
SECONDS = f"{UINT32} V(1h30m) is accepted as well."
MASKED = "The value is never displayed. Results contain the mask V(********) instead."
NOT_RETURNED = (
    "If the service does not return its secrets and another setting of this traffic module changes, set the secret as "
    "well; otherwise, the task fails."
)

DESCRIPTION_AND_METADATA = """
description:
  - A description for human readers.
  - Maximum length is 255 bytes in UTF-8, where characters outside ASCII count as several bytes.
  - If omitted, the current value is kept. An empty string clears it.
metadata:
  - Data for your own tools.
  - Either a string, or a dictionary or list, which is stored as compact JSON with sorted keys. Maximum length is 4096
    bytes in UTF-8.
  - JSON is compared as JSON, and other strings without blanks and line breaks at their ends.
  - If omitted, the current value is kept. An empty string, dictionary, or list clears it.
"""

ENABLED = """
enabled:
  - Whether the traffic module is active.
  - If omitted, V(true).
"""

IP_POLICY_IDS = f"""
ip_policy_ids:
  - The IDs of the IP policies.
  - Each starts with V(ipp_). Order is ignored.
  - {EMPTY_LIST} Required if nothing but C(enabled=true) is declared with it.
"""

MIN_VERSION = f"""
min_version:
  - The lowest TLS version that clients may use.
  - The accepted values depend on the service. A value that differs from a known version by one letter is a warning.
  - {KEPT_OR_CHOSEN}
"""
"""More sentences can be added to it."""

MODULE_OPTIONS: Spec = {
    "absent_modules": {"type": "list", "elements": "str", "default": []},
    "purge_modules": {"type": "bool", "default": False},
}

NOTES: list[str] = yaml.safe_load("""
- The service replaces a traffic module as a whole, so declare all of its settings. If omitted, C(enabled) is V(true),
  lists, rules, headers, and suboptions of OAuth providers are empty, and other values are kept or, in a new traffic
  module, chosen by the service.
- If only C(enabled=false) is declared, the settings of a traffic module are kept, but traffic bypasses it.
- An empty dictionary, V({}), declares a traffic module with its defaults. It is an error if other settings are needed,
  because the cause is often V(default(omit\\)) with a variable that is not set.
""")


def modules(kinds: Mapping[str, Object], sentences: Mapping[str, tuple[str, ...]]) -> Options:
    """Return the options of these traffic modules. The last string is about the suboptions besides `enabled`."""
    return {
        name: {
            "description": [brief, *filter(None, [details])],
            "type": "dict",
            "suboptions": described("".join((ENABLED, *suboptions)), kinds[name].options()),
        }
        for name, (brief, details, *suboptions) in sentences.items()
    }


def absent_modules(names: Iterable[str]) -> Options:
    """Return the option that removes traffic modules with these names."""
    option = described(_ABSENT_MODULES, MODULE_OPTIONS)
    option["absent_modules"]["choices"] = list(names)
    return option


_ABSENT_MODULES = """
absent_modules:
  - The traffic modules to remove.
  - Traffic modules that are not set are ignored. Do not list a traffic module that the task also declares.
  - If the service cannot remove a traffic module, the task fails. Declare it with C(enabled=false) instead.
"""

PURGE_MODULES = described(
    """
purge_modules:
  - Whether to purge other traffic modules.
  - With V(true), all traffic modules that are not declared are removed.
""",
    MODULE_OPTIONS,
)
