# SPDX-License-Identifier: GPL-3.0-or-later
"""The version in galaxy.yml, as a constant for the plugins, which must not read files at the root of the collection."""

from __future__ import annotations

import yaml

from collection_tree import CHECKOUT

CONSTANT = CHECKOUT / "plugins" / "plugin_utils" / "_report" / "version.py"
_START = "VERSION = "


def with_version() -> str:
    """Return the file with the version. The lines above it are kept."""
    version = yaml.safe_load((CHECKOUT / "galaxy.yml").read_text(encoding="utf-8"))["version"]
    return f'{CONSTANT.read_text(encoding="utf-8").partition(_START)[0]}{_START}"{version}"\n'
