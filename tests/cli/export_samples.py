"""Exports of ChatGPT, Claude and Gemini as their programs write them, as files by name."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

Files = dict[str, Any]
BEGAN = 1_756_000_000.0
"""When the conversations began: 24 August 2025."""


def _node(key: str, parent: str | None, message: dict[str, Any] | None) -> dict[str, Any]:
    return {"id": key, "parent": parent, "children": [], "message": message}


def chatgpt_message(
    key: str, role: str, text: object, at: float | None = None, **more: Any
) -> dict[str, Any]:
    """One message of ChatGPT."""
    content = dict(text) if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    return {
        "id": f"msg-{key}", "author": {"role": role, "name": None, "metadata": {}}, "create_time": at,
        "update_time": None, "content": content, "status": "finished_successfully", "weight": 1.0,
        "metadata": {}, "recipient": "all", "channel": None,
    } | more  # fmt: skip


def conversation(
    id: str, title: str, messages: list[dict[str, Any]], branch: dict[str, Any] | None = None
) -> dict[str, Any]:
    """One conversation of ChatGPT: a root, its messages in a row, and perhaps an answer left behind."""
    mapping = {"root": _node("root", None, None)}
    parent = "root"
    for message in messages:
        key = message["id"]
        mapping[key] = _node(key, parent, message)
        parent = key
    if branch is not None:
        mapping["left"] = _node("left", messages[-2]["id"], branch)
    return {
        "id": id, "conversation_id": id, "title": title, "create_time": BEGAN, "update_time": BEGAN + 90,
        "mapping": mapping, "current_node": parent, "is_archived": False, "memory_scope": "global_enabled",
    }  # fmt: skip


PROFILE = {
    "content_type": "user_editable_context",
    "user_profile": "The user provided the following information about themselves. This user profile is shown"
    " to you in all conversations they have.\nUser profile:\n```I teach chemistry in Utrecht.```",
    "user_instructions": "The user provided the additional info about how they would like you to respond:\n"
    "```Answer in at most five sentences.```",
}


def chatgpt() -> Files:
    """27 messages are seen: 6 said, and those that are something else."""
    hidden = {"is_visually_hidden_from_conversation": True}
    picture = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_01", "width": 10},
            "What is this plant?",
        ],
    }
    attached = {"attachments": [{"id": "file_01", "name": "leaf.png", "mimeType": "image/png"},
                                {"id": "file_02", "name": "a.pdf", "mimeType": "a/pdf"}]}  # fmt: skip
    garden = conversation(
        "68aa0000-1111-4222-8333-444455556666",
        "Balcony herbs for autumn",
        [
            chatgpt_message("g0", "system", "", None, metadata=hidden),
            chatgpt_message("g1", "user", PROFILE, None, metadata=hidden | {"is_user_system_message": True}),
            chatgpt_message("g2", "user", picture, BEGAN + 1, metadata=attached),
            chatgpt_message(
                "g3",
                "assistant",
                {"content_type": "code", "text": '{"q": 1}'},
                BEGAN + 2,
                recipient="web.run",
            ),
            chatgpt_message("g4", "tool", "a page of the web", BEGAN + 3),
            chatgpt_message("g5", "assistant", {"content_type": "thoughts", "thoughts": []}, BEGAN + 4),
            chatgpt_message(
                "g6", "assistant", "The user grows thyme on a balcony.", BEGAN + 5, recipient="bio"
            ),
            chatgpt_message("g7", "tool", "Model set context updated.", BEGAN + 6),
            chatgpt_message("g8", "assistant", "It looks like lemon thyme.", BEGAN + 7),
        ],
        branch=chatgpt_message("g9", "assistant", "It is oregano.", BEGAN + 6.5),
    )
    later = conversation(
        "68bb0000-1111-4222-8333-444455556666",
        "Titration homework",
        [
            chatgpt_message("t0", "system", "", None, metadata=hidden),
            chatgpt_message("t1", "user", PROFILE, None, metadata=hidden),
            chatgpt_message(
                "t2", "system",
                {"content_type": "model_editable_context",
                 "model_set_context": "1. [2025-08-20]. The user has a dog named Miso."
                 "\n\n2. The user likes rye."},
                None, metadata=hidden,
            ),
            chatgpt_message("t3", "user", "How do I mark thirty titrations quickly?", BEGAN + 8_000),
            chatgpt_message("t4", "assistant", "Use one answer key with tolerances.", BEGAN + 8_010),
        ],
    )  # fmt: skip
    empty = conversation("68cc", "New chat", [chatgpt_message("e0", "system", "", None, metadata=hidden)])
    return {
        "conversations-000.json": [garden, later],
        "conversations-001.json": [empty],
        "user.json": {"id": "user-1", "email": "ana@example.com", "chatgpt_plus_user": True},
        "user_settings.json": {"settings": {"theme": "dark"}},
        "message_feedback.json": [],
        "shared_conversations.json": [],
        "conversation_asset_file_names.json": {"file_01.dat": "leaf.png"},
        "export_manifest.json": {"files": []},
        "chat.html": "<html></html>",
        "file_01-leaf.png": b"\x89PNG",
        "user-1/file_03.png": b"\x89PNG",
        "voice/one.wav": b"RIFF",
    }


GARDEN = "0190a000-0000-7000-8000-00000000aaaa"


def claude() -> Files:
    """A Claude export with projects, documents, memories, attachments, a branch and a design chat."""

    def turn(
        key: str, sender: str, text: str, at: str, parent: str | None = None, **more: Any
    ) -> dict[str, Any]:
        return {
            "uuid": f"turn-{key}", "sender": sender, "text": text, "created_at": at, "updated_at": at,
            "content": [{"type": "text", "text": text, "citations": []}] if text else [],
            "attachments": [], "files": [], "files_v2": [], "parent_message_uuid": parent,
        } | more  # fmt: skip

    lease = {"file_name": "lease.txt", "file_size": 40, "file_type": "txt",
             "extracted_content": "The lease of the workshop ends on 30 June 2027."}  # fmt: skip
    photo = {"file_uuid": "f-1", "file_name": "bench.jpg", "file_kind": "image"}
    answer = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_use", "name": "web_search", "input": {}},
        {"type": "tool_result", "name": "web_search", "content": []},
        {"type": "text", "text": "Give notice three months before."},
    ]
    talk = {
        "uuid": "c1a0de00-0000-4000-8000-000000000001",
        "name": "Leaving the workshop",
        "summary": "**Overview** The user asks about a lease.",
        "created_at": "2026-03-01T09:00:00.000000Z",
        "updated_at": "2026-03-01T09:30:00.000000Z",
        "account": {"uuid": "acc"},
        "chat_messages": [
            turn("1", "human", "When does my lease end?", "2026-03-01T09:00:01Z",
                 "00000000-0000-4000-8000-000000000000", attachments=[lease], files=[photo],
                 files_v2=[photo]),
            turn("2", "assistant", "On 30 June.", "2026-03-01T09:00:09Z", "turn-1"),
            turn("3", "assistant", "", "2026-03-01T09:20:00Z", "turn-1", content=answer),
        ],
    }  # fmt: skip
    design = {
        "uuid": "d-1", "title": "A poster", "project": {"uuid": "x", "name": "Posters"},
        "created_at": "2026-03-02T10:00:00Z", "updated_at": "2026-03-02T10:05:00Z",
        "messages": [
            {"uuid": "d-1-1", "role": "user", "created_at": "2026-03-02T10:00:00Z",
             "content": {"content": "Make a poster for the open day", "contentBlocks": []}},
            {"uuid": "d-1-2", "role": "assistant", "created_at": "2026-03-02T10:01:00Z",
             "content": {"contentBlocks": [{"type": "thinking", "text": "hm"},
                                           {"type": "text", "text": "Here is a first draft."},
                                           {"type": "tool_call", "toolCall": {"name": "draw"}}]}},
        ],
    }  # fmt: skip
    blank = talk | {"uuid": "c-empty", "name": "", "summary": "", "chat_messages": []}
    return {
        "conversations.json": [talk, blank],
        "design_chats/d-1.json": design,
        "projects.json": [
            {"uuid": GARDEN, "name": "Community garden", "description": "The garden behind the school.",
             "prompt_template": "Use metric units and name plants in Latin.", "is_starter_project": False,
             "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-02T00:00:00Z",
             "docs": [{"uuid": "doc-1", "filename": "beds.md", "created_at": "2026-01-02T00:00:00Z",
                       "content": "# Beds\n\nBed four is for tomatoes."},
                      {"uuid": "doc-2", "filename": "empty.md", "content": ""}]},
            {"uuid": "s-1", "name": "How to", "is_starter_project": True, "docs": [{"content": "x"}]},
        ],
        "memories.json": [
            {"conversations_memory": "**Work context**\n\nRuns a wood workshop.\n\n**Personal context**\n\n"
             "Has two daughters.", "project_memories": {GARDEN: "The garden opens in April."},
             "account_uuid": "acc"},
        ],
        "users.json": [{"uuid": "acc", "full_name": "Ana", "email_address": "ana@example.com"}],
        "login_history.json": [],
    }  # fmt: skip


def gemini() -> Files:
    """Activity of Gemini in Takeout: two prompts, one with a picture, and something that was done."""
    link = "https://gemini.google.com/app/abc123"
    activity = "Takeout/My Activity/Gemini Apps/"
    return {
        activity + "MyActivity.json": [
            {"header": "Gemini Apps", "title": "Created Gemini Canvas titled Plan",
             "products": ["Gemini Apps"],
             "time": "2026-02-01T10:02:00.000Z"},
            {"header": "Gemini Apps", "title": "Prompted what is this tool", "titleUrl": link,
             "time": "2026-02-01T10:01:00.000Z", "products": ["Gemini Apps"],
             "subtitles": [{"name": "Attached 1 file."}, {"name": "-  tool.png"}],
             "safeHtmlItem": [{"html": "<p>A marking gauge.</p>"}]},
            {"header": "Gemini Apps", "title": "Prompted how do I sharpen it", "titleUrl": link,
             "time": "2026-02-01T10:01:30.000Z", "products": ["Gemini Apps"],
             "safeHtmlItem": [{"html": "<p>With a fine stone.</p>"}]},
        ],
        activity + "tool-123.png": b"\x89PNG",
    }  # fmt: skip


def _bytes(content: Any) -> bytes:
    if isinstance(content, bytes):
        return content
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def as_folder(root: Path, files: Files) -> Path:
    """The export as it is unpacked."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(content))
    return root


def as_zip(path: Path, files: Files) -> Path:
    """The export as it is downloaded."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _bytes(content))
    return path
