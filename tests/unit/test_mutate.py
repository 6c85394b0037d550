# SPDX-License-Identifier: GPL-3.0-or-later
"""`make mutate`: the changes that it makes to a source, and what it finds out about each."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import mutate
from mutants import Mutant, changed, mutants
from mutate import CAUGHT, NOT_EXECUTED, SURVIVED, Trial, described, sample

# The file, the kind of change, and what becomes of its last line.
CHANGES = (
    ("a < b", "comparison", ["(a <= b)"]),
    ("a == b in c", "comparison", ["(a != b in c)", "(a == b not in c)"]),
    ("a is not None", "comparison", ["(a is None)"]),
    ("a and b", "and/or", ["(a or b)", "b", "a"]),
    ("a += 1", "arithmetic", ["a -= 1"]),
    ("a = True", "constant", ["a = False"]),
    ("a = 'post'", "constant", ["a = 'postX'"]),
    ("a = f', {b}' if b > 1 else ''", "constant", ["a = f', {b}' if b > 2 else ''"]),
    ("f(a, b)", "argument dropped", ["f(a)"]),
    ("f(a, b=1, **c)", "keyword argument dropped", ["f(a, **c)", "f(a, b=1)"]),
    ("a = [b for b in c if b]", "condition forced", ["a = [b for b in c if True]", "a = [b for b in c if False]"]),
    ("while a: b = c", "condition forced", ["while True: b = c", "while False: b = c"]),
    ("a = {b, c, d}", "member dropped", ["a = {c, d}", "a = {b, d}", "a = {b, c}"]),
    ("a = {**b, c: d}", "member dropped", ["a = {c: d}", "a = {**b}"]),
    ("a = {b}", "member dropped", ["a = {*()}"]),
    ("f(a)", "statement removed", ["pass"]),
    ("a.b = c", "statement removed", ["pass"]),
    ("raise A", "statement removed", ["pass"]),
    ("def f():\n return a", "return replaced", [" return None"]),
    ("def f() -> bool:\n return a", "return replaced", [" return True", " return False"]),
    ("def f() -> list[str]:\n return a", "return replaced", [" return []"]),
)
CANNOT_MATTER = (
    '"""A text."""',
    "def f(a: 'b') -> 'c': ...",
    "def __repr__(self):\n return a + b",
    "if TYPE_CHECKING:\n a = 1",
    "a = 'a message, with spaces'",
    "raise A(b, f'{c + 1} of them', d=e)",
    "@a(frozen=1)\nclass B: ...",
    "a = f'{b}' + c(f' and {d}')",
)
SOURCE = '''"""A package of its own."""


def fits(number) -> bool:
    return 0 <= number < 10


def counted(number):
    while number > 0:
        number -= 1
    return number


def forgotten(number):
    return number > 5
'''
TESTS = """from package.limits import counted, fits


def test_inside():
    assert fits(5)


def test_outside():
    assert not fits(20)


def test_counted():
    counted(3)
"""


def changes_of(source: str) -> dict[Mutant, str]:
    made = {one: changed(source, one) for one in mutants("limits.py", source)}
    return {one: text for one, text in made.items() if text}


@pytest.mark.parametrize(("source", "kind", "expected"), CHANGES)
def test_every_kind_of_change_is_made(source: str, kind: str, expected: list[str]) -> None:
    made = [ast.unparse(ast.parse(text)) for one, text in changes_of(source).items() if one.kind == kind]
    start = source[: source.rfind("\n") + 1]
    assert sorted(made) == sorted(ast.unparse(ast.parse(f"{start}{line}")) for line in expected)


@pytest.mark.parametrize("source", CANNOT_MATTER)
def test_code_whose_mutation_cannot_matter_is_not_mutated(source: str) -> None:
    assert [one for one in changes_of(source) if one.kind != "statement removed"] == []


def test_a_seed_draws_the_same_changes_and_another_one_others() -> None:
    sources = {"long.py": SOURCE * 5, "short.py": SOURCE}
    drawn = sample(sources, "7", 20)
    assert len(drawn) == 20
    assert drawn == sample(sources, "7", 20) != sample(sources, "8", 20)


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    """That of a package with tests that miss something."""
    for name, text in {"package/limits.py": SOURCE, "tests/test_limits.py": TESTS, "pytest.ini": "[pytest]\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Trial(tmp_path, "package", ["tests"], workers=1)


def test_mutations_are_sorted_by_whether_tests_notice_them(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutate, "SECONDS", 1.0)
    expected = {
        "0 <= number <= 10": SURVIVED,
        "return False": CAUGHT,
        "number += 1": CAUGHT,
        "number >= 5": NOT_EXECUTED,
    }
    chosen = {
        one: fate
        for one, source in changes_of(SOURCE).items()
        for text, fate in expected.items()
        if text in source.replace("(", "")
    }
    assert sorted(chosen.values()) == sorted(expected.values())

    trial.record()
    found = {one: trial.fate(one) for one in chosen}

    assert found == chosen
    [survivor] = [one for one, fate in found.items() if fate == SURVIVED]
    lines = described("limits.py", SOURCE, survivor).splitlines()
    assert lines[0] == "limits.py:5: comparison"
    assert {"-    return 0 <= number < 10", "+    return (0 <= number <= 10)"} <= set(lines)


IMPORTING = """
def test_that_imports():
    import package.late


def test_that_uses():
    import package.late
    assert package.late.MOST == 7
"""


@pytest.mark.long(cores=0)
def test_what_one_test_imports_another_one_may_notice(trial: Trial, tmp_path: Path) -> None:
    late = "MOST = 7\n"
    (tmp_path / "package" / "late.py").write_text(late, encoding="utf-8")
    (tmp_path / "tests" / "test_late.py").write_text(IMPORTING, encoding="utf-8")
    trial.record()
    change, *_others = (one for one in mutants("late.py", late) if one.kind == "constant")
    assert trial.fate(change) == CAUGHT


@pytest.mark.long(cores=0)
def test_no_mutation_is_tried_if_the_tests_already_fail(
    trial: Trial, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tests" / "test_more.py").write_text("def test_it():\n    assert not 'red'\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="without any change"):
        trial.record()
    assert "assert not 'red'" in capsys.readouterr().out
