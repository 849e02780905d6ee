"""Where a mutant differs from the code: the statement that it alters."""

from __future__ import annotations

import ast

Function = ast.FunctionDef | ast.AsyncFunctionDef


def altered(source: str) -> dict[str, range]:
    """Returns for each mutant in a file the lines of the statement that it alters, where the function stands
    that is not altered."""
    lines, nodes = source.splitlines(), ast.walk(ast.parse(source))
    functions = {node.name: node for node in nodes if isinstance(node, Function) and "__mutmut_" in node.name}
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
        body = range(original.lineno, (original.end_lineno or 0) + 1)
        found[name] = body if same is None else _statement(original, body[same])
    return found


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
    node = min(on_it, key=lambda one: (one.end_lineno or 0) - one.lineno)
    body = getattr(node, "body", None)
    if body and line < body[0].lineno and node is not function:
        return range(node.lineno, body[0].lineno)
    return range(node.lineno, (node.end_lineno or 0) + 1)
