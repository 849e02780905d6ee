"""What no test may do, since it holds only on a quick machine; CONTRIBUTING.md says what to do instead."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
AT_ONCE = frozenset({
    "count", "is_visible", "is_hidden", "is_enabled", "is_disabled", "is_checked", "input_value",
    "inner_text", "inner_html", "text_content", "all_inner_texts", "all_text_contents", "get_attribute",
})  # fmt: skip
"""What Playwright answers as a page is at that moment: in an assertion, `expect` asks again."""
ONLY_IN_PAGES = frozenset({
    "set_default_timeout", "new_context", "wait_for_timeout", "wait_for_load_state", "text", "json", "body",
})  # fmt: skip
"""What `tests/web/pages.py` does for all: pages whose waits end, and responses read after they came."""
ASKS = frozenset({"get", "post", "put", "patch", "delete", "request", "stream", "Client", "AsyncClient"})


def asserts_at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """What a page shows, asserted before it may be there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            for one in ast.walk(node.test):
                is_read = isinstance(one, ast.Call) and not one.args and not one.keywords
                if is_read and _method(one) in AT_ONCE and _first_name(one) != "memory":
                    yield one
                if isinstance(one, ast.Attribute) and one.attr == "url" and _first_name(one) == "page":
                    yield one


def goes_around_pages(tree: ast.AST) -> Iterator[ast.AST]:
    """A page of a test's own, a pause, or a response that is read as it comes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _method(node) in ONLY_IN_PAGES:
            yield node


def waits_without_end(tree: ast.AST) -> Iterator[ast.AST]:
    """A loop that sleeps until something holds, for ever if it never does: `awaited` ends."""
    for node in ast.walk(tree):
        if isinstance(node, ast.While) and "monotonic" not in ast.unparse(node.test):
            inside = [one for statement in node.body for one in ast.walk(statement)]
            sleeps = any(isinstance(one, ast.Call) and _method(one) == "sleep" for one in inside)
            ends = any(isinstance(one, ast.Assert | ast.Raise | ast.Return | ast.Break) for one in inside)
            if sleeps and not ends:
                yield node


def asks_without_patience(tree: ast.AST) -> Iterator[ast.AST]:
    """A request by httpx, which gives up after five seconds unless it is told otherwise."""
    for node in ast.walk(tree):
        is_asked = isinstance(node, ast.Call) and _first_name(node.func) == "httpx" and _method(node) in ASKS
        if is_asked and not {"timeout", "transport"} & {keyword.arg for keyword in node.keywords}:  # type: ignore[attr-defined]
            yield node


def _method(call: ast.AST) -> str:
    is_method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return call.func.attr if is_method else ""  # type: ignore[attr-defined]


def _first_name(node: ast.AST) -> str:
    """Returns the name that a chain of calls and attributes begins with."""
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


WAITED_FOR = frozenset({"agents/faults.py", "postgres/cluster.py", "reliability/nursery.py", "warm.py"})
"""Loops of threads and processes that the test ends."""
RULES: tuple[tuple[Callable[[ast.AST], Iterator[ast.AST]], str, str, frozenset[str]], ...] = (
    (asserts_at_once, "web", "assert", frozenset()),
    (goes_around_pages, "web", "", frozenset({"web/pages.py"})),
    (asks_without_patience, ".", "httpx", frozenset()),
    (waits_without_end, ".", "sleep", WAITED_FOR),
)
"""What is looked for, in which folder, in files with which word, and which files may do it."""


@pytest.mark.parametrize(("rule", "folder", "word", "allowed"), RULES, ids=[one[0].__name__ for one in RULES])
def test_no_test_depends_on_a_quick_machine(
    rule: Callable[[ast.AST], Iterator[ast.AST]], folder: str, word: str, allowed: frozenset[str]
) -> None:
    found = [
        f"{name}:{node.lineno}: {ast.unparse(node)[:80]}"  # type: ignore[attr-defined]
        for path in sorted((TESTS / folder).rglob("*.py"))
        if (name := path.relative_to(TESTS).as_posix()) not in allowed
        if word in (source := path.read_text("utf-8"))
        for node in rule(ast.parse(source))
    ]
    assert found == [], rule.__doc__


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (asserts_at_once, "assert page.get_by_role('link').count() == 0"),
        (asserts_at_once, "assert 'a' in page.locator('p').first.inner_text()"),
        (asserts_at_once, "assert page.url.endswith('/a')"),
        (goes_around_pages, "page.on('response', lambda response: found.append(response.text()))"),
        (goes_around_pages, "page.wait_for_timeout(100)"),
        (asks_without_patience, "httpx.get(url)"),
        (asks_without_patience, "httpx.Client(base_url=url).get('/')"),
        (waits_without_end, "while not done:\n    time.sleep(0.1)"),
    ],
)  # fmt: skip
def test_each_of_them_is_noticed(rule: Callable[[ast.AST], Iterator[ast.AST]], code: str) -> None:
    assert list(rule(ast.parse(code)))
