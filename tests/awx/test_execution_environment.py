# SPDX-License-Identifier: GPL-3.0-or-later
"""What ansible-builder makes of the collection and of the definition in docs/awx. An image takes an engine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from awx import FILES, read
from collection_tree import CHECKOUT


def builder(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "ansible_builder", *arguments]
    run = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_the_installed_collection_lists_its_requirements(collections_path: Path, tmp_path: Path) -> None:
    found = yaml.safe_load(builder(tmp_path, "introspect", str(collections_path)))

    lines = (CHECKOUT / "meta" / "ee-requirements.txt").read_text(encoding="utf-8").splitlines()
    [requirement] = [line for line in lines if not line.startswith("#")]
    assert found == {"python": [f"{requirement}  # from collection edgeops.ingress"], "system": []}


def test_the_definition_makes_a_context_with_the_collection(archive: Path, tmp_path: Path) -> None:
    shutil.copy(FILES / "execution-environment.yml", tmp_path)
    shutil.copy(archive, tmp_path)

    builder(tmp_path, "create", "--output-filename", "Containerfile")

    build = tmp_path / "context" / "_build"
    [collection] = yaml.safe_load((build / "requirements.yml").read_text(encoding="utf-8"))["collections"]
    assert (build / collection["name"]).read_bytes() == archive.read_bytes()
    containerfile = (tmp_path / "context" / "Containerfile").read_text(encoding="utf-8")
    assert read("execution-environment.yml")["images"]["base_image"]["name"] in containerfile
    assert "ansible-galaxy collection install" in containerfile
