# SPDX-License-Identifier: GPL-3.0-or-later
# Imported by the process that forks Ansible's workers, so that each of them finds the core and requests loaded.
from __future__ import annotations

import contextlib

with contextlib.suppress(ImportError):
    from ansible_collections.edgeops.ingress.plugins.module_utils import _entry as entry  # noqa: F401
