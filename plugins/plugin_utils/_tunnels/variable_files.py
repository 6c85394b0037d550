# SPDX-License-Identifier: GPL-3.0-or-later
"""Files with the variables of another host, which a host with exactly the name of the file would get."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ansible import context
from ansible.utils.collection_loader import AnsibleCollectionConfig
from ansible.utils.path import basedir


def variable_folders(source: str, loader: Any) -> list[Path]:
    """Return where Ansible looks for the variables of hosts: next to inventory sources, and next to playbooks."""
    folders = [*map(basedir, (source, *(context.CLIARGS.get("inventory") or ()))), loader.get_basedir()]
    # Each of these is the folder `collections` next to a playbook.
    playbooks = [Path(each).parent for each in AnsibleCollectionConfig.playbook_paths]
    return [Path(folder) / "host_vars" for folder in dict.fromkeys([*folders, *playbooks])]


def names_of_files(names: Iterable[str], folders: Iterable[Path]) -> list[str]:
    """Return the names that contain a dot, and that a file in one of the folders has.

    Ansible loads a file of exactly the name of a host, whatever its extension, and a copy of a variables file can have
    any extension. A file without an extension usually belongs to the host.
    """
    # Path.is_file() raises errors, such as that of a file system with shorter names.
    return [name for name in names if "." in name and any(os.path.isfile(each / name) for each in folders)]  # noqa: PTH113
