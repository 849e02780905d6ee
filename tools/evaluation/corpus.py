"""What an evaluation asks of: texts to remember, labelled questions, and reading data sets from disk."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from gzip import decompress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.core.errors import InvalidInput

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Kept

BATCH = 1_000
"""Texts remembered in one transaction."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the external ids of all memories that answer it, and what sort of question it is. `rivals`
    are those that look as if they did, such as what was true before."""

    text: str
    gold: frozenset[str]
    category: str
    rivals: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts that one memory holds, and questions about them.

    `fill` remembers the texts through the public interface and returns every outcome. `where` goes to
    `recall` with each question. `now` is the time of the clock while filling and asking, in UTC epoch
    milliseconds: fixed, so that a run can be repeated to the digit. One that `continues` adds to what the
    corpus before it holds.
    """

    name: str
    fill: Callable[[Memory], list[Kept]]
    questions: tuple[Question, ...]
    where: Mapping[str, Any] = field(default_factory=dict)
    now: int = 1_767_225_600_000  # 2026-01-01: years after what the public sets speak of
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """What a data set looks like on disk and where it can be had, for whoever points at something else."""

    name: str
    expected: str
    home: str

    def invalid(self, problem: str) -> InvalidInput:
        """The error for a path that holds something else: `dataset_invalid` with what is expected."""
        return InvalidInput(f"this is not {self.name}: {problem}", code="dataset_invalid", hint=self._hint())

    def path(self, value: str | Path) -> Path:
        """A path that was given. Raises InvalidInput file_not_found for an empty one, which would be the
        folder one is in."""
        if not str(value).strip():
            raise InvalidInput("the path is empty", code="file_not_found", hint=self._hint())
        return Path(value)

    def question(self, text: object, where: str) -> str:
        """A question that can be asked. Raises InvalidInput dataset_invalid that names where it stands."""
        from holdfast.features.recall.recall import checked_query

        try:
            checked_query(text)
        except InvalidInput as error:
            raise self.invalid(f"{where}: {error.message}") from error
        return str(text)

    def read_json(self, path: Path) -> Any:
        """The JSON in a file. Raises InvalidInput file_not_found, not_a_file, file_unreadable or
        dataset_invalid."""
        try:
            content = path.read_bytes()
            text = (decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise self.missing(path) from error
        except IsADirectoryError as error:
            raise InvalidInput(f"{path} is a folder", code="not_a_file", hint=self._hint()) from error
        except UnicodeDecodeError as error:
            raise self.invalid(f"{path} is not text in UTF-8") from error
        except (OSError, EOFError, ValueError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise InvalidInput(f"{path} cannot be read: {reason}", code="file_unreadable") from error
        try:
            return json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise self.invalid(f"{path} is not JSON ({error})") from error
        except ValueError as error:
            digits = sys.get_int_max_str_digits()
            raise self.invalid(f"{path} holds a number of more than {digits:,} digits") from error

    def missing(self, path: Path) -> InvalidInput:
        """The error for a path that does not exist."""
        return InvalidInput(f"{path} does not exist", code="file_not_found", hint=self._hint())

    def _hint(self) -> str:
        return f"expected is {self.expected}; it comes from {self.home}"


def remember_all(memory: Memory, items: Sequence[Mapping[str, Any]]) -> list[Kept]:
    """Remembers items in batches."""
    return [one for part in batches(items) for one in memory.remember_many(part)]


def batches(items: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[Mapping[str, Any]]]:
    """The items in parts that fit one transaction."""
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
