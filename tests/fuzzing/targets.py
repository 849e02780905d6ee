"""The targets of fuzzing: how an input of each is made from a seed and a number, and what must hold of it."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdfast.api.import_report import Report
from holdfast.api.importing import import_path
from holdfast.api.memory import Memory
from holdfast.core.errors import HoldfastError
from holdfast.core.facts import Act, Stated
from holdfast.features.extraction.candidates import statements_in
from holdfast.features.transfer.formats.model import (
    Conversation,
    ForeignProject,
    ImportedEntity,
    Link,
    Note,
    Skipped,
)
from holdfast.features.transfer.formats.opening import open_import
from holdfast.language.facts.boards import boards
from holdfast.language.facts.notation import read, written
from holdfast.language.facts.route import route
from holdfast.language.facts.statements import statements_of
from holdfast.language.facts.topics import BUILT_IN
from tests.fuzzing import mutate, samples

OURS = 5
"""Errors from this exit status on are the store's: none may come of an input."""
NEW = ("created", "redacted", "pending", "superseded")


class Found(Exception):
    """Something that must not be."""


@dataclass(frozen=True, slots=True)
class Input:
    """What one case gives to its target: files by name (one, or a folder of notes), or a text."""

    files: Mapping[str, bytes]
    folder: bool = False

    @property
    def text(self) -> str:
        return next(iter(self.files.values())).decode("utf-8", "surrogatepass")


Maker = Callable[[random.Random], Input]


@dataclass(frozen=True, slots=True)
class Target:
    """`make` gives the same input for the same chance; `check` raises for what must not be and returns how
    much was found in it."""

    make: Maker
    check: Callable[[Input, Path], int]


# inputs


def _json(name: str, sample: Callable[[], Any], *, in_lines: bool = False) -> Maker:
    def make(chance: random.Random) -> Input:
        value = sample()
        if chance.random() < 0.85:
            value = mutate.document(chance, value)
        by_line = isinstance(value, list) and chance.random() < (0.8 if in_lines else 0.2)
        data = mutate.lines(chance, value) if by_line else mutate.written(chance, value)
        if chance.random() < 0.35:
            data = mutate.data(chance, data)
        return Input({name + ("l" if by_line else ""): data})

    return make


def _text(name: str, *texts: str) -> Maker:
    def make(chance: random.Random) -> Input:
        data = mutate.text(chance, chance.choice(texts)).encode("utf-8", "surrogatepass")
        return Input({name: mutate.data(chance, data) if chance.random() < 0.2 else data})

    return make


def _texts_maker(*texts: str) -> Maker:
    """Texts that are strings already, whatever is in them."""

    def make(chance: random.Random) -> Input:
        given = " ".join(chance.choices(texts, k=chance.choice((1, 1, 2, 3))))
        if chance.random() < 0.2:
            given = "\n".join(chance.choices((*mutate.WORDS, *texts), k=chance.randrange(1, 40)))
        given = mutate.text(chance, given) if chance.random() < 0.95 else given
        return Input({"text": given.encode("utf-8", "surrogatepass")})

    return make


def _zip(chance: random.Random) -> Input:
    sample, name = chance.choice(
        (
            (samples.chatgpt_file, "conversations.json"),
            (samples.claude_file, "data/conversations.json"),
            (samples.gemini_file, "Takeout/My Activity/Gemini Apps/MyActivity.json"),
        )
    )
    members = {name: mutate.written(chance, mutate.document(chance, sample()))}
    if chance.random() < 0.4:
        members["conversations-000.json"] = mutate.data(chance, mutate.written(chance, sample()))
    members["chat.html"] = b"<html>"
    data = mutate.archive(chance, members)
    return Input({"export.zip": mutate.data(chance, data) if chance.random() < 0.5 else data})


def _own(chance: random.Random) -> Input:
    records, drawn = samples.own_files()
    if chance.random() < 0.3:
        return Input({"mine.md": _marked(chance, drawn)})
    kept = mutate.document(chance, records)
    if isinstance(kept, list) and kept and chance.random() < 0.9:
        kept[0] = records[0]
    data = mutate.lines(chance, kept if isinstance(kept, list) else [kept])
    return Input({"mine.jsonl": mutate.data(chance, data) if chance.random() < 0.2 else data})


def _marked(chance: random.Random, drawn: str) -> bytes:
    parts = drawn.split("<!-- holdfast ")
    for _ in range(chance.choice((1, 2, 4))):
        at = chance.randrange(1, len(parts))
        parts[at] = chance.choice((parts[chance.randrange(1, len(parts))], mutate.text(chance, parts[at])))
    data = "<!-- holdfast ".join(parts).encode("utf-8", "surrogatepass")
    return mutate.data(chance, data) if chance.random() < 0.3 else data


def _folder(chance: random.Random) -> Input:
    files: dict[str, bytes] = {}
    for name in chance.sample(
        ("a.md", "trips/lisbon.md", "trips/Ada Lovelace.md", "b.txt", "ü/ß.markdown"), k=3
    ):
        note = mutate.text(chance, samples.NOTE).encode("utf-8", "surrogatepass")
        files[name] = mutate.data(chance, note) if chance.random() < 0.2 else note
    return Input(files, folder=True)


# what has to hold


def imports(given: Input, folder: Path) -> int:
    """Each item has one outcome, each row a place, the file is sound, and the same again adds nothing."""
    home = folder / "given"
    for name, data in given.files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)
    path = home if given.folder else home / next(iter(given.files))
    store = folder / "a.db"
    try:
        before, _ = _imported(store, path)
        if before is None:
            _same(_rows(store), 0, "rows, though the import failed")
            return 0
        _accounted(before, path)
        rows = _rows(store)
        again, _ = _imported(store, path)
        if again is None:
            raise Found("the same import fails the second time")
        _same(_item_counts(again), _item_counts(before), "items the second time")
        fresh = sum(again.outcomes[name] for name in NEW)
        # a record that stood before what it belongs to is refused at first
        late = before.outcomes["refused"] - again.outcomes["refused"] if before.format == "holdfast" else 0
        if fresh > late or _rows(store) > rows + fresh:
            raise Found(f"the same again gives {dict(again.outcomes)}, {rows} rows become {_rows(store)}")
        return before.total
    finally:
        shutil.rmtree(home, ignore_errors=True)
        for one in folder.glob("a.db*"):
            shutil.rmtree(one) if one.is_dir() else one.unlink()


def _imported(store: Path, path: Path) -> tuple[Report | None, HoldfastError | None]:
    """The report, or the error that the input deserves. The store is sound afterwards."""
    report: Report | None = None
    failed: HoldfastError | None = None
    with Memory(store, user="ana") as memory:
        try:
            report = import_path(memory, path)
        except HoldfastError as error:
            if error.exit_status >= OURS:
                raise
            failed = error
    with Memory(store, user="ana") as memory:
        problems = memory.doctor().problems
        if problems:
            raise Found("; ".join(problems))
    return report, failed


def _accounted(report: Report, path: Path) -> None:
    """Whatever the reader gives is counted once; what it makes on the way, as entities that links name, may
    come in addition."""
    counts: dict[str, int] = {}
    with open_import(path) as found:
        for number, item in enumerate(found.items):
            if isinstance(item, Conversation):
                _add(counts, "message", len(item.messages))
            elif isinstance(item, Note):
                _add(counts, "note", 1)
            elif isinstance(item, ImportedEntity):
                _add(counts, "entity", 1)
                _add(counts, "observation", len(item.observations))
            elif isinstance(item, Link):
                _add(counts, "relation", 1)
            elif isinstance(item, ForeignProject):
                _add(counts, "project", 1)
            elif number and item.get("type") != "event":
                _add(counts, "record", 1)
        skipped = _left_out(found.skipped())
    _same(_left_out(report.skipped), skipped, "what is left out")
    items = dict(report.items)
    items.pop("conversation", None)
    _same(sum(items.values()), report.total, "items and outcomes")
    if "record" in counts:
        _same(sum(items.values()), counts["record"], "records")
        return
    for what, count in counts.items():
        if items.get(what, 0) < count or (what != "entity" and items.get(what, 0) != count):
            raise Found(f"{items.get(what, 0)} of {count} {what}s are accounted for")
    refused = report.outcomes["refused"]
    _same(
        sum(count for code, count in report.reasons.items()), refused + report.outcomes["pending"], "reasons"
    )


def _item_counts(report: Report) -> dict[str, int]:
    """What the reader gave; entities that links name are made once."""
    return {what: count for what, count in report.items.items() if count and what != "entity"}


def _add(counts: dict[str, int], what: str, count: int) -> None:
    counts[what] = counts.get(what, 0) + count


def _left_out(skipped: Iterable[Skipped]) -> dict[tuple[str, str], int]:
    """What was left out, but for what only the reader or only the gate can know."""
    known = ("events stay", "never closed")
    return {
        (one.where, one.reason): one.count for one in skipped if not any(part in one.reason for part in known)
    }


def _same(found: Any, wanted: Any, what: str) -> None:
    if found != wanted:
        raise Found(f"{what}: {found} instead of {wanted}")


def _rows(store: Path) -> int:
    """All rows of the file; each has to stand in a pool, and in its session where it has one."""
    import apsw

    connection = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        rows = connection.execute("SELECT count(*) FROM memories").fetchall()[0][0]
        placed = connection.execute(
            "SELECT count(*) FROM memories m JOIN pools p ON p.number = m.pool"
            " WHERE m.session IS NULL OR m.session IN (SELECT number FROM sessions)"
        ).fetchall()[0][0]
        _same(placed, rows, "rows with a place")
        return int(str(rows))
    finally:
        connection.close()


def facts(given: Input, folder: Path) -> int:
    """What a text states is the same twice, obeys its limits, makes lists without gaps, and can be told."""
    found = statements_of(given.text, BUILT_IN)
    _same(statements_of(given.text, BUILT_IN), found, "statements the second time")
    for one in found:
        is_whole = bool(one.value.strip()) is not (one.act is Act.CLEAR)
        if not is_whole or len(one.value) > 1_000 or not (one.rank is None or 1 <= one.rank <= 100):
            raise Found(f"{one} is outside its limits")
        if one.act is not Act.CHANGE:  # a change is read with the list at hand, and has no notation
            _same(read(written([one])), (one,), "written down and read")
    for board in boards(Stated(one, "m", n) for n, one in enumerate(found)).values():
        ranks = [fact.rank for fact in board.ranked if fact.rank is not None]
        _same(ranks, sorted(set(ranks)), "ranks")
    return len(found)


def routes(given: Input, folder: Path) -> int:
    """A question is read the same twice, and what it asks for exists."""
    found = route(given.text, BUILT_IN)
    _same(route(given.text, BUILT_IN), found, "requests the second time")
    for one in found:
        if one.topic is not None:
            _ = BUILT_IN[one.topic]
        if any(n is not None and n < 1 for n in (one.rank, one.limit)):
            raise Found(f"{one} names no rank")
    return len(found)


def extraction(given: Input, folder: Path) -> int:
    """A statement is a piece of its text, and none lies in another."""
    found = statements_in(given.text)
    _same(statements_in(given.text), found, "candidates the second time")
    for one in found:
        _same(given.text[one.start : one.end], one.text, "the span")
        if not one.text.strip() or not 0 <= one.confidence <= 1:
            raise Found(f"{one} is empty or sure beyond reason")
    return len(found)


TARGETS: dict[str, Target] = {
    "facts": Target(_texts_maker(*samples.STATED), facts),
    "route": Target(_texts_maker(*samples.QUESTIONS), routes),
    "extraction": Target(_texts_maker(*samples.stated_by_rules()), extraction),
    "chatgpt": Target(_json("conversations.json", samples.chatgpt_file), imports),
    "claude": Target(_json("conversations.json", samples.claude_file), imports),
    "gemini": Target(_json("MyActivity.json", samples.gemini_file), imports),
    "messages": Target(_json("chat.json", samples.messages_file), imports),
    "pairs": Target(_json("pairs.json", samples.pairs_file, in_lines=True), imports),
    "text": Target(_text("chat.txt", samples.TURNS, *samples.SAID), imports),
    "notes": Target(_text("note.md", samples.NOTE), imports),
    "mem0": Target(_json("mem0.json", samples.mem0_file), imports),
    "mcp-memory": Target(_json("memory.json", samples.graph_file, in_lines=True), imports),
    "basic-memory": Target(_folder, imports),
    "holdfast": Target(_own, imports),
    "zip": Target(_zip, imports),
}
"""Every importer, and what reads texts for facts, questions and statements."""


def input_of(name: str, seed: int, number: int) -> Input:
    """The input of one case: the same on every machine."""
    return TARGETS[name].make(random.Random(f"{name} {seed} {number}"))
