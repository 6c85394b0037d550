# SPDX-License-Identifier: GPL-3.0-or-later
"""How Sphinx makes the site: the Markdown pages as they lie here, and the documentation of the plugins beside them.

`make docs` builds it from a copy of the repository, in which antsibull-docs has put the folder `plugins_and_roles`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from sphinx.application import Sphinx

project = "edgeops.ingress"
author = "edgeops.ingress contributors"
project_copyright = "edgeops.ingress contributors"

extensions = ["myst_parser", "sphinx_antsibull_ext"]
root_doc = "README"
myst_heading_anchors = 3
exclude_patterns = ["changelogs", "tests", "extensions", ".*"]
# What the plugins' documentation says of Ansible itself leads to Ansible's own site, which is not asked for here.
suppress_warnings = ["ref.ref"]

html_theme = "sphinx_ansible_theme"
html_title = project
html_copy_source = False
html_show_sphinx = False

INDEX = "docs/README"


def setup(app: Sphinx) -> None:
    app.connect("source-read", _add_contents)


def _add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the contents that Sphinx needs below the first page; they are those of the page that lists the others."""
    if name == root_doc:
        index = app.env.doc2path(INDEX).read_text(encoding="utf-8")
        source[0] += "".join(_contents(index))


def _contents(index: str) -> Iterator[str]:
    """A hidden table of contents for each section of the index."""
    yield _toctree("Documentation", [INDEX])
    for section in index.split("\n## ")[1:]:
        title, text = section.split("\n", maxsplit=1)
        pages = [posixpath.normpath(posixpath.join("docs", link)) for link in re.findall(r"\]\(([^)]+\.md)\)", text)]
        plugins = ["Modules and plugins <plugins_and_roles/index>"] if "`make docs`" in text else []
        yield _toctree(title, plugins + [page.removesuffix(".md") for page in pages])


def _toctree(title: str, pages: list[str]) -> str:
    lines = "\n".join(pages)
    return f"\n\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"
