"""`holdfast export --to FILE`: the rules of a project, in a marked block of a file such as CLAUDE.md."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.core import kinds
from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import Nature

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Memory as Record

BEGIN = "<!-- holdfast:begin: written by `holdfast export --to`, changes up to the end mark are lost -->"
END = "<!-- holdfast:end -->"
_BEGIN = "<!-- holdfast:begin"
TITLE = "## What is known of this project"
KINDS = ("convention", "decision", "constraint", "human_feedback")
KINDS_OF_KNOWLEDGE = frozenset(kind.name for kind in kinds.KINDS.values() if kind.nature is Nature.KNOWLEDGE)
MOST = 100
"""Maximum number of rules in a block."""


def write_block(memory: Memory, path: Path, project: str) -> tuple[int, int, int]:
    """Writes the approved rules of a project between the marks of a file, which are put at its end if it has
    none; returns their number, that of private rules, and that of memories that are no rules by their kind:
    both are left out. Nothing outside the marks changes. Raises InvalidInput."""
    from holdfast.cli.context import write_file
    from holdfast.features.beliefs.rivals import contradicted

    page = memory.list(project=project, kinds=KINDS, limit=MOST).memories
    older = {record.id for record, _ in contradicted(page)}
    rules = [record for record in page if record.id not in older and _is_for_all(record)]
    lines = [BEGIN, TITLE, "", *map(_line, rules), END]
    write_file(path, _with_block(_text_of(path), lines, path))
    private = sum(record.visibility == "private" for record in page)
    others = memory.list(project=project, kinds=KINDS_OF_KNOWLEDGE - {*KINDS}, limit=MOST).memories
    return len(rules), private, len(others)


def _is_for_all(record: Record) -> bool:
    """Returns whether a rule may be in a file that others read: it is not private, and not from a file of the
    repository, which says it already."""
    is_private = record.visibility == "private"
    return not (is_private or record.flags or record.pii_risk or record.said_by == "file")


def _line(record: Record) -> str:
    line = record.text + (f" ({record.about_file})" if record.about_file else "")
    # a space in place of each mark of a comment: taking it out could make another of what is around it
    return f"- {' '.join(line.replace('<!--', ' ').replace('-->', ' ').split())}"


def _text_of(path: Path) -> str:
    """Returns the text of a file, empty if there is none. Raises InvalidInput."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            f"{path} cannot be read as text", code="file_unreadable", hint="name a text file"
        ) from error


def _with_block(text: str, lines: list[str], path: Path) -> str:
    """Returns a text with the lines in place of its block, or at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join(lines)
    begin, end = text.find(_BEGIN), text.find(END)
    if (begin < 0, text.count(_BEGIN), text.count(END)) == (True, 0, 0):
        gap = "" if not text else newline if text.endswith("\n") else 2 * newline
        return f"{text}{gap}{block}{newline}"
    if text.count(_BEGIN) != 1 or text.count(END) != 1 or end < begin:
        raise InvalidInput(
            f"the marks of the block in {path} are broken", code="file_unreadable",
            hint=f"leave one `{_BEGIN}` and one `{END}` after it, or remove both",
        )  # fmt: skip
    return text[:begin] + block + text[end + len(END) :]
