# SPDX-License-Identifier: GPL-3.0-or-later
# Copyright: (c) 2026, edgeops.ingress contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
"""Make the documentation of options from sentences about them, and from the schema, which knows their types.

In fragments that are made of parts, annotate each class attribute with `str`. The yamllint of ansible-test takes an
assignment without an annotation for a string literal, and fails.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from ansible_collections.edgeops.ingress.plugins.module_utils._values.option_wording import Spec, suboptions_of

Options = dict[str, dict[str, Any]]
"""The documentation of options, by their names."""

_OF_SPEC = ("type", "elements", "choices", "default", "required")


def described(sentences: str | Mapping[str, Sequence[Any]], spec: Spec) -> Options:
    """Return options with these sentences, a list for each in YAML, and with the types of an argument spec.

    If the last member of a list is a dictionary, it contains the sentences about the suboptions.
    """
    found: Options = {}
    for name, entries in (yaml.safe_load(sentences) if isinstance(sentences, str) else sentences).items():
        facts = {key: spec[name][key] for key in _OF_SPEC if key in spec[name]}
        found[name] = {"description": [entry for entry in entries if isinstance(entry, str)], **facts}
        if isinstance(entries[-1], Mapping):
            found[name]["suboptions"] = described(entries[-1], suboptions_of(spec[name]) or {})
    return found


def in_brief(options: Options) -> Options:
    """Return the options with the first sentence of each description only.

    Inside lists of objects, the page of a module would repeat the page of another one. The first sentence says what the
    option is, and the other page says the rest.
    """
    return {name: _in_brief(option) for name, option in options.items()}


def _in_brief(option: dict[str, Any]) -> dict[str, Any]:
    suboptions = {"suboptions": in_brief(option["suboptions"])} if "suboptions" in option else {}
    return {**option, "description": option["description"][:1], **suboptions}


def fragment(options: Options, notes: Sequence[str] = ()) -> str:
    """Return a fragment as JSON, which is YAML."""
    return json.dumps({**({"notes": notes} if notes else {}), "options": options})
