"""Prompts and answers of language models, whatever their provider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(slots=True)
class Tokens:
    """The tokens that a call took. A provider that does not say is counted by the length of the texts.

    `sent`: the provider has taken the request, so that it may bill it even if no answer came.
    """

    read: int = 0
    written: int = 0
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer: its text, and with a schema the JSON that it holds. `truncated`: it reached the limit."""

    text: str
    data: Any
    truncated: bool
