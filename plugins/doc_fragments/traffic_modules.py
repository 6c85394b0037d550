# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""What the options of the traffic modules have alike, on edges and on routes."""

from __future__ import annotations

from collections.abc import Iterable

from ansible_collections.edgeops.ingress.plugins.doc_fragments.nesting import nested

ENABLED = """
enabled:
  description:
    - Whether the module is in force. With V(false) its settings stay, and traffic passes it by.
    - Left out, it is V(true).
  type: bool
"""

IP_POLICY_IDS = """
ip_policy_ids:
  description:
    - The IP policies that decide which source addresses are let in, by their ids, which start with V(ipp_). Their order
      has no meaning.
    - If omitted, it is empty. It is required where nothing but C(enabled=true) is declared with it.
  type: list
  elements: str
"""

# The description comes last, so that more can be said.
MIN_VERSION = """
min_version:
  type: str
  description:
    - The lowest version of TLS that clients may use. Which values there are is up to the service.
    - Left out, the service chooses, and what it has now is kept.
"""

PURGE_MODULES = """
purge_modules:
  description:
    - Whether to take off every module that is not declared.
  type: bool
  default: false
"""

NOTES = """
- A module is an option with suboptions, each a way to handle traffic. Left out, a module is not touched.
- A module that is given is given as a whole, because the service replaces it as a whole. Each of its suboptions tells
  what leaving it out means. An empty dictionary, V({}), declares the module with its defaults.
- An empty dictionary is an error for a module that makes no sense without content, such as a login without a provider.
  That is what a variable that is not set and C(default(omit)) leave behind.
"""


def module(name: str, description: str, *suboptions: str) -> str:
    """The option of a module that has `suboptions` beside `enabled`."""
    return (
        f"{name}:\n"
        f"  description:\n"
        f"    - {description}\n"
        f"    - Left out, it is not touched.\n"
        f"  type: dict\n"
        f"  suboptions:\n"
    ) + "".join(nested(options, 2) for options in (ENABLED, *suboptions))


def absent_modules(names: Iterable[str]) -> str:
    """The option that takes off some of the modules of these names."""
    choices = "".join(f"- {name}\n" for name in names)
    return f"""
absent_modules:
  description:
    - Modules to take off. Those that are not set anyway are fine here; those that are declared as well are not.
    - Where a service can't take a module off, the task fails and says so. C(enabled=false) works there, too.
  type: list
  elements: str
  choices:
{nested(choices, 2)}  default: []
"""
