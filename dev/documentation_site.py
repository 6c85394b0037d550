# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the site: the pages, and what antsibull-docs makes of the documentation inside the plugins and roles."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import nox

from collection_tree import CHECKOUT, copy_checkout

SITE = CHECKOUT / "build" / "site"


def build_site(session: nox.Session, variables: Mapping[str, str]) -> None:
    """Build the site in SITE. `variables` let Ansible find this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_checkout(Path(folder))
        plugins = copy / "plugins_and_roles"
        plugins.mkdir(mode=0o700)  # antsibull-docs writes to no folder that others could write to
        names = ("--dest-dir", str(plugins), "edgeops.ingress")
        session.run("antsibull-docs", "collection", "--use-current", "--squash-hierarchy", *names, env=variables)
        # Sphinx warns of a link that leads nowhere and of a page that no other page links to. -W makes that an error.
        checks = ("-q", "-W", "--keep-going", "-c", str(copy / "docs" / "docsite"))
        session.run("sphinx-build", "-b", "html", *checks, str(copy), str(SITE))
    session.log(f"The site is in {SITE.relative_to(CHECKOUT)}/README.html")
