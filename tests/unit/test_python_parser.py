"""Threads that parse Python or load arrays at once, interrupted by finalizers at each step."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from holdfast.embeddings.static import StaticEmbedder
from holdfast.language.code_outline import outline

_SOURCE = "\n".join(f"total_{n} = price_{n} * ({n} + tax)" for n in range(12))


@pytest.fixture
def every_few_objects() -> Iterator[None]:
    """Gives the collector back its threshold."""
    usual = gc.get_threshold()
    gc.collect()
    gc.freeze()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11),
    reason="only CPython 3.11 counts the nesting of a tree for all threads together",
)
@pytest.mark.usefixtures("every_few_objects")
@pytest.mark.parametrize(
    "act",
    [lambda: outline(_SOURCE, "python"), StaticEmbedder],
    ids=["an outline of code", "the vectors of the embedder"],
)
def test_a_thread_that_is_interrupted_while_it_parses_lets_another_parse(act: Callable[[], object]) -> None:
    """A finalizer that ran within the parser gave way to another thread, and one of the two raised
    SystemError: seen once in a drill beside a backup."""
    failures: list[BaseException] = []
    others: list[threading.Thread] = []

    def attempt() -> None:
        try:
            act()
        except BaseException as error:
            failures.append(error)

    class Interrupting:
        def __del__(self) -> None:
            thread = threading.Thread(target=attempt)
            others.append(thread)
            thread.start()
            thread.join(0.02)  # the other one may have to wait for this one

    for threshold in range(5, 200, 5):
        garbage = Interrupting()
        garbage.itself = garbage  # type: ignore[attr-defined]
        del garbage
        gc.set_threshold(threshold)
        attempt()
        gc.set_threshold(0)
        for thread in others:
            thread.join()
    gc.collect()
    for thread in others:
        thread.join()
    assert len(others) == 39
    assert failures == []
