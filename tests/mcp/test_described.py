"""Agents find what files hold with `recall`: real files, reconciled, asked for over the protocol."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from mcp import Client

from holdfast import Memory
from tests.mcp.support import stdio, told, using


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
        hits = (await told(client, "recall", query="which table has the channel of an order"))["memories"]
        table = hits[0]
        assert (table["kind"], table["title"], table["file"], table["said_by"]) == (
            "data_table_summary", "orders (shop.db)", "shop.db", "file",
        )  # fmt: skip
        assert "channel (text, one of store, web)" in table["text"], "the answer itself, not how large it is"
        assert not any("till.db" in hit["text"] for hit in hits), "that is another project's"
        cell, *_ = (await told(client, "recall", query="which cell draws what was sold by month"))["memories"]
        assert (cell["kind"], cell["file"]) == ("code_cell_summary", "sales.ipynb")
        assert 'Draws a bar chart "Sold by month"' in cell["text"]
        within = await told(client, "recall", query="which tables are in it", scope="file:shop.db", limit=8)
        assert {hit["title"] for hit in within["memories"]} == {
            "shop.db", "orders (shop.db)", "orders_cities (shop.db)",
        }  # fmt: skip
        listed = await told(client, "list_memories", kinds=["data_table_summary"])
        assert {one["file"] for one in listed["memories"]} == {"shop.db"}
        whole = await told(client, "get_memory", id=table["id"])
        assert whole["memory"]["text"] == table["text"]

    using(stdio(store, "--project", "shop"), talk)
