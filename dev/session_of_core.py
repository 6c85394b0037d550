# SPDX-License-Identifier: GPL-3.0-or-later
"""A session for each ansible-core: its name, and why it is skipped."""

from __future__ import annotations

import nox

from supported_cores import Core
from this_run import ASKED_FOR, LISTED, RUN

for_each_core = nox.parametrize(
    "python,core",
    [
        # Without an interpreter there is no environment either.
        nox.param(RUN.checked.get(core) or False, core, id=f"core-{core.version}-python-{RUN.python_of(core)}")
        for core in LISTED
    ],
)


def skip_without_python(session: nox.Session, core: Core) -> None:
    """Skip the session of a core that is not to be checked, or that has no interpreter here."""
    if core not in RUN.checked:
        where = "`make test-all`" if core.is_default else f"CORE={core.version}"
        session.skip(f"only with {where}, and in the hosted checks")
    if not session.python:
        why = f"ansible-core {core.version} needs Python {' or '.join(core.pythons)}, and none was found here"
        if ASKED_FOR:
            session.error(why)
        session.skip(why)
