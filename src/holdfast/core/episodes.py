"""The text of an episode: one exchange, with who said which part."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.core.pages import Listing
from holdfast.core.text import count_tokens
from holdfast.core.wire import Millis, Plain

USER, _ASSISTANT = "User: ", "\nAssistant: "


def episode_text(user_message: str, ai_response: str) -> str:
    """Returns the text of an exchange."""
    return f"{USER}{user_message}{_ASSISTANT}{ai_response}"


def said_in(text: str) -> str:
    """Returns the text of an exchange without the words that the form itself adds."""
    return text.removeprefix(USER).replace(_ASSISTANT, "\n", 1)


def user_part(text: str) -> str:
    """Returns what the user said in an exchange, up to the first answer; empty if nobody is named."""
    return text.removeprefix(USER).partition(_ASSISTANT)[0] if text.startswith(USER) else ""


@dataclass(frozen=True, slots=True)
class Episode(Plain):
    """One exchange in its parts. `id` is that of its memory, `token_count` an estimate for both texts."""

    id: str
    session: str
    user_message: str
    ai_response: str
    token_count: int
    created_at: Millis


@dataclass(frozen=True, slots=True)
class EpisodePage(Plain, Listing[Episode]):
    """One page of the exchanges of a session and the cursor of the next (None: the last)."""

    LISTS = "episodes"

    episodes: tuple[Episode, ...]
    cursor: str | None


def answers_in(user_message: str) -> int:
    """Returns how often a user message contains what precedes an answer: where it ends, that does not
    count."""
    return f"{USER}{user_message}".count(_ASSISTANT)


def parts_of(text: str, answers: int) -> tuple[str, str]:
    """Returns the user message and the response of an exchange whose message contains so many answers."""
    if text.endswith(_ASSISTANT.rstrip()):  # an empty response, whose space was taken off
        text += " "
    parts = text.removeprefix(USER).split(_ASSISTANT)
    return _ASSISTANT.join(parts[: answers + 1]), _ASSISTANT.join(parts[answers + 1 :])


def episode_of(id: str, session: str, text: str, answers: int, created_at: int) -> Episode:
    """Returns an exchange in its parts."""
    user_message, ai_response = parts_of(text, answers)
    tokens = count_tokens(user_message) + count_tokens(ai_response)
    return Episode(id, session, user_message, ai_response, tokens, created_at)
