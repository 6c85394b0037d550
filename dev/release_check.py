# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether all that belongs to a release says that it is this version. `make release VERSION=1.0.0` asks first."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from collection_tree import CHECKOUT

_ROW = re.compile(r"^\| (?:inventory |filter |lookup |role )?\[?`.*?(?= \| )", re.MULTILINE)


def problems_of(
    version: str, galaxy: Mapping[str, Any], changelog: Mapping[str, Any], fragments: Sequence[str], readme: str
) -> list[str]:
    """Return what stands against releasing this version, as sentences.

    `galaxy` and `changelog` are galaxy.yml and changelogs/changelog.yaml, `fragments` the names of the fragments, and
    `readme` is the text of README.md, whose tables have the names of modules and plugins in their first column.
    """
    problems = []
    if galaxy["version"] != version:
        problems.append(f"galaxy.yml says that this is {galaxy['version']}, not {version}.")
    releases = changelog.get("releases") or {}
    if version not in releases:
        problems.append(f"The changelog does not know {version}, only {', '.join(releases) or 'no version at all'}.")
    elif not releases[version].get("changes", {}).get("release_summary"):
        problems.append(f"The changelog has no summary of {version}.")
    if fragments:
        problems.append(f"These fragments are not in the changelog yet: {', '.join(fragments)}.")
    named = {name for cell in _ROW.findall(readme) for name in re.findall(r"`(\w+)`", cell)}
    if unknown := sorted(named - set(_released(releases))):
        problems.append(f"README.md names what no release in the changelog contains: {', '.join(unknown)}.")
    return problems


def _released(releases: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of everything that came with a release: modules, other plugins, and roles."""
    for release in releases.values():
        lists = [release.get("modules", []), *release.get("plugins", {}).values(), *release.get("objects", {}).values()]
        yield from (entry["name"] for entries in lists for entry in entries)


def main(version: str) -> int:
    galaxy, changelog = (
        yaml.safe_load((CHECKOUT / path).read_text(encoding="utf-8"))
        for path in ("galaxy.yml", "changelogs/changelog.yaml")
    )
    fragments = sorted(path.name for path in (CHECKOUT / "changelogs" / "fragments").glob("*.y*ml"))
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    problems = problems_of(version, galaxy, changelog, fragments, readme)
    for problem in problems:
        sys.stderr.write(f"{problem}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
