# SPDX-License-Identifier: GPL-3.0-or-later
"""The page that documentation sites of several collections show of this one: the guides in docs/README.md, as links."""

from __future__ import annotations

import re

import yaml

from collection_tree import CHECKOUT

GUIDES = CHECKOUT / "docs" / "docsite" / "rst" / "guides.rst"
INDEX = CHECKOUT / "docs" / "README.md"

_HEAD = """.. SPDX-License-Identifier: GPL-3.0-or-later

.. _ansible_collections.edgeops.ingress.docsite.guides:

Guides
======

These pages are in the repository of the collection.

"""
_GUIDE = re.compile(r"^- \[([^]]+)\]\(([^)]+)\): (.+)$", re.MULTILINE)


def guides_page() -> str:
    """Return the page in reStructuredText, which is the only format that these sites accept."""
    repository = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text(encoding="utf-8"))["repository"]
    section = INDEX.read_text(encoding="utf-8").partition("\n## Guides\n")[2].partition("\n## ")[0]
    guides = ((title, path, text.replace("`", "``")) for title, path, text in _GUIDE.findall(section))
    return _HEAD + "".join(
        f"- `{title} <{repository}/tree/main/docs/{path}>`__: {text}\n" for title, path, text in guides
    )
