"""The text of an episode: one exchange, with who said which part."""

from __future__ import annotations

_USER, _ASSISTANT = "User: ", "\nAssistant: "


def episode_text(user_message: str, ai_response: str) -> str:
    """Returns the text of an exchange."""
    return f"{_USER}{user_message}{_ASSISTANT}{ai_response}"


def said_in(text: str) -> str:
    """Returns the text of an exchange without the words that the form itself adds."""
    return text.removeprefix(_USER).replace(_ASSISTANT, "\n", 1)


def user_part(text: str) -> str:
    """Returns what the user said in an exchange, up to the first answer; empty if nobody is named."""
    return text.removeprefix(_USER).partition(_ASSISTANT)[0] if text.startswith(_USER) else ""
