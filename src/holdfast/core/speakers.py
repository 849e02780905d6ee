"""The roles of who speaks in a conversation, and the other words that programs have for them."""

from __future__ import annotations

SPEAKERS = frozenset({"assistant", "system", "developer", "tool", "function"})
"""Roles of messages that no person said."""

ALIASES = {
    "human": "user",
    "ai": "assistant", "agent": "assistant", "bot": "assistant", "model": "assistant",
}  # fmt: skip
"""Words of other programs for a role, such as `ai` of LangChain and `model` of Gemini."""


def speaker_role(role: str | None) -> str | None:
    """Returns a role in the usual word, whatever its case: `assistant` for `AI`. A word that is none of a
    role, such as `customer`, stays as it is."""
    if role is None:
        return None
    word = role.strip().casefold()
    word = ALIASES.get(word, word)
    return word if word in SPEAKERS or word == "user" else role
