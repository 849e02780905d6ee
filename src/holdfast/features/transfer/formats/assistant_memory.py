"""Reader of what another assistant knows: memories, custom instructions, projects, documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    clean,
    identifier,
    line_of,
    stable_id,
    text_of,
    time_of,
)
from holdfast.features.transfer.formats.model import FILE, ForeignProject, Note, Skip
from holdfast.features.transfer.formats.notes import pieces

TITLES = {"chatgpt": "ChatGPT", "claude": "Claude"}
INSTRUCTION, MEMORY, DOCUMENT, PROJECT = "instruction", "memory", "document", "project"

_ABOUT_USER = ("about_user_message", "user_profile", "about_user")
_ABOUT_ANSWERS = ("about_model_message", "user_instructions", "about_model", "custom_instructions")
_FENCED = re.compile(r"```(.+)```", re.DOTALL)
_ENTRY = re.compile(r"^\s*\d+\.\s*(?:\[(\d{4}-\d\d-\d\d)\]\.?)?\s*(.*)$")
_BOLD_LINE = re.compile(r"^\*\*([^*\n]{1,100})\*\*:?[ \t]*$", re.MULTILINE)
_DEPTH = 6


class Memories:
    """Memories of an assistant, as its chats tell them: each once, instructions as they were last."""

    def __init__(self, platform: str) -> None:
        self._platform = platform
        self._memories: dict[str, Note] = {}
        self._instructions: dict[str, tuple[int, str]] = {}

    def add_instructions(self, about_user: object, about_answers: object, at: int | None) -> None:
        """Adds custom instructions that were in force at a time: about the user, and about the answers."""
        for name, value in (("user", about_user), ("answers", about_answers)):
            text = _inside(text_of(value))
            if text and (at or 0) >= self._instructions.get(name, (0, ""))[0]:
                self._instructions[name] = (at or 0, text)

    def add_list(self, value: object, at: int | None) -> None:
        """Adds a numbered list of memories, which may have dates."""
        for line in text_of(value).splitlines():
            if (entry := _ENTRY.match(line)) is not None:
                self.add(entry[2], time_of(entry[1]) or at)
            elif line.strip():
                self.add(line, at)

    def add(self, text: str, at: int | None) -> None:
        """Adds one memory."""
        if text := clean(text):
            note = _note(self._platform, MEMORY, text, at=at)
            self._memories.setdefault(note.id, note)

    def notes(self) -> Iterator[Note]:
        """Yields the instructions and the memories."""
        for name, (at, text) in self._instructions.items():
            yield _instruction(self._platform, name, text, at or None)
        yield from self._memories.values()


def account(values: Iterator[object], name: str, skip: Skip) -> Iterator[Note]:
    """Yields the custom instructions in a file about the account of ChatGPT, if it has any."""
    memories = Memories("chatgpt")
    for value in values:
        texts = dict(_named_texts(value))
        memories.add_instructions(_any(texts, _ABOUT_USER), _any(texts, _ABOUT_ANSWERS), None)
    notes = list(memories.notes())
    if not notes:
        skip(name, "about the account, no memory", FILE)
    yield from notes


def _any(texts: dict[str, str], names: tuple[str, ...]) -> str:
    return next((texts[name] for name in names if texts.get(name)), "")


def _named_texts(value: object, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yields every text in nested objects with the name of its field, down to `_DEPTH` levels."""
    if depth == _DEPTH:
        return
    for name, inner in as_map(value).items():
        if isinstance(inner, str):
            yield name, inner
        else:
            yield from _named_texts(inner, depth + 1)
    for inner in as_list(value):
        yield from _named_texts(inner, depth + 1)


def projects(
    values: Iterator[object], project_names: dict[str, str], skip: Skip
) -> Iterator[ForeignProject | Note]:
    """Yields Claude's projects with their instructions and documents; adds their names to `project_names`, by
    id."""
    for number, value in enumerate(values, 1):
        fields = as_map(value)
        name, id = line_of(fields.get("name")), identifier(fields.get("uuid"))
        if name is None:
            skip(f"project {number}", "a project without a name", PROJECT)
            continue
        if fields.get("is_starter_project") is True:
            skip(name, "a sample project of the program", PROJECT)
            for _ in as_list(fields.get("docs")):
                skip(name, "of a sample project of the program", DOCUMENT)
            continue
        if id is not None:
            project_names[id] = name
        yield ForeignProject(name, text_of(fields.get("description")) or None)
        if instructions := text_of(fields.get("prompt_template")):
            at = time_of(fields.get("updated_at"))
            yield _instruction("claude", f"project {id or name}", instructions, at, project=name)
        for place, document in enumerate(as_list(fields.get("docs")), 1):
            yield from _document(as_map(document), f"{id or name} {place}", name, skip)


def _document(fields: dict[str, object], fallback: str, project: str | None, skip: Skip) -> Iterator[Note]:
    """Yields a document, a long one as a note for each section; `fallback` identifies one without an id."""
    title = next((line for key in ("filename", "title", "name") if (line := line_of(fields.get(key)))), None)
    text = next((text for key in ("content", "text", "body") if (text := text_of(fields.get(key)))), "")
    title = title or "a document"
    if not text:
        skip(title, "no text", DOCUMENT)
        return
    id = identifier(fields.get("uuid")) or identifier(fields.get("id")) or fallback
    at = time_of(fields.get("created_at")) or time_of(fields.get("create_time"))
    for piece in pieces(text, title):
        yield Note(
            piece.text,
            stable_id(DOCUMENT, id, piece.under, piece.number),
            title=piece.title,
            at=at,
            item_type=DOCUMENT,
            project=project,
        )


def documents(values: Iterator[object], name: str, skip: Skip) -> Iterator[Note]:
    """Yields the documents that were written in ChatGPT's canvas."""
    for number, value in enumerate(values, 1):
        yield from _document(as_map(value), f"{name} {number}", None, skip)


def memories(
    values: Iterator[object], name: str, project_names: dict[str, str], skip: Skip
) -> Iterator[tuple[str, Note]]:
    """Yields what Claude or ChatGPT remembers, each with its platform. `project_names` are those of projects
    by id."""
    chatgpt = Memories("chatgpt")
    recognised = False
    for value in values:
        fields = as_map(value)
        if "conversations_memory" in fields or "project_memories" in fields:
            recognised = True
            for note in _of_claude(fields, project_names, skip):
                yield "claude", note
            continue
        entries = next((as_list(fields[key]) for key in ("memories", "items") if key in fields), [value])
        for entry in entries:
            inner = as_map(entry)
            texts = (inner.get(key) for key in ("memory", "content", "text"))
            text = entry if isinstance(entry, str) else next(filter(None, map(text_of, texts)), "")
            recognised = recognised or bool(text)
            at = next((at for key in ("created_at", "updated_at") if (at := time_of(inner.get(key)))), None)
            if text:
                chatgpt.add(text, at)
            else:
                skip(name, "no text", MEMORY)
    for note in chatgpt.notes():
        yield "chatgpt", note
    if not recognised:
        skip(name, "no memory in it", FILE)


def _of_claude(fields: dict[str, object], project_names: dict[str, str], skip: Skip) -> Iterator[Note]:
    """Yields Claude's memory of all chats, of each project, and in files; `project_names` are those of
    projects by id."""
    whole = text_of(fields.get("conversations_memory"))
    yield from _remembered("claude", "", whole, "Claude's memory", None)
    for id, value in as_map(fields.get("project_memories")).items():
        project = project_names.get(id)
        text = text_of(value)
        if not text:
            skip(project or id, "no text", MEMORY)
        yield from _remembered("claude", id, text, f"Claude's memory of {project or 'a project'}", project)
    for value in as_list(fields.get("memory_files")):
        file = as_map(value)
        title = next((line for key in ("path", "name") if (line := line_of(file.get(key)))), "a file")
        text = text_of(file.get("content")) or text_of(file.get("text"))
        if not text:
            skip(title, "no text", MEMORY)
        yield from _remembered("claude", f"file {title}", text, f"Claude's memory › {title}", None)


def _remembered(platform: str, id: str, text: str, title: str, project: str | None) -> Iterator[Note]:
    """Yields a text that an assistant remembers, a note for each section of it."""
    if not text:
        return
    body = _BOLD_LINE.sub(r"## \1", text)
    for piece in pieces(body, title, limit=0):
        yield Note(
            piece.text,
            stable_id(platform, MEMORY, id, piece.under, piece.number),
            kind="project" if project else "profile",
            title=piece.title,
            item_type=MEMORY,
            project=project,
        )


def _note(platform: str, source: str, text: str, *, at: int | None) -> Note:
    title = f"{TITLES[platform]}'s memory"
    return Note(text, stable_id(platform, source, text), kind="profile", title=title, at=at, item_type=source)


def _instruction(platform: str, name: str, text: str, at: int | None, *, project: str | None = None) -> Note:
    """Returns custom instructions as a note: a convention for a project, otherwise a profile (`name` is
    "user") or a preference."""
    titles = {"user": "about you", "answers": "how to answer"}
    return Note(
        text,
        stable_id(platform, INSTRUCTION, name),
        kind="convention" if project else "profile" if name == "user" else "preference",
        title=f"Instructions to {TITLES[platform]}: {project or titles.get(name, name)}"[:200],
        at=at,
        item_type=INSTRUCTION,
        project=project,
    )


def _inside(text: str) -> str:
    """Returns the words of the person, without what ChatGPT puts around them for the model."""
    fenced = _FENCED.search(text)
    return clean(fenced[1]) if fenced and text.startswith(("The user provided", "User profile")) else text
