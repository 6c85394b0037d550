# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes to a source file, each of which a test should detect. Pure: one source in, several out.

A change is made in the text and not in a syntax tree, so that everything around it stays as it is written.
What cannot matter is left alone: docstrings, messages, annotations, decorators, `__repr__`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Div(),
    ast.Div: ast.Mult(),
    ast.Mod: ast.Mult(),
    ast.Pow: ast.Mult(),
    ast.BitOr: ast.BitAnd(),
    ast.BitAnd: ast.BitOr(),
}
EMPTY = {"list": "[]", "dict": "{}", "Mapping": "{}", "tuple": "()", "set": "set()", "str": '""', "int": "0"}
BINDING_LOOSELY = (ast.BoolOp, ast.BinOp, ast.Compare, ast.IfExp, ast.UnaryOp, ast.Lambda, ast.NamedExpr)
DISPLAYS = (ast.Set, ast.List, ast.Tuple, ast.Dict)
REMOVABLE = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)

Position = tuple[int, int]
"""A line, and the bytes before it there."""


class Edit(NamedTuple):
    """A replacement for what is between two positions.

    `lines` are the first and the last one of which a test has to execute some, for it to notice. What is in no
    function is executed by an import, for all tests.
    """

    start: Position
    end: Position
    kind: str
    text: str
    lines: tuple[int, int] = (0, 0)
    is_imported: bool = False


@dataclass(frozen=True)
class Mutant:
    """A file below the folder that is changed: `source` is all of it, with the change."""

    path: str
    edit: Edit
    source: str = field(repr=False)


def edits(source: str) -> list[Edit]:
    """All changes to a file. Some of them may turn out to be none (see `mutant`)."""
    return sorted(_edits(ast.parse(source)))


def mutant(path: str, source: str, edit: Edit) -> Mutant | None:
    """The file with the change; None if that comes to the same code as before, or to none at all."""
    changed = _edited(source, edit)
    try:
        same = ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source))
    except SyntaxError:
        return None
    return None if same else Mutant(path, edit, changed)


def _edited(source: str, edit: Edit) -> str:
    lines = source.encode().splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    start, end = (offsets[line - 1] + column for line, column in (edit.start, edit.end))
    text = b"".join(lines)
    return (text[:start] + edit.text.encode() + text[end:]).decode()


def _instead(kind: str, node: Any, text: str) -> Edit:
    return Edit((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset), kind, text)


def _wrapped(node: ast.expr) -> str:
    return f"({ast.unparse(node)})" if isinstance(node, BINDING_LOOSELY) else ast.unparse(node)


def _edits(tree: ast.Module) -> Iterator[Edit]:
    for statement, function in _statements(tree.body, None):
        found = list(_of_statement(statement, function))
        for node in _expressions(statement):
            found += _of_expression(node)
        for edit in found:
            # What an error is made from is its message, for the most part.
            if not (isinstance(statement, ast.Raise) and edit.kind.endswith("dropped")):
                span = (edit.start[0], edit.end[0])
                whole = (statement.lineno, statement.end_lineno or 0)
                lines = span if isinstance(statement, COMPOUND) else whole
                yield edit._replace(lines=lines, is_imported=function is None)


def _statements(
    body: list[ast.stmt], function: ast.FunctionDef | None
) -> Iterator[tuple[ast.stmt, ast.FunctionDef | None]]:
    """Each statement that can matter, with the function that it is in."""
    for statement in body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_for_types = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
        is_for_people = isinstance(statement, ast.FunctionDef) and statement.name == "__repr__"
        if is_text or is_for_types or is_for_people or isinstance(statement, (ast.Import, ast.ImportFrom)):
            continue
        yield statement, function
        inner = statement if isinstance(statement, ast.FunctionDef) else function
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, name, []), inner)
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body, inner)


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without those of the statements in it, of annotations and of f-strings."""
    waiting: list[ast.AST]
    if isinstance(statement, ast.AnnAssign):
        waiting = [statement.value] if statement.value else []
    elif isinstance(statement, ast.FunctionDef):
        waiting = [*statement.args.defaults, *filter(None, statement.args.kw_defaults)]
    elif isinstance(statement, ast.ClassDef):
        waiting = []
    elif isinstance(statement, ast.Try):
        waiting = [handler.type for handler in statement.handlers if handler.type]
    elif isinstance(statement, ast.Assign) and ast.unparse(statement.value).startswith(("TypeVar(", "Callable[")):
        waiting = []
    else:
        waiting = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, ast.stmt)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        yield node
        is_cast = isinstance(node, ast.Call) and ast.unparse(node.func) == "cast"
        # Anything notices a key that is not there.
        is_by_name = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
        if is_cast:
            waiting += node.args[1:]  # type: ignore[attr-defined]
        elif isinstance(node, ast.IfExp) and any(isinstance(part, ast.JoinedStr) for part in (node.body, node.orelse)):
            waiting.append(node.test)  # what it decides on is a part of a message
        else:
            waiting += [node.value] if is_by_name else ast.iter_child_nodes(node)  # type: ignore[attr-defined]


def _of_statement(statement: ast.stmt, function: ast.FunctionDef | None) -> Iterator[Edit]:
    # A name that is never assigned would be noticed by anything.
    stores = isinstance(statement, ast.Assign) and not any(
        isinstance(name, ast.Name) for target in statement.targets for name in ast.walk(target) if _is_stored(name)
    )
    if isinstance(statement, REMOVABLE) or stores:
        yield _instead("statement removed", statement, "pass")
    if isinstance(statement, ast.Return):
        for text in _other_returns(statement, function):
            yield _instead("return replaced", statement, f"return {text}")
    if isinstance(statement, (ast.If, ast.While)):
        yield from _forced(statement.test)
    if isinstance(statement, ast.AugAssign) and type(statement.op) in ARITHMETIC:
        changed = ast.AugAssign(statement.target, ARITHMETIC[type(statement.op)], statement.value)
        yield _instead("arithmetic", statement, ast.unparse(changed))


def _is_stored(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _other_returns(statement: ast.Return, function: ast.FunctionDef | None) -> Iterator[str]:
    """What the function could return instead, by its annotation."""
    annotation = ast.unparse(function.returns) if function and function.returns else ""
    if annotation == "bool":
        yield from ("True", "False")
    elif statement.value is not None:
        yield EMPTY.get(annotation.split("[")[0], "None")


def _forced(condition: ast.expr) -> Iterator[Edit]:
    yield _instead("condition forced", condition, "True")
    yield _instead("condition forced", condition, "False")


def _of_expression(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare):
        yield from (_instead("comparison", node, text) for text in _other_comparisons(node))
    elif isinstance(node, ast.BoolOp):
        yield from (_instead("and/or", node, text) for text in _other_conditions(node))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _instead("not dropped", node, _wrapped(node.operand))
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_text(node.left, node.right):
        yield _instead("arithmetic", node, _wrapped(ast.BinOp(node.left, ARITHMETIC[type(node.op)], node.right)))
    elif isinstance(node, ast.Constant):
        yield from (_instead("constant", node, text) for text in _other_constants(node.value))
    elif isinstance(node, (ast.IfExp, ast.comprehension)):
        for condition in [node.test] if isinstance(node, ast.IfExp) else node.ifs:
            yield from _forced(condition)
    elif isinstance(node, ast.Call):
        yield from _shorter_calls(node)
    elif isinstance(node, DISPLAYS) and not _is_stored(node):
        yield from (_instead("member dropped", node, text) for text in _smaller_displays(node))


def _other_comparisons(node: ast.Compare) -> Iterator[str]:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS[type(operator)]:
            changed = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield _wrapped(ast.Compare(node.left, changed, node.comparators))


def _other_conditions(node: ast.BoolOp) -> Iterator[str]:
    """With the other operator, and without each of its parts."""
    yield _wrapped(ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
    for place in range(len(node.values)):
        left = [*node.values[:place], *node.values[place + 1 :]]
        yield _wrapped(ast.BoolOp(node.op, left) if len(left) > 1 else left[0])


def _other_constants(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, (int, float)):
        yield repr(value + 1)
        if value > 1:
            yield repr(value - 1)
    elif isinstance(value, str) and not re.search(r"\s", value):
        yield repr(f"{value}X")


def _is_text(*nodes: ast.AST) -> bool:
    return any(
        isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        for node in nodes
    )


def _is_message(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return _is_message(node.value)
    return _is_text(node) and " " in str(getattr(node, "value", " "))


def _shorter_calls(node: ast.Call) -> Iterator[Edit]:
    """Without its last argument, if it has others, and without each of its keyword arguments."""
    for given in (*node.args[1:][-1:], *node.keywords):
        if not _is_message(given):
            kind = "keyword argument dropped" if isinstance(given, ast.keyword) else "argument dropped"
            shorter = ast.Call(node.func, _without(given, node.args), _without(given, node.keywords))
            yield _instead(kind, node, ast.unparse(shorter))


def _smaller_displays(node: ast.Set | ast.List | ast.Tuple | ast.Dict) -> Iterator[str]:
    """Without each of its members."""
    if isinstance(node, ast.Dict):
        for value in node.values:
            pairs = [(key, each) for key, each in zip(node.keys, node.values, strict=True) if each is not value]
            yield ast.unparse(ast.Dict([key for key, _value in pairs], [each for _key, each in pairs]))
    else:
        for member in node.elts:
            yield ast.unparse(type(node)(_without(member, node.elts)))


def _without(one: ast.AST, nodes: Sequence[Any]) -> list[Any]:
    return [node for node in nodes if node is not one]
