# SPDX-License-Identifier: GPL-3.0-or-later
"""What this run of the checks does, from the variables that the Makefile sets and the Pythons of this machine."""

from __future__ import annotations

import os
import sys

from collection_tree import CHECKOUT
from interpreters import first_found, show_pyenv_versions
from supported_cores import CORES, DEVELOPMENT, Run

KNOWN = (*CORES, DEVELOPMENT)
ASKED_FOR = os.environ.get("CORE", "")
"""The only ansible-core to check, if any: `make … CORE=2.19`. Its Python is required then."""

if ASKED_FOR not in ("", *(core.version for core in KNOWN)):
    sys.exit(f"CORE={ASKED_FOR}: expected one of {', '.join(core.version for core in KNOWN)}")

show_pyenv_versions()
RUN = Run(
    found={core: first_found(core.pythons) for core in KNOWN if core.is_default or core.version == ASKED_FOR},
    asked_for=ASKED_FOR,
    is_whole="WHOLE" in os.environ,  # the Makefile sets it for single checks
    below_a_space=" " in str(CHECKOUT),
)
LISTED = sorted(RUN.checked if ASKED_FOR else CORES, key=lambda core: not RUN.has_all_tests(core))
"""The cores that have sessions, the one that takes longest first. Those that are not checked are skipped."""

# On a machine with no Python for any of them but the oldest, the one that runs this has to do.
NEWEST_CORE, NEWEST_PYTHON = RUN.main or (CORES[-1], "{}.{}".format(*sys.version_info))
