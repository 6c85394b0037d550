# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Options and sentences that the traffic modules of edges and routes have in common."""

from __future__ import annotations

from collections.abc import Iterable

from ansible_collections.edgeops.ingress.plugins.doc_fragments._nesting import nested

KEPT_OR_CHOSEN = "If omitted, the current value is kept. For a new traffic module, the service chooses the value."
REQUIRED_IF_NEW = "Required in a new traffic module."
EMPTY_LIST = "If omitted, the list is empty."
UINT32 = "From V(0) to V(4294967295)."
SECONDS = f"{UINT32} V(1h30m) is accepted as well."
MASKED = "The value is never displayed. Results contain the mask V(********) instead."
NOT_RETURNED = (
    "If the service does not return its secrets and another setting of this traffic module changes, set the secret as\n"
    "      well; otherwise, the task fails."
)

ENABLED = """
enabled:
  description:
    - Whether the traffic module is active.
    - If omitted, V(true).
  type: bool
"""

IP_POLICY_IDS = f"""
ip_policy_ids:
  description:
    - The IDs of the IP policies.
    - Each starts with V(ipp_). Order is ignored.
    - {EMPTY_LIST} Required if nothing but C(enabled=true) is declared with it.
  type: list
  elements: str
"""

MIN_VERSION = f"""
min_version:
  type: str
  description:
    - The lowest TLS version that clients may use.
    - The accepted values depend on the service. A value that differs from a known version by one letter is a warning.
    - {KEPT_OR_CHOSEN}
"""
"""The description comes last, so that entries can be added to it."""

PURGE_MODULES = """
purge_modules:
  description:
    - Whether to purge other traffic modules.
    - With V(true), all traffic modules that are not declared are removed.
  type: bool
  default: false
"""

NOTES = """
- The service replaces a traffic module as a whole, so declare all of its settings. If omitted, C(enabled) is V(true),
  lists, rules, headers, and suboptions of OAuth providers are empty, and other values are kept or, in a new traffic
  module, chosen by the service.
- If only C(enabled=false) is declared, the settings of a traffic module are kept, but traffic bypasses it.
- An empty dictionary, V({}), declares a traffic module with its defaults. It is an error if other settings are needed,
  because the cause is often V(default(omit\\)) with a variable that is not set.
"""


def module(name: str, brief: str, details: str, *suboptions: str) -> str:
    """Return the option of a traffic module that has these suboptions in addition to `enabled`."""
    sentences = f"    - {details}\n" if details else ""
    return (f"{name}:\n  description:\n    - {brief}\n{sentences}  type: dict\n  suboptions:\n") + "".join(
        nested(options, 2) for options in (ENABLED, *suboptions)
    )


def absent_modules(names: Iterable[str]) -> str:
    """Return the option that removes traffic modules with these names."""
    choices = "".join(f"- {name}\n" for name in names)
    return f"""
absent_modules:
  description:
    - The traffic modules to remove.
    - Traffic modules that are not set are ignored. Do not list a traffic module that the task also
      declares.
    - If the service cannot remove a traffic module, the task fails. Declare it with C(enabled=false) instead.
  type: list
  elements: str
  choices:
{nested(choices, 2)}  default: []
"""
