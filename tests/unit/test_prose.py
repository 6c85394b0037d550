# SPDX-License-Identifier: GPL-3.0-or-later
"""What the prose linter reads in Python and YAML files."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from collection_tree import CHECKOUT

PROSE = runpy.run_path(str(CHECKOUT / "dev" / "prose" / "prose.py"))
SOURCE = '''"""A page of a book.

Its second line, with C(code)."""
a_replyOfThe_host = "a-name"  # a comment about names
text = f"the {id} of a host, see `name` and https://example.com/left/out"
'''


def test_lines_of_python_keep_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("page.py").write_text(SOURCE, encoding="utf-8")
    PROSE["write_prose"]("page.py", tmp_path / "copies")
    lines = (tmp_path / "copies" / "page.py.md").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["A page of a book.", ""]
    assert lines[2] == "Its second line, with `x`."
    assert lines[3] == "a reply Of The host.  a comment about names"
    assert "of a host, see `x` and `x`" in lines[4]
    assert "reply" not in lines[4]
    assert "left/out" not in lines[4]


def test_yaml_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tasks.yml").write_text("# why\n- name: Show {{ name }}\n", encoding="utf-8")
    PROSE["write_prose"]("tasks.yml", tmp_path / "copies")
    assert (tmp_path / "copies" / "tasks.yml.md").read_text(encoding="utf-8") == "# why\n- name: Show {`x`}\n"


@pytest.mark.parametrize(("name", "word"), [("tests/a.py", "`x`"), ("plugins/a.py", "fault")])
def test_fault_is_a_term_of_tests_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, word: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir()
    Path(name).write_text("# inject this fault\n", encoding="utf-8")
    PROSE["write_prose"](name, tmp_path / "copies")
    assert (tmp_path / "copies" / f"{name}.md").read_text(encoding="utf-8").split() == ["inject", "this", word]


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((CHECKOUT / "dev" / "prose" / "package-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"]["node_modules/textlint"]["integrity"]
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
