# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the documentation, walked through from top to bottom as their readers would: files are written, commands
and tasks run, outputs compared. The messages on the page about troubleshooting are those of the code.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from collection_tree import CHECKOUT, tracked_files
from page import Block, blocks, commands
from playbook_run import Ansible, deprecations
from reference_service_process import ReferenceService

PAGES = sorted(name for name in tracked_files("*.md") if any(blocks(CHECKOUT / name)))
FIRST_PAGES = ("README.md",)
"""What a new user runs. `make test` has time for these only."""
COMMAND_SECONDS = 120
PLAY = {"name": "The page's tasks", "hosts": "localhost", "gather_facts": False}

_ID = re.compile(r"\b(edghts|edghtsrt|edgtls|esb|tn|op)_\w+")
_SECONDS = re.compile(r"\b\d+(\.\d+)?( ?s\b| seconds)")


_PARSERS: dict[str, Callable[[str], Any]] = {
    "bash": lambda text: subprocess.run(["bash", "-n"], input=text, text=True, check=True, timeout=COMMAND_SECONDS),
    "console": lambda text: None,  # its commands are looked at one by one
    "ini": lambda text: ConfigParser().read_string(text),
    "python": ast.parse,
    "text": lambda text: None,  # what something prints
    "yaml": yaml.safe_load,
}
"""The languages of blocks, with what their content means. Each raises an error if the content has a mistake."""


class Walk:
    """One reader, with a folder and a service of their own."""

    def __init__(self, folder: Path, service: ReferenceService) -> None:
        self._folder = folder
        (folder / "docs").symlink_to(CHECKOUT / "docs", target_is_directory=True)
        self._service = service
        self._environment = {
            **Ansible(folder, service)._environment(folder / "results.jsonl"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "INGRESS_BASE_URL": service.base_url,
            "INGRESS_API_KEY": service.api_key,
        }

    def through(self, block: Block) -> None:
        """Do what the block says. Raises AssertionError if something else happens than the page says."""
        if block.seed:
            self._service.seed(**block.seed)
        self._environment |= block.environment
        content = _PARSERS[block.language](block.text)
        if block.file is not None:
            path = self._folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            self._console(block)
        elif isinstance(content, list) and all(isinstance(one, dict) for one in content) and block.not_run is None:
            self._play(block, content)

    def _console(self, block: Block) -> None:
        found = commands(block)
        for command in found:
            if block.not_run is not None:
                self._run(["bash", "-n", "-c", command.text], 0, block)
                continue
            expected = block.exit if command is found[-1] else 0
            output = self._run(["bash", "-e", "-o", "pipefail", "-c", command.text], expected, block)
            assert not command.output or is_output(command.output, output), (
                f"line {block.line}: {command.text}\nThe page shows:\n{command.output}\nIt prints:\n{output}"
            )

    def _play(self, block: Block, content: list[dict[str, Any]]) -> None:
        plays = content if any("hosts" in play or "import_playbook" in play for play in content) else None
        playbook = self._folder / "page.yml"
        playbook.write_text(yaml.safe_dump(plays or [{**PLAY, "tasks": content}], sort_keys=False), encoding="utf-8")
        self._run(["ansible-playbook", playbook.name], block.exit, block)

    def _run(self, command: list[str], code: int, block: Block) -> str:
        run = subprocess.run(
            command,
            cwd=self._folder,
            env=self._environment,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=COMMAND_SECONDS,
        )
        assert run.returncode == code, f"line {block.line}: {command[-1]}\nended with {run.returncode}:\n{run.stdout}"
        found = deprecations(run.stdout)
        assert found == [], f"line {block.line}: {command[-1]}\n{found}"
        return run.stdout


def is_output(shown: str, printed: str) -> bool:
    """Whether this is what was printed. A line `...` stands for any lines; IDs, ports, and times may differ."""
    lines = [r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n" for line in _comparable(shown)]
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in _comparable(printed))) is not None


def _comparable(text: str) -> list[str]:
    lines = [_SECONDS.sub("0 s", _ID.sub(r"\1_", line.rstrip())) for line in text.strip("\n").splitlines()]
    lines = [re.sub(r"(?<=//127\.0\.0\.1:)\d+", "8600", line) for line in lines]
    # Its width is that of the terminal.
    return [re.sub(r"\*{3,}$", "***", line) for line in lines]


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.long(cores=0)] * (page not in FIRST_PAGES)) for page in PAGES]
)
def test_what_a_page_says_happens(page: str, service: ReferenceService, tmp_path: Path) -> None:
    service.reset()
    walk = Walk(tmp_path, service)
    for block in blocks(CHECKOUT / page):
        walk.through(block)


@pytest.mark.parametrize("page", ["README.md", "docs/first_steps.md"])
def test_the_first_pages_hide_nothing(page: str) -> None:
    """A new user sees no comments, so nothing in one may be what makes a page work."""
    assert not [block.line for block in blocks(CHECKOUT / page) if block.seed or block.environment]


def test_the_first_page_is_short() -> None:
    lines = (CHECKOUT / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines.index("## Documentation") <= 150


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("ok", "ok\nmore\n", False),
        ("ok\n...", "ok\nmore\nand more\n", True),
        ("a\n...\nb", "a\nb\n", True),
        ("...\nlast", "first\nlast one\n", False),
        ("edghts_1 is there", "edghts_2fQ is there\n", True),
        ("edghts_1 is there", "edgtls_1 is there\n", False),
        ("took 3 s", "took 2.5 s\n", True),
        ("PLAY [x] ****", "PLAY [x] ********\n", True),
        (".*", "anything\n", False),
    ],
)
def test_outputs_are_compared(shown: str, printed: str, same: bool) -> None:
    assert is_output(shown, printed) is same


PAGE = (CHECKOUT / "docs/troubleshooting.md").read_text(encoding="utf-8")
QUOTED = [message.strip() for _ticks, message in re.findall(r"^\| (`+)([^|]+?)\1 \|", PAGE, re.MULTILINE)]


def strings(source: str) -> Iterator[str]:
    """The strings in the code, with … for each value in them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


MESSAGES = [
    text
    for name in tracked_files("plugins/module_utils/**/*.py", "plugins/module_utils/*.py")
    for text in strings((CHECKOUT / name).read_text(encoding="utf-8"))
]


def is_in(quoted: str, message: str) -> bool:
    """Whether a message contains the quoted text, in which … stands for any text."""
    pattern = ".*".join(re.escape(part) for part in quoted.split("…"))
    return re.search(pattern, message, re.DOTALL) is not None


@pytest.mark.parametrize("quoted", QUOTED)
def test_a_message_exists(quoted: str) -> None:
    assert any(is_in(quoted, message) for message in MESSAGES)


def test_the_page_has_messages() -> None:
    assert len(QUOTED) > 15
    assert not any(is_in("Nobody would say this", message) for message in MESSAGES)
