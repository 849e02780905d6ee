"""Readers of chat exports: from a file to conversations, without touching a store."""

from holdfast.importers.chat import read_chat, read_chat_text
from holdfast.importers.model import PLATFORMS, ChatExport, ChatMessage, Conversation, Skipped

__all__ = [
    "PLATFORMS",
    "ChatExport",
    "ChatMessage",
    "Conversation",
    "Skipped",
    "read_chat",
    "read_chat_text",
]
