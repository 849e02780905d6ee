"""Reader of the exports of chat programs: detects the format of each file and delegates to its module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import PurePath

from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats import (
    assistant_memory,
    chatgpt,
    claude,
    files,
    gemini,
    generic,
    jsonstream,
    messenger,
    plaintext,
)
from holdfast.features.transfer.formats.assemble import Assembler
from holdfast.features.transfer.formats.containers import Container
from holdfast.features.transfer.formats.export_files import Role
from holdfast.features.transfer.formats.fields import as_list, as_map
from holdfast.features.transfer.formats.model import (
    FILE,
    PLATFORMS,
    Conversation,
    ForeignProject,
    Note,
    Skip,
    Skipped,
    Thread,
)

MAX_ITEMS = 2_000_000
"""Maximum number of conversations, or messages of a bare list, in one file."""

_SNIFFED = 64
"""Number of items that are examined to detect the format."""

_LINES = (".jsonl", ".ndjson")
_JSON = (".json", *_LINES)
_TEXT = (".txt", ".md", ".markdown", ".text")


@dataclass(frozen=True, slots=True)
class _Format:
    platform: str
    recognises: Callable[[object], bool]
    threads: Callable[[Iterator[object], Skip], Iterator[Thread | Note | ForeignProject]]


_FORMATS = (
    _Format("chatgpt", chatgpt.recognises, chatgpt.threads),
    _Format("claude", claude.recognises, claude.threads),
    _Format("gemini", gemini.recognises, gemini.threads),
)
_GENERIC = _Format("messages", lambda item: isinstance(item, dict | list), generic.threads)


class ChatReader:
    """One export of a chat program, read a conversation at a time (S2.21).

    `platform` is known after the first item, and `skipped`, the items that cannot be used, is complete after
    the last (S2.20). Reading twice gives the same ids.
    """

    def __init__(self, container: Container, platform: str | None = None) -> None:
        if platform is not None and platform not in PLATFORMS:
            raise InvalidInput(
                f"there is no chat platform {platform!r}",
                code="format_unknown",
                hint="use " + ", ".join(PLATFORMS),
            )
        self._container = container
        self._platform = platform
        self._assembler = Assembler()
        self._projects: dict[str, str] = {}
        self.platform: str | None = None

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """Returns the items skipped so far."""
        return self._assembler.skipped

    def __iter__(self) -> Iterator[Conversation | Note | ForeignProject]:
        """Yields what the export knows beside chats, then the conversations. Raises InvalidInput if nothing
        in the export is either."""
        failed: InvalidInput | None = None
        for document in self._container.documents(self._assembler.skip):
            try:
                if document.role is not Role.CHATS:
                    yield from self._knowledge(document)
                    continue
                format_name, threads = _threads(document, self._platform, self._assembler.skip)
                self.platform = self.platform or format_name
                yield from self._assembler.items(threads, format_name)
            except InvalidInput as error:
                self._assembler.skip(document.name, error.message, FILE)
                failed = failed or error
        if self.platform is None:
            raise failed or _unknown(self._container.name)

    def _knowledge(self, document: files.Document) -> Iterator[Note | ForeignProject]:
        """Yields the projects, memories, instructions or documents in a file without chats."""
        skip, name = self._assembler.skip, document.name
        values = jsonstream.until_broken(jsonstream.items(document.text(), name), name, skip, MAX_ITEMS)
        items: Iterator[tuple[str, Note | ForeignProject]]
        if document.role is Role.PROJECTS:
            items = (
                ("claude", project) for project in assistant_memory.projects(values, self._projects, skip)
            )
        elif document.role is Role.MEMORIES:
            items = iter(assistant_memory.memories(values, name, self._projects, skip))
        elif document.role is Role.ACCOUNT:
            items = (("chatgpt", item) for item in assistant_memory.account(values, name, skip))
        else:
            items = (("chatgpt", item) for item in assistant_memory.documents(values, name, skip))
        for platform, item in items:
            self.platform = self.platform or platform
            yield item


def _threads(
    document: files.Document, platform: str | None, skip: Skip
) -> tuple[str, Iterator[Thread | Note | ForeignProject]]:
    """Returns the platform and the conversations of one document."""
    name, suffix = document.name, PurePath(document.name).suffix.lower()
    chunks = document.text()
    opening = next((chunk for chunk in chunks if chunk.strip()), "").lstrip()
    if not opening:
        raise InvalidInput(f"{name} is empty", code="format_unknown")
    chunks = chain([opening], chunks)
    if platform == "text":
        return _as_text(jsonstream.read_all(chunks, name), name, skip)
    if platform is not None or suffix in _JSON:
        return _as_json(chunks, name, platform, skip)
    if suffix in _TEXT:
        text = jsonstream.read_all(chunks, name)
        try:
            if _looks_like_json(opening):
                return _as_json(jsonstream.pieces(text), name, None, skip)
        except InvalidInput:
            pass
        return _as_text(text, name, skip)
    if _looks_like_json(opening):
        return _as_json(chunks, name, None, skip)
    if opening[:15].lower().startswith(("<!doctype html", "<html")):
        raise InvalidInput(
            f"{name} is a web page",
            code="format_unknown",
            hint="use conversations.json instead of chat.html; in Google Takeout choose JSON, not HTML",
        )
    text = jsonstream.read_all(chunks, name)
    if suffix and not messenger.recognises(text) and not plaintext.has_turns(text):
        raise InvalidInput(
            f"{name} is not a known chat format: it has no speakers",
            code="format_unknown",
            hint="with the format `text` (`--format text`) it is read as one message",
        )
    return _as_text(text, name, skip)


def _looks_like_json(opening: str) -> bool:
    """Returns whether a document starts like JSON and not like `[10:32] me: hello`."""
    return opening[0] + opening[1:200].lstrip()[:1] in ('{"', "{}", "[{", "[[", '["', "[]")


def _as_text(text: str, name: str, skip: Skip) -> tuple[str, Iterator[Thread | Note | ForeignProject]]:
    thread = messenger.thread(text, name, skip) if messenger.recognises(text) else plaintext.thread(text)
    return "text", iter([thread])


def _as_json(
    chunks: Iterator[str], name: str, platform: str | None, skip: Skip
) -> tuple[str, Iterator[Thread | Note | ForeignProject]]:
    """Returns the platform and the conversations of a JSON document, whose first items tell its format unless
    a platform is named. Raises InvalidInput `format_unknown`."""
    by_line = PurePath(name).suffix.lower() in _LINES
    values = jsonstream.lines(chunks, name, skip) if by_line else jsonstream.items(chunks, name)
    items = jsonstream.until_broken(values, name, skip, MAX_ITEMS)
    head = list(islice(items, _SNIFFED))
    detected = _recognise(head)
    if detected is None and len(head) == 1:
        # some exports wrap the list of conversations in an object
        for inner in as_map(head[0]).values():
            if detected := _recognise(as_list(inner)[:_SNIFFED]):
                head = inner
                break
    chosen = detected or _GENERIC
    if platform not in (None, chosen.platform):
        chosen = next((form for form in _FORMATS if form.platform == platform), _GENERIC)
        if not any(map(chosen.recognises, head)):
            raise InvalidInput(f"{name} is not an export of {platform}", code="format_unknown")
    threads = chosen.threads(chain(head, items), skip)
    opening = next(threads, None)
    if opening is None:
        if detected is None:
            raise _unknown(name)
        return chosen.platform, threads
    return chosen.platform, chain([opening], threads)


def _recognise(items: list[object]) -> _Format | None:
    return next((form for form in _FORMATS if any(map(form.recognises, items))), None)


def _unknown(name: str) -> InvalidInput:
    """Returns the error for a file without chat messages."""
    return InvalidInput(
        f"there are no chat messages in {name}",
        code="format_unknown",
        hint="Holdfast reads exports of ChatGPT, Claude and Gemini, lists of messages, and text with roles",
    )
