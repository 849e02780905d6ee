"""Where mutants stand, and where each differs from the code: the statement that it alters."""

from __future__ import annotations

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef


def mutated(source: str) -> dict[str, range]:
    """Returns for each mutant in a file the lines in which it stands."""
    return {
        name: _lines(node) for name, node in _functions(source).items() if not name.endswith("__mutmut_orig")
    }


def altered(source: str) -> dict[str, range]:
    """Returns for each mutant in a file the lines of the statement that it alters, where the function stands
    that is not altered."""
    lines, functions = source.splitlines(), _functions(source)
    found: dict[str, range] = {}
    for name, mutant in functions.items():
        base, _, number = name.rpartition("__mutmut_")
        if number == "orig":
            continue
        original = functions[f"{base}__mutmut_orig"]
        before, after = (_body(lines, one) for one in (original, mutant))
        same = next(
            (at for at, pair in enumerate(zip(before, after, strict=False)) if len(set(pair)) > 1), None
        )
        body = _lines(original)
        found[name] = body if same is None else _statement(original, body[same])
    return found


def _functions(source: str) -> dict[str, Function]:
    """Returns the mutants in a file, and the functions that they were made of, by their names."""
    nodes = ast.walk(ast.parse(source))
    return {node.name: node for node in nodes if isinstance(node, Function) and "__mutmut_" in node.name}


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or 0) + 1)


def _body(lines: list[str], function: Function) -> list[str]:
    text = lines[function.lineno - 1 : function.end_lineno]
    return [text[0].replace(f"{function.name}(", "("), *text[1:]]


def _statement(function: ast.AST, line: int) -> range:
    """Returns the lines of the innermost statement on a line; of one with a body, those before the body."""
    on_it = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    node = min(on_it, key=lambda node: (node.end_lineno or 0) - node.lineno)
    body = getattr(node, "body", None)
    if body and line < body[0].lineno and node is not function:
        return range(node.lineno, body[0].lineno)
    return _lines(node)
