"""Tests of many cases, as one test."""

from __future__ import annotations

import inspect

import pytest

from tests.cases import each


def test_every_case_is_tried_and_each_that_fails_is_named() -> None:
    tried: list[tuple[int, str]] = []

    @each("number", [1, 2, 3])
    @each("word, length", [("a", 1), ("bc", 2)])
    def test(number: int, word: str, length: int) -> None:
        tried.append((number, word))
        assert number != length

    assert not inspect.signature(test).parameters
    with pytest.raises(ExceptionGroup) as raised:
        test()
    assert tried == [(number, word) for number in (1, 2, 3) for word in ("a", "bc")]
    first, second = raised.value.exceptions
    assert first.__notes__ == ["in the case {'number': 1}"]
    assert isinstance(second, ExceptionGroup)
    assert second.exceptions[0].__notes__ == ["in the case {'word': 'bc', 'length': 2}"]
