"""Reader of Gemini exports: logged API calls, AI Studio prompts, and Google Takeout activity (S2.21)."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from holdfast.features.transfer.formats.fields import (
    as_list,
    as_map,
    by_time,
    identifier,
    left_out,
    line_of,
    role_of,
    text_of,
    time_of,
)
from holdfast.features.transfer.formats.model import ATTACHMENT, CONVERSATION, MESSAGE, Draft, Skip, Thread

_SILENCE = 30 * 60 * 1000
"""Maximum gap in milliseconds between Takeout records of one conversation, if they have no link."""

_PROMPT_VERBS = (
    "Prompted with: ",
    "Prompted ",
    "Asked Gemini: ",
    "Asked Bard: ",
    "Asked ",
    "Said ",
    "Branched ",
    "Answered ",
)
_OTHER_VERBS = ("Created ", "Used ", "Added ", "Gave ", "Selected ", "Shared ", "Deleted ", "Viewed ")
_LINK = "https://gemini.google.com/app/"

_TAG = re.compile(r"<(/?)([a-zA-Z0-9]*)[^<>]*>")
_BLOCKS = frozenset({"p", "div", "br", "li", "tr", "pre", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"})


def recognises(item: object) -> bool:
    """Returns whether an item is a Takeout record of Gemini, a logged call or an AI Studio prompt."""
    return _is_record(item) or bool(_turns(as_map(item)))


def threads(items: Iterator[object], skip: Skip) -> Iterator[Thread]:
    """Yields conversations: calls whose history repeats the previous call are joined, records are
    regrouped."""
    records: list[dict[str, Any]] = []
    history: list[Draft] = []
    for number, item in enumerate(items, 1):
        if _is_record(item):
            records.append(as_map(item))
            continue
        turns = _turns(as_map(item))
        if not turns:
            skip(f"item {number}", "not a Gemini conversation", CONVERSATION)
            continue
        prefix = [(turn.role, turn.content) for turn in turns[: len(history)]]
        if prefix != [(turn.role, turn.content) for turn in history]:
            yield Thread(drafts=history)
            history = []
        history = [*history, *turns[len(history) :]]
    if history:
        yield Thread(drafts=history)
    yield from _from_records(records, skip)


def _turns(item: dict[str, Any]) -> list[Draft]:
    """Returns the messages of a prompt in one of the three forms."""
    request, response = as_map(item.get("request")), as_map(item.get("response"))
    contents = as_list(request.get("contents"))
    if not contents and any("parts" in as_map(turn) for turn in as_list(item.get("contents"))):
        contents = as_list(item["contents"])
    chunks = as_list(as_map(item.get("chunkedPrompt")).get("chunks"))
    answers = [as_map(answer).get("content") for answer in as_list(response.get("candidates"))]
    others = ((MESSAGE, "an answer that was not chosen"),) * (len(answers) - 1)
    turns: list[tuple[Any, str, tuple[tuple[str, str], ...]]]
    turns = [(turn, "user", ()) for turn in contents + chunks]
    turns += [(turn, "model", others) for turn in answers[:1]]
    return [
        Draft(role_of(as_map(turn).get("role") or role)[0], text_of(turn), left_out=(*left_out(turn), *more))
        for turn, role, more in turns
    ]


def _is_record(item: object) -> bool:
    """Returns whether an item is a Takeout record of Gemini, which was called Bard before."""
    fields = as_map(item)
    labels = [fields.get("header"), *as_list(fields.get("products"))]
    return isinstance(fields.get("title"), str) and any(
        isinstance(label, str) and ("gemini" in label.casefold() or "bard" in label.casefold())
        for label in labels
    )


def _from_records(records: list[dict[str, Any]], skip: Skip) -> Iterator[Thread]:
    """Regroups Takeout's single prompts, newest first, into conversations by link or time."""
    threads: dict[tuple[str | None, int], Thread] = {}
    session, last_at = 0, None
    records.reverse()
    for record in sorted(records, key=lambda record: by_time(record.get("time"))):
        prompt, answer = _prompt(record), _answer(record)
        if prompt is None:
            skip("activity", "not a prompt", "activity")
            continue
        at, link = time_of(record.get("time")), _link(record)
        if link is None:
            if last_at is None or at is None or at - last_at > _SILENCE:
                session += 1
            last_at = at
        thread = threads.setdefault((link, 0 if link else session), Thread(link, None, at))
        attached = _attached(record)
        missing = tuple((ATTACHMENT, _by_suffix(name)) for name in attached)
        thread.drafts.append(Draft("user", prompt, at=at, attached=attached, left_out=missing))
        if answer:
            thread.drafts.append(Draft("assistant", answer, at=at))
    yield from threads.values()


def _prompt(record: dict[str, Any]) -> str | None:
    """Returns the person's prompt, or None for a record of something else."""
    title = text_of(record["title"])
    for verb in _PROMPT_VERBS:
        if title.startswith(verb):
            return title.removeprefix(verb).strip()
    # in other languages the verb is unknown; a record with an answer was a prompt
    if title.startswith(_OTHER_VERBS) or not as_list(record.get("safeHtmlItem")):
        return None
    return title


def _attached(record: dict[str, Any]) -> tuple[str, ...]:
    """Returns the names of the files that were attached to a prompt or made for it."""
    names = [*as_list(record.get("attachedFiles")), record.get("imageFile")]
    if not any(names):
        listed = (as_map(subtitle).get("name") for subtitle in as_list(record.get("subtitles")))
        names = [name.removeprefix("-") for name in listed if isinstance(name, str) and name.startswith("-")]
    return tuple(dict.fromkeys(name for name in map(line_of, names) if name))


def _by_suffix(name: str) -> str:
    is_picture = name.casefold().endswith((".png", ".jpg", ".jpeg", ".webp", ".gif", ".heic"))
    return "a picture" if is_picture else "a file without its text"


def _answer(record: dict[str, Any]) -> str:
    items = [as_map(item).get("html") for item in as_list(record.get("safeHtmlItem"))]
    return "\n".join(filter(None, (_words(item) for item in items if isinstance(item, str))))


def _link(record: dict[str, Any]) -> str | None:
    """Returns the id of the conversation, which newer exports contain as a link."""
    links = [
        record.get("titleUrl"),
        *(as_map(detail).get("url") for detail in as_list(record.get("details"))),
    ]
    for link in links:
        if isinstance(link, str) and link.startswith(_LINK):
            return identifier(link.removeprefix(_LINK).partition("?")[0])
    return None


def _words(markup: str) -> str:
    """Returns the text of an answer's HTML; block elements become lines."""
    text = _TAG.sub(lambda tag: "\n" if tag[2].casefold() in _BLOCKS else "", markup)
    # a character reference of thousands of digits is an error; the text is then left as it is
    with suppress(ValueError):
        text = html.unescape(text)
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
