"""Roles of the files of an export, by their names: in an archive as in an unpacked folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from pathlib import PurePosixPath


class Role(IntEnum):
    """The content of a file of an export, in the order of reading: what names others comes later."""

    PROJECTS = 1
    MEMORIES = 2
    ACCOUNT = 3
    DOCUMENTS = 4
    CHATS = 5


_CHAT_FILE = re.compile(r"conversations(-\d{1,6})?\.json")
PARTS = re.compile(r"(conversations|memories|projects|design_chats|light_metadata)(-\d{1,6})?\.zip")
"""The archives in which Claude's export may come, one for each category."""
_ROLES = {
    "projects.json": Role.PROJECTS,
    "memories.json": Role.MEMORIES,
    "memory.json": Role.MEMORIES,
    "user.json": Role.ACCOUNT,
    "user_settings.json": Role.ACCOUNT,
}
_FOLDERS = {
    "projects": Role.PROJECTS,
    "memories": Role.MEMORIES,
    "textdocs": Role.DOCUMENTS,
    "design_chats": Role.CHATS,
}
_REASONS = {
    "users.json": "about the account, no memory",
    "login_history.json": "about the account, no memory",
    "chat.html": "a page with the same conversations",
    "message_feedback.json": "feedback on answers, no memory",
    "model_comparisons.json": "feedback on answers, no memory",
    "shared_conversations.json": "a list of shared links, no memory",
    "conversation_asset_file_names.json": "a list of file names, no memory",
    "library_files.json": "a list of file names, no memory",
    "export_manifest.json": "a list of file names, no memory",
}
_SUFFIXES = {
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic", ".bmp", ".svg"), "a picture"),
    **dict.fromkeys((".wav", ".mp3", ".m4a", ".ogg", ".mp4", ".mov", ".webm"), "a recording"),
    **dict.fromkeys((".html", ".htm"), "a web page; in Google Takeout choose JSON, not HTML"),
    ".zip": "an archive inside of the export: unpack it and import it",
    ".json": "data without conversations or memories",
}
_ATTACHED = "an attached file; `holdfast folders add` reads files"


def role_of(path: str) -> Role | None:
    """Returns what a file of an export holds, by its path in it; None if it is not read."""
    location = path.casefold()
    name = PurePosixPath(location).name
    if _CHAT_FILE.fullmatch(name):
        return Role.CHATS
    if name in _ROLES or not name.endswith(".json"):
        return _ROLES.get(name)
    if (role := _FOLDERS.get(PurePosixPath(location).parent.name)) is not None:
        return role
    return Role.CHATS if "gemini" in location or "bard" in location else None


def reason_of(path: str) -> str:
    """Returns why a file of an export is not read."""
    name = PurePosixPath(path.casefold())
    if name.name.startswith("manifest") and name.suffix == ".json":
        return "a list of file names, no memory"
    return _REASONS.get(name.name) or _SUFFIXES.get(name.suffix, _ATTACHED)


def place_of(path: str) -> str:
    """Returns where a file that is not read is counted: alone, or with the others of its folder."""
    location = PurePosixPath(path)
    return path if location.suffix.casefold() in (".json", ".html", ".zip") else str(location.parent)


def is_export(paths: Iterable[str]) -> bool:
    """Returns whether files are those of an export: conversations, or at the top what goes with them."""
    for path in paths:
        location = PurePosixPath(path.casefold())
        if _CHAT_FILE.fullmatch(location.name):
            return True
        if role_of(path) is Role.CHATS and location.name.endswith("activity.json"):
            return True
        if len(location.parts) == 1 and (location.name in ("projects.json", "memories.json")):
            return True
        if len(location.parts) == 1 and PARTS.fullmatch(location.name):
            return True
    return False
