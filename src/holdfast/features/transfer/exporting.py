"""Export of everything that one user owns, as JSON Lines or Markdown; `import` reads both (S4.54)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from holdfast.core.arguments import checked_flag, safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.core.metadata_filter import metadata_conditions
from holdfast.features.service import Service
from holdfast.features.transfer import records_out as transfer
from holdfast.features.transfer.formats.own import END, MARK
from holdfast.features.transfer.signing import signed

FORMATS = ("jsonl", "markdown")
"""The formats of an export."""
TITLE = 80


def lines(
    service: Service, *, format: str = "jsonl", user_data: bool = False, metadata: object = None
) -> Iterator[str]:
    """Yields the lines of an export, each with its line end, read as they are requested.

    `jsonl` is one record a line; `markdown` is the same for people, each text with its record in a comment
    above it. With `user_data` the audit events about the user follow; with `metadata` only memories that have
    it are exported. docs/formats.md specifies the format. A store whose history is lost is not exported as if
    it were whole. Raises InvalidInput `format_unknown`, Damaged `history_lost`.
    """
    if service.store.lost is not None:
        raise service.store.lost
    if format not in FORMATS:
        raise InvalidInput(
            f"there is no export format {safe_repr(format)}",
            code="format_unknown",
            hint="use " + ", ".join(FORMATS),
        )
    described = metadata_conditions(metadata)
    records = signed(
        service,
        transfer.records(service, user_data=checked_flag(user_data, "user_data"), condition=described),
    )
    return map(_line, records) if format == "jsonl" else _markdown(records)


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _markdown(records: Iterator[dict[str, Any]]) -> Iterator[str]:
    for record in records:
        yield from _LINES_OF.get(record["type"], _plain_lines)(record)


def _header_lines(record: dict[str, Any]) -> Iterator[str]:
    yield _comment(record)
    yield f"\n# Memories of {_plain(record['user'])}\n\nExported {record['exported_at']}.\n\n"


def _plain_lines(record: dict[str, Any]) -> Iterator[str]:
    yield _comment(record)
    if record["type"] in ("project", "session"):
        name = record.get("name") or record.get("id")
        yield f"\n{record['type'].capitalize()} *{_plain(str(name))}*\n\n"


def _memory_lines(record: dict[str, Any]) -> Iterator[str]:
    """Yields a memory as Markdown: heading, details, then its record without the text as a comment, from
    which it is imported again, and the text."""
    text = record["text"].split("\n")
    heading = _plain(str(record.get("title") or text[0]))
    details = [record["kind"], record["at"][:10]]
    details += [f"{name} {_plain(str(record[name]))}" for name in ("project", "session") if name in record]
    details += [record["status"]] if record["status"] != "approved" else []
    details += ["pinned"] if record["pinned"] else []
    details += ["forgotten"] if "deleted_at" in record else []
    yield f"## {heading[:TITLE] + '…' if len(heading) > TITLE else heading}\n\n*{' · '.join(details)}*\n\n"
    yield _comment({**{k: v for k, v in record.items() if k != "text"}, "lines": len(text)})
    yield "\n"
    yield from (f"{line}\n" for line in text)
    yield "\n"


_LINES_OF = {"header": _header_lines, "memory": _memory_lines}


def _comment(record: dict[str, Any]) -> str:
    """Returns a record as a comment that a reader of Markdown does not see. `>` would end the comment, so it
    is escaped."""
    body = json.dumps(record, ensure_ascii=False, separators=(",", ":")).replace(">", "\\u003e")
    return f"{MARK}{body}{END}\n"


def _plain(text: str) -> str:
    """Returns one line of text without characters that Markdown would read as markup."""
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*")
