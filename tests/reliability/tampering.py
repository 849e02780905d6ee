"""A store with rows in every table, and single changes to it: of each column of each table, and of rows."""

# ruff: noqa: S608

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from holdfast.api.memory import Memory
from holdfast.core.language_models import ModelCall
from holdfast.core.metrics import Metric
from holdfast.core.places import Principal, Role
from holdfast.core.scanning import Finding
from holdfast.features.maintenance.metrics import store_metrics

UNNOTICED = {
    ("blocks", "number"): "the number of a block is referred to by nothing",
    ("blocks", "delete"): "blocks that are missing are read from the rows",
    ("blocks", "delete all"): "blocks that are missing are read from the rows",
    ("vectors", "number"): "the number of a vector is referred to by nothing",
}
"""Changes that the doctor cannot notice, with the reason."""


def populate(memory: Memory, folder: Path) -> None:
    """Fills every table, through public operations."""
    code = folder / "code"
    code.mkdir()
    (code / "app.py").write_text("def handle(request):\n    return request\n" * 5)
    (code / "README.md").write_text("# Harbour\n\nThe harbour opens at six.\n")
    memory.projects.create(
        "shop", description="sells lanterns", system_prompt="be short", colour="#112233", icon="x", notes="n"
    )
    lantern = memory.remember(
        "The shop sells red lanterns", project="shop", tags=["a"], metadata={"k": 1}, title="Lanterns",
        external_id="e1", valid_from="2024-01-01",
    ).memory  # fmt: skip
    harbour = memory.remember("The harbour opens at six in the morning", project="shop").memory
    assert lantern is not None
    assert harbour is not None
    memory.revise(lantern.id, text="The shop sells blue lanterns")
    memory.revise(lantern.id, text="The shop sells green lanterns")
    memory.redact(lantern.id, 2)
    memory.pin(harbour.id)
    memory.add_messages(
        [
            {"role": "user", "content": "My favourite colours are 1) Blue 2) Red 3) Green"},
            {"role": "assistant", "content": "Noted."},
        ],
        session="monday",
        project="shop",
    )
    turns = [f"The ferry of row {number} left the harbour late because of the fog" for number in range(20)]
    memory.add_messages([{"role": "user", "content": turn} for turn in turns], session="tuesday")
    memory.sessions.summary("tuesday")
    for text, hard in (("A text that is erased", True), ("A text that is forgotten", False)):
        stored = memory.remember(text).memory
        assert stored is not None
        memory.forget(stored.id, hard=hard)
    memory.entities.create("Lena", "person", project="shop")
    memory.entities.create("Dock", "place", project="shop")
    memory.entities.observe("Lena", ["sweeps the dock"], project="shop")
    memory.entities.relate("Lena", "works_at", "Dock", project="shop")
    source = memory.folders.add(str(code), project="shop")
    memory.folders.index(source.id)
    (code / "app.py").rename(code / "main.py")
    memory.folders.index(source.id)
    passage = memory.list(project="shop", kinds=["passage"]).memories[0]
    memory.forget(passage.id)
    memory.sources.add("chatgpt", "a" * 64, filename="export.zip", metadata={"n": 1})
    memory.maps.scan(str(code), project="shop")
    memory.context("when does the harbour open", project="shop", session="work")
    memory.recall("lanterns", project="shop")
    memory.members.add("ana", "owner")
    memory.members.add("ben", "member")
    store_metrics(memory._service, [Metric("retrieval_hit_rate", 0.5, 10, "test", 1_700_000_000_000)])
    memory.models.add("far", "some-model", url="https://model.invalid", price_in=1.0, price_out=2.0,
                      tokens_per_day=9, tokens_per_month=99, cost_per_day=0.5, cost_per_month=5.0,
                      dimensions=8)  # fmt: skip
    memory.models.accept("far")
    with memory._service.store.write() as tx:
        tx.put_model_call(ModelCall("c", 1, "ana", "far", "openai", "answer", "success", 5, 6, 7, 8))
        tx.put_finding(Finding(harbour.id, "ana", 1, False))
    ben = Memory.over(replace(memory._service, principal=Principal("ben", Role.MEMBER)))
    own = ben.remember("The night shift ends at four").memory
    assert own is not None
    ben.review.move([own.id], visibility="team")
    memory.folders.queue(source.id)
    memory.maintain()


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one table: what it does, and the statements to try in turn until one is accepted."""

    table: str
    what: str
    statements: tuple[str, ...]


def changes(table: str, columns: list[tuple[str, str]], key: str) -> Iterator[Change]:
    """Yields a change of each column of one row, by what its type holds; that row gone; all rows gone.
    `columns` are names and types, `key` a condition that names one row.
    """
    for name, type in columns:
        column = f'"{name}"'
        values = [value.replace("?", column) for value in _others(type.lower())]
        yield Change(
            table,
            name,
            tuple(
                f"UPDATE {table} SET {column} = {value} WHERE {key} AND {column} IS DISTINCT FROM {value}"
                for value in values
            ),
        )
    yield Change(table, "delete", (f"DELETE FROM {table} WHERE {key}",))
    yield Change(table, "delete all", (f"DELETE FROM {table}",))


def _others(type: str) -> list[str]:
    """Returns expressions for another value of a column, the most plausible first."""
    if type == "text":
        words = ("approved", "pending", "owner", "member", "team", "project", "private", "single", "success",
                 "queued", "error", "indexed", "skipped", "idle", "everywhere", "shared", "user", "agent",
                 "list", "set")  # fmt: skip
        plain = [f"CASE WHEN ? = '{word}' THEN '{word}' || 'x' ELSE '{word}' END" for word in words]
        return ["CASE WHEN ? LIKE '%[]%' OR ? LIKE '{%' THEN '[1]' ELSE coalesce(?, '') || 'x' END", *plain]
    if type in ("integer", "bigint"):
        return ["coalesce(?, 0) + 1", "CASE WHEN ? = 1 THEN 0 ELSE 1 END", "NULL", "coalesce(?, 0) + 1000"]
    if type in ("real", "double precision"):
        return ["? / 2 + 0.01"]
    if type == "boolean":
        return ["NOT ?"]
    return ["zeroblob(length(?))"] if type == "blob" else ["decode(repeat('00', length(?)), 'hex')"]


def row_key(columns: list[str], row: tuple[Any, ...]) -> str:
    """Returns a condition that names one row by its whole key, with literals of SQLite and PostgreSQL."""
    parts = []
    for name, value in zip(columns, row, strict=True):
        literal = str(value) if isinstance(value, int | float) else "'" + str(value).replace("'", "''") + "'"
        parts.append(f'"{name}" = {literal}')
    return " AND ".join(parts)
