# SPDX-License-Identifier: GPL-3.0-or-later
"""Small changes to a source file, each of which a test should detect. Pure: one source in, several out.

A change is made in the text and not in a syntax tree, so that everything around it stays as it is written.
What cannot matter is left alone: docstrings, messages, annotations, decorators, `__repr__`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple, TypeVar

PAIRS = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitOr, ast.BitAnd), (ast.And, ast.Or)),
)
OTHER: dict[type, Any] = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
EMPTY = {"list": "[]", "dict": "{}", "Mapping": "{}", "tuple": "()", "set": "set()", "str": '""', "int": "0"}
REMOVABLE = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)
_Any = TypeVar("_Any")


class Mutant(NamedTuple):
    """A change to a file below the folder that is changed: what replaces the text between two positions.

    A position is a line, and the bytes before it there. `lines` are the first and the last one of which a test has to
    execute some, for it to notice; what is executed `on_import`, each test may notice.
    """

    path: str
    start: tuple[int, int]
    end: tuple[int, int]
    kind: str
    text: str
    lines: tuple[int, int]
    on_import: bool


def changed(source: str, mutant: Mutant) -> str | None:
    """Return the text of the file with the change; None if that comes to the same code, or to none at all."""
    lines = source.encode().splitlines(keepends=True)
    start, end = (len(b"".join(lines[: line - 1])) + column for line, column in (mutant.start, mutant.end))
    whole = b"".join(lines)
    text = (whole[:start] + mutant.text.encode() + whole[end:]).decode()
    try:
        is_same = ast.dump(ast.parse(text)) == ast.dump(ast.parse(source))
    except SyntaxError:
        return None
    return None if is_same else text


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Yield all changes to a file. Some of them may turn out to be none (see `changed`)."""
    for node, statement, function in _nodes(ast.parse(source), None, None):
        tests: list[Any] = [node.test] if isinstance(node, (ast.If, ast.While, ast.IfExp)) else []
        tests += node.ifs if isinstance(node, ast.comprehension) else []
        found = [("condition forced", each, str(value)) for each in tests for value in (True, False)]
        if node is statement:
            found += [(kind, node, text) for kind, text in _of_statement(statement, function)]
        else:
            found += [(kind, node, f"({ast.unparse(new)})") for kind, new in _of_expression(node)]
        for kind, old, text in found:
            # What an error is made from is its message, for the most part.
            if not (isinstance(statement, ast.Raise) and kind.endswith("dropped")):
                reach: Any = old if isinstance(statement, COMPOUND) else statement
                start, end = (old.lineno, old.col_offset), (old.end_lineno, old.end_col_offset)
                yield Mutant(path, start, end, kind, text, (reach.lineno, reach.end_lineno), function is None)


def _nodes(node: ast.AST, statement: Any, function: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each node below this one that can matter, with its statement and its function."""
    for child in _parts(node):
        own = child if isinstance(child, ast.stmt) else statement
        yield child, own, function
        yield from _nodes(child, own, child if isinstance(child, ast.FunctionDef) else function)


def _parts(node: Any) -> Iterator[ast.AST]:
    """Yield the parts of a node that can matter."""
    parts: Any = ast.iter_child_nodes(node)
    if isinstance(node, ast.AnnAssign):
        parts = [node.value]
    elif isinstance(node, ast.FunctionDef):
        parts = [*node.args.defaults, *node.args.kw_defaults, *node.body]
    elif isinstance(node, ast.ClassDef):
        parts = node.body
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "cast":
        parts = node.args[1:]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        parts = [node.value]  # anything notices a key that is not there
    elif isinstance(node, ast.IfExp) and _is_text(node.body, node.orelse, kinds=ast.JoinedStr):
        parts = [node.test]  # what it decides on is a part of a message
    return (part for part in parts if part and not _is_for_people(part))


def _is_for_people(node: ast.AST) -> bool:
    """Whether a node is an import, a text, or only for types."""
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.Assign):
        return ast.unparse(node.value).startswith(("TypeVar(", "Callable["))
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_repr = isinstance(node, ast.FunctionDef) and node.name == "__repr__"
    return is_text or is_repr or isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr))


def _of_statement(node: ast.stmt, function: ast.FunctionDef | None) -> Iterator[tuple[str, str]]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    names = [one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    # A name that is never assigned would be noticed by anything.
    stores = targets and not any(isinstance(name.ctx, ast.Store) for name in names)
    if isinstance(node, REMOVABLE) or stores:
        yield "statement removed", "pass"
    if isinstance(node, ast.Return):
        annotation = ast.unparse(function.returns) if function and function.returns else ""
        if annotation == "bool":
            yield "return replaced", "return True"
            yield "return replaced", "return False"
        elif node.value is not None:
            yield "return replaced", f"return {EMPTY.get(annotation.split('[')[0], 'None')}"
    if isinstance(node, ast.AugAssign) and type(node.op) in OTHER:
        yield "arithmetic", ast.unparse(_with(node, op=OTHER[type(node.op)]()))


def _of_expression(node: Any) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            operators = [*node.ops[:place], OTHER[type(operator)](), *node.ops[place + 1 :]]
            yield "comparison", _with(node, ops=operators)
    elif isinstance(node, ast.BoolOp):
        yield "and/or", _with(node, op=OTHER[type(node.op)]())
        yield from (("and/or", _with(node, values=fewer)) for fewer in _shorter(node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in OTHER and not _is_text(node.left, node.right):
        yield "arithmetic", _with(node, op=OTHER[type(node.op)]())
    elif isinstance(node, ast.Constant):
        yield from (("constant", ast.Constant(value)) for value in _other_constants(node.value))
    elif isinstance(node, ast.Call):
        yield from _shorter_calls(node)
    elif isinstance(node, ast.Dict):
        yield from (("member dropped", each) for each in map(ast.Dict, _shorter(node.keys), _shorter(node.values)))
    elif isinstance(node, (ast.Set, ast.List, ast.Tuple)) and not isinstance(getattr(node, "ctx", None), ast.Store):
        yield from (("member dropped", _with(node, elts=fewer)) for fewer in _shorter(node.elts))


def _other_constants(value: object) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, (int, float)):
        yield value + 1
        if value > 1:
            yield value - 1
    elif isinstance(value, str) and not re.search(r"\s", value):
        yield f"{value}X"


def _shorter_calls(node: ast.Call) -> Iterator[tuple[str, ast.Call]]:
    """Yield the call without its last argument, if it has others, and without each of its keyword arguments."""
    if node.args[1:] and not _is_message(node.args[-1]):
        yield "argument dropped", _with(node, args=node.args[:-1])
    for keyword, fewer in zip(node.keywords, _shorter(node.keywords), strict=True):
        if not _is_message(keyword.value):
            yield "keyword argument dropped", _with(node, keywords=fewer)


def _is_message(node: ast.AST) -> bool:
    return _is_text(node) and " " in str(getattr(node, "value", " "))


def _is_text(*nodes: ast.AST, kinds: Any = (ast.JoinedStr, ast.Constant)) -> bool:
    return any(isinstance(node, kinds) and isinstance(getattr(node, "value", ""), str) for node in nodes)


def _shorter(members: Sequence[_Any]) -> list[list[_Any]]:
    """Return the list without each of its members."""
    return [[*members[:place], *members[place + 1 :]] for place in range(len(members))]


def _with(node: _Any, **fields: Any) -> _Any:
    changed_node = copy(node)
    vars(changed_node).update(fields)
    return changed_node
