"""Extracts e-mails, single or of a mailbox: sender, recipients, date, subject, text, names of attachments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from typing import BinaryIO

from holdfast.features.reading.markup import readable
from holdfast.features.reading.skip_reasons import Unreadable

MAX_MAIL = 32_000_000
_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MESSAGE = re.compile(rb"(?:\A|\n\r?\n)From [^\n]*\n(?=[!-9;-~]+:)")
"""The line before each message of a mailbox. A sentence after a blank line may begin with From as well, but
no header follows it."""
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def eml(stream: BinaryIO, _notes: list[str]) -> Iterator[str]:
    """Yields the text of a message in the format of RFC 5322."""
    data = stream.read(MAX_MAIL + 1)
    if len(data) > MAX_MAIL:
        raise Unreadable("too_large")
    message = _parsed(data)
    if not any(header in message for header in _HEADERS):
        raise Unreadable("broken")
    yield from _message_text(message)


def mbox(stream: BinaryIO, notes: list[str]) -> Iterator[str]:
    """Yields the texts of the messages of a mailbox, each with its subject as a heading."""
    data = stream.read()
    starts = [match.end() for match in _MESSAGE.finditer(data)]
    if not starts:
        raise Unreadable("broken")
    ends = [match.start() for match in _MESSAGE.finditer(data)][1:]
    failed = 0
    for start, end in zip(starts, [*ends, len(data)], strict=True):
        if end - start > MAX_MAIL:
            failed += 1
            continue
        try:
            yield "".join(_message_text(_parsed(_QUOTED.sub(rb"\1", data[start:end])), "No subject")) + "\n"
        except (LookupError, ValueError, AttributeError, TypeError):  # as the parser raises for damaged ones
            failed += 1
    if failed:
        notes.append(f"{failed:,} of {len(starts):,} messages are damaged or too large")


def _parsed(data: bytes) -> EmailMessage:
    """Returns a parsed mail message."""
    from email import message_from_bytes
    from email.policy import default

    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def _message_text(message: EmailMessage, untitled: str = "") -> Iterator[str]:
    """Yields the text of a message; `untitled` is its heading if it has no subject."""
    subject = " ".join(str(message.get("Subject", "")).split()) or untitled
    if subject:
        yield f"# {subject}\n\n"
    for header in _HEADERS[:-1]:
        if header in message:
            yield f"{header}: {' '.join(str(message[header]).split())}\n"
    yield "\n"
    body = message.get_body(preferencelist=("plain", "html"))
    if isinstance(body, EmailMessage):
        text = str(body.get_content())
        yield (readable(text) if body.get_content_subtype() == "html" else text).strip() + "\n"
    named = [name for part in message.iter_attachments() if (name := part.get_filename())]
    if named:
        yield f"\nAttachments: {', '.join(named)}\n"


def msg(stream: BinaryIO, _notes: list[str]) -> Iterator[str]:
    """Yields the text of a message in Outlook's format."""
    from oxmsg import Message

    message = Message.load(stream)
    if message.subject:
        yield f"# {' '.join(message.subject.split())}\n\n"
    if message.sender:
        yield f"From: {message.sender}\n"
    people = [f"{item.name} <{item.email_address}>" for item in message.recipients]
    if people:
        yield f"To: {', '.join(people)}\n"
    if message.sent_date is not None:
        yield f"Date: {message.sent_date.isoformat()}\n"
    yield "\n"
    if message.body:
        yield message.body.strip() + "\n"
    elif message.html_body:
        yield readable(message.html_body).strip() + "\n"
    attached = [item.file_name for item in message.attachments if item.file_name]
    if attached:
        yield f"\nAttachments: {', '.join(attached)}\n"
