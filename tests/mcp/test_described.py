"""Agents find what files hold with `recall`: real files, reconciled, asked for over the protocol."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from mcp import Client

from holdfast import Memory
from tests.mcp.support import call_tool, inside, refused, using


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store that knows a database and a notebook of one project, and a database of another."""
    for name, table in (("shop.db", "orders"), ("till.db", "receipts")):
        with closing(sqlite3.connect(tmp_path / name)) as connection, connection:
            connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, placed_at TEXT, channel TEXT)")
            rows = [(f"2024-01-{day:02}", ("web", "store")[day % 2]) for day in range(1, 29)]
            connection.executemany(f"INSERT INTO {table} (placed_at, channel) VALUES (?, ?)", rows)  # noqa: S608
            connection.execute(f"CREATE TABLE {table}_cities (id INTEGER PRIMARY KEY, city TEXT)")
    sources = ("import pandas as pd\nsold = pd.read_csv('sold.csv')", "sold.plot.bar(title='Sold by month')")
    cells = [
        {
            "cell_type": "code", "id": f"c{number}", "metadata": {}, "execution_count": number,
            "outputs": [], "source": source,
        }
        for number, source in enumerate(sources, 1)
    ]  # fmt: skip
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (tmp_path / "sales.ipynb").write_text(json.dumps(notebook))
    with Memory(tmp_path / "team.db", user="ana") as memory:
        for name, project in (("shop.db", "shop"), ("sales.ipynb", "shop"), ("till.db", "office")):
            memory.reconcile(str(tmp_path / name), project=project)
        memory.remember("Orders from the web are shipped on Fridays", kind="convention", project="shop")
    return tmp_path / "team.db"


def test_s3_33_recall_finds_what_files_tables_and_cells_hold(store: Path) -> None:
    async def talk(client: Client) -> None:
        hits = (await call_tool(client, "recall", query="which table has the channel of an order"))[
            "memories"
        ]
        table = hits[0]
        assert (table["kind"], table["title"], table["file"], table["said_by"]) == (
            "data_table_summary", "orders (shop.db)", "shop.db", "file",
        )  # fmt: skip
        assert "channel (text, one of store, web)" in table["text"], "the answer itself, not how large it is"
        assert not any("till.db" in hit["text"] for hit in hits), "that is another project's"
        cell, *_ = (await call_tool(client, "recall", query="which cell draws what was sold by month"))[
            "memories"
        ]
        assert (cell["kind"], cell["file"]) == ("code_cell_summary", "sales.ipynb")
        assert 'Draws a bar chart "Sold by month"' in cell["text"]
        within = await call_tool(
            client, "recall", query="which tables are in it", scope="file:shop.db", limit=8
        )
        assert {hit["title"] for hit in within["memories"]} == {
            "shop.db", "orders (shop.db)", "orders_cities (shop.db)",
        }  # fmt: skip
        listed = await call_tool(client, "list_memories", kinds=["data_table_summary"])
        assert {memory["file"] for memory in listed["memories"]} == {"shop.db"}
        whole = await call_tool(client, "get_memory", id=table["id"])
        assert whole["memory"]["text"] == table["text"]

    using(inside(store, "--project", "shop"), talk)


def test_an_assistant_reconciles_the_parts_that_it_has_open(store: Path) -> None:
    def table(id: str, rows: int) -> dict[str, object]:
        return {
            "type": "DATA_TABLE",
            "id": id,
            "data": {"name": id, "rows": rows, "columns": ["pier", "fee"]},
        }

    async def talk(client: Client) -> None:
        call = {"file": "fees.xlsx", "platform": "workbook", "parts": [table("fees", 12), table("piers", 4)]}
        assert (await call_tool(client, "reconcile", **call, dry_run=True))["counts"] == {"created": 2}
        first = await call_tool(client, "reconcile", **call)
        assert (first["counts"], first["outdated"]) == ({"created": 2}, False)
        assert (await call_tool(client, "reconcile", **call))["counts"] == {"unchanged": 2}
        again = await call_tool(client, "reconcile", **call | {"parts": [table("fees", 90)]})
        assert again["counts"] == {"updated": 1, "removed": 1}
        hit = (await call_tool(client, "recall", query="which table has the fee of a pier", limit=1))[
            "memories"
        ][0]
        assert (hit["file"], "90 rows" in hit["text"]) == ("fees.xlsx", True)
        listed = (await call_tool(client, "list_sources"))["sources"]
        assert {one["name"] for one in listed} == {"shop.db", "sales.ipynb", "fees.xlsx"}, (
            "no other project's"
        )
        for wrong in (
            {"project": "office"},
            {"parts": [{"type": "DATA_TABLE", "id": "a"}] * 2},
            {"path": "/etc"},
        ):
            await refused(client, "reconcile", **call | wrong)

    using(inside(store, "--project", "shop", "--profile", "data"), talk)
