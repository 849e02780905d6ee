"""Lets one thread at a time build a syntax tree of Python.

CPython 3.11 counts the nesting of a tree in one place for all threads: if a finalizer gives way meanwhile to
another thread, which does the same, one of them raises SystemError. NumPy parses the header of an array in
this way.
"""

from __future__ import annotations

import ast
import threading

PARSER_LOCK = threading.RLock()
"""To be held while anything parses Python: `ast.parse`, `ast.literal_eval`, `numpy.load`."""


def syntax_tree(source: str) -> ast.Module:
    """Returns the syntax tree of Python source. Raises what `ast.parse` does."""
    with PARSER_LOCK:
        return ast.parse(source)
