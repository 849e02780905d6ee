"""Descriptions of tables and files in a context: where the task is about them, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import Memory
from holdfast.features.context.rendering import DESCRIPTION_MAX

ORDERS = [
    {"name": "id", "type": "integer", "min": 1, "max": 1804},
    {"name": "customer_id", "type": "integer"},
    {"name": "placed_at", "type": "date", "min": "2024-01-01", "max": "2024-12-28"},
    {"name": "status", "type": "text", "values": ["cancelled", "open", "paid"]},
    {"name": "channel", "type": "text", "values": ["store", "web"]},
]
FEES = [{"name": "boat_length", "type": "number"}, {"name": "season", "type": "text"}]
NOTES = (
    "We use ruff and pyright, never black.",
    "The login token expires after five minutes because exp is relative.",
    "Run the tests with pytest -q.",
)


def table(name: str, columns: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "DATA_TABLE",
        "id": name,
        "data": {"name": name, "rows": 1_800, "columns": columns, **more},
    }


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Memory]:
    """A project with knowledge of its own, a described database, a table of fees and a codebase; with the
    embedder of the package, by which recall knows what does not answer."""
    with Memory(tmp_path / "shop.db", user="ana") as memory:
        yield filled(memory)


def filled(memory: Memory) -> Memory:
    for text in NOTES:
        memory.remember(text, kind="decision", project="shop")
    file = {
        "type": "FILE",
        "id": "file",
        "data": {"kind": "SQLite database", "tables": ["orders", "customers"]},
    }
    tables = [table("orders", ORDERS), table("customers", [{"name": "city", "type": "text"}]), file]
    memory.reconcile("/srv/shop.db", {"name": "shop.db", "entities": tables}, project="shop")
    fees = table("harbour_fees", FEES, kind="file")
    memory.reconcile("/srv/data/fees.csv", {"name": "fees.csv", "entities": [fees]}, project="shop")
    module = {
        "type": "MODULE",
        "id": "auth",
        "data": {"kind": "Module", "name": "auth", "defines": ["login"]},
    }
    code = {"name": "shop", "platform": "codebase", "entities": [module]}
    memory.reconcile("/srv/shop", code, project="shop")
    return memory


def titles(memory: Memory, task: str | None, **options: Any) -> dict[str, str]:
    """The descriptions in a context, by the name of what each describes."""
    found = memory.context(task, project="shop", **options).entries
    lines = {one.id: one.line for one in found if one.kind.endswith("_summary")}
    return {str(memory.get(id).title).partition(" (")[0]: line for id, line in lines.items()}


@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        ("Add a filter by channel to the orders report", {"orders"}),
        ("harbour_fees has a new column, update the importer", {"harbour_fees"}),
        ("Which table says whether an order came from the web or the store channel?", {"orders"}),
        ("Why does shop.db grow so fast?", {"shop.db"}),
        ("Read the season of a boat from fees.csv", {"harbour_fees"}),
        ("Show the city of each customer on the invoice", {"customers"}),
    ],
)
def test_s4_35_a_task_about_a_table_or_file_gets_its_description(
    shop: Memory, task: str, wanted: set[str]
) -> None:
    found = titles(shop, task)
    assert wanted <= set(found)
    assert len(found) <= 3


@pytest.mark.parametrize(
    "task",
    [
        "Customers are logged out after five minutes",
        "Fix the typo in the footer of the login page",
        "Which formatter do we use?",
        "Upgrade pytest and run the tests",
        "Put the imports in order",
        "Write a haiku about boats",
        "The status page is down",
        "Let people pay by card",
    ],
)
def test_s4_35_another_task_gets_none(shop: Memory, task: str) -> None:
    assert titles(shop, task) == {}


def test_s4_36_a_description_says_where_it_is_from_and_keeps_to_the_budget(shop: Memory) -> None:
    context = shop.context("Add a filter by channel to the orders report", project="shop")
    (entry,) = (one for one in context.entries if one.line.startswith("orders"))
    assert entry.said_by == "file; file:shop.db"
    assert "channel (text, one of store, web)" in entry.line
    assert len(entry.line) <= DESCRIPTION_MAX + 200
    assert f"({entry.said_by})" in context.text
    small = shop.context("Add a filter by channel to the orders report", project="shop", budget=200)
    assert small.tokens <= 200
    wide = [{"name": f"column_{number}", "type": "text"} for number in range(300)]
    shop.reconcile(
        "/srv/wide.db", {"name": "wide.db", "entities": [table("wide_table", wide)]}, project="shop"
    )
    (line,) = titles(shop, "Drop the unused columns of wide_table").values()
    assert len(line) <= DESCRIPTION_MAX
    assert line.endswith("…")


def test_s4_35_what_is_asked_about_files_names_what_they_hold(shop: Memory) -> None:
    assert set(titles(shop, None, files=["data/fees.csv"])) == {"harbour_fees"}
    assert set(titles(shop, None, files=["/srv/shop.db", "src/login.py"])) == {"shop.db"}
    assert titles(shop, None, files=["src/login.py"]) == {}
    assert titles(shop, None) == {}


def test_s3_31_a_conversation_gets_a_description_that_answers(shop: Memory) -> None:
    asked = shop.context("which table has the channel of an order?", project="shop", role="chat")
    assert any(entry.kind == "data_table_summary" and "orders" in entry.line for entry in asked.entries)
    (line,) = (one for one in asked.text.splitlines() if "orders (shop.db)" in one)
    assert "file" in line
    other = shop.context("what is the capital of Peru?", project="shop", role="chat")
    assert not [entry for entry in other.entries if entry.kind.endswith("_summary")]
