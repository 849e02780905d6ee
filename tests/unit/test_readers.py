"""Readers of sources, on real files: what they find, what they describe, and what they must not show."""

from __future__ import annotations

import json
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from holdfast import HoldfastError, Memory
from holdfast.features.reconcile.entities import entities_of, fingerprints_of, type_of
from holdfast.features.reconcile.opening import name_of, read_source
from holdfast.readers import databases, dbt, profile, servers, tabular
from holdfast.readers.steps import limit_steps
from tests.cases import each

PERSONS = [f"person{number}@example.org" for number in range(40)]


def described(source: Path | str) -> dict[str, str]:
    """The descriptions of a source by the ids of its entities; of what failed the reason."""
    payload = read_source(source)
    json.dumps(payload)  # it is plain
    return {
        one.id: f"!{one.error}" if one.error else type_of(one.type).describe(one, payload["name"]).text
        for one in entities_of(payload)
    }


def titles(source: Path) -> list[str]:
    """The titles of the descriptions of a source, in its order."""
    payload = read_source(source)
    return [type_of(one.type).describe(one, payload["name"]).title for one in entities_of(payload)]


def digests(source: Path) -> dict[str, str]:
    """The fingerprints of the entities of a source."""
    entities = entities_of(read_source(source))
    return dict(zip((entity.id for entity in entities), fingerprints_of(entities, "s"), strict=True))


def workbook(path: Path, *, rows: int = 30) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.chart import BarChart, Reference
    from openpyxl.worksheet.table import Table

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Orders"
    sheet.append(["order id", "placed", "region", "units", "price", "total", "contact email"])
    for number in range(1, rows + 1):
        day, place = date(2025, 1, 1) + timedelta(number), ("North", "South")[number % 2]
        total = f"=D{number + 1}*E{number + 1}"
        sheet.append([number, day, place, number % 9, number / 4, total, PERSONS[number % 40]])
    sheet.add_table(Table(displayName="AllOrders", ref=f"A1:G{rows + 1}"))
    summary = book.create_sheet("Summary")
    summary["B2"] = "Revenue by region"
    for row in (["Region", "Revenue"], ["North", 12.5], ["South", 80]):
        summary.append([None, *row])
    summary["B20"] = "alone"
    chart = BarChart()
    chart.title = "Revenue by region"
    chart.add_data(Reference(summary, min_col=3, min_row=3, max_row=5), titles_from_data=True)
    summary.add_chart(chart, "F3")
    summary.add_chart(BarChart(), "F20")
    book.save(path)
    return path


def test_a_workbook_has_tables_regions_formulas_and_charts(tmp_path: Path) -> None:
    found = described(workbook(tmp_path / "sales.xlsx"))
    assert set(found) == {"Orders:AllOrders", "Summary:B3", "Summary:F3", "Summary:F20", "file"}
    assert found["Summary:F20"] == "Bar chart at F20 in sheet Summary of sales.xlsx."
    orders = found["Orders:AllOrders"]
    assert "30 rows, 7 columns" in orders
    assert "One row for each order id" in orders
    assert "placed (date, 2025-01-02 to 2025-01-31" in orders
    assert "one of North, South" in orders
    assert "total =D2*E2 (30 cells)" in orders
    assert "Revenue by region in sheet Summary" in found["Summary:B3"]
    assert "Bar chart Revenue by region" in found["Summary:F3"]
    assert "Sheets (2): Orders, Summary" in found["file"]
    assert "@" not in json.dumps(found)
    longer = digests(tmp_path / "sales.xlsx")
    workbook(tmp_path / "sales.xlsx", rows=31)
    after = digests(tmp_path / "sales.xlsx")
    assert {id for id in after if after[id] != longer[id]} == {"Orders:AllOrders", "file"}


def test_s3_6_s3_11_a_workbook_of_single_values_has_no_description(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.worksheet.table import Table

    book = openpyxl.Workbook()
    book.save(tmp_path / "empty.xlsx")
    book.active.append(["rate"])
    book.active.append([0.19])
    book.active.add_table(Table(displayName="Rate", ref="A1:A2"))
    book.save(tmp_path / "one.xlsx")
    book.active["C1"] = "=A2*2"
    book.save(tmp_path / "formula.xlsx")
    found = [set(described(tmp_path / f"{name}.xlsx")) for name in ("empty", "one", "formula")]
    assert found == [set(), set(), {"file"}]


def _far_workbook(path: Path) -> None:
    cells = '<c r="A1"><v>1</v></c></row><row r="1048576"><c s="1" r="XFD1048576"><v>2</v></c>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        sheet = f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
        archive.writestr("xl/worksheets/sheet1.xml", " " * (1 << 20) + sheet)


def _placeless_workbook(path: Path) -> None:
    """A workbook whose cells do not say where they are: the last is where its row is."""
    cells = f'<row r="1">{"<c><v>1</v></c>" * 16_000}</row><row r="1048576"><c><v>1</v></c></row>'
    kinds = "http://schemas.openxmlformats.org"
    office, package = f"{kinds}/officeDocument/2006/relationships", f"{kinds}/package/2006/relationships"
    link = f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{office}'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", f'{link}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        archive.writestr(
            "xl/_rels/workbook.xml.rels", f'{link}/worksheet" Target="sheet1.part"/></Relationships>'
        )
        names = f'xmlns="{kinds}/spreadsheetml/2006/main" xmlns:r="{office}"'
        sheets = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
        archive.writestr("xl/workbook.xml", f"<workbook {names}>{sheets}</workbook>")
        archive.writestr("xl/sheet1.part", f"<worksheet {names}><sheetData>{cells}</sheetData></worksheet>")


def _long_line(path: Path) -> None:
    path.write_text("a,b\n" + "x" * (2 << 20) + ",1\n")


def _deep_notebook(path: Path) -> None:
    path.write_text('{"nbformat":4,"cells":' + "[" * 100_000 + "]" * 100_000 + "}")


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("far.xlsx", _far_workbook, "spans more than 30,000,000 cells"),
        ("placeless.xlsx", _placeless_workbook, "takes more memory than a source may have"),
        ("long.csv", _long_line, "a line has more than 1,048,576 characters"),
        ("deep.ipynb", _deep_notebook, "cannot be read as a notebook"),
    ],
)
def test_a_file_made_to_exhaust_memory_is_refused_with_a_reason(
    tmp_path: Path, name: str, make: Callable[[Path], None], reason: str
) -> None:
    make(tmp_path / name)
    try:
        told = str(read_source(str(tmp_path / name)))
    except HoldfastError as error:
        told = error.in_full
    assert reason in told


def test_a_view_that_never_ends_is_told_beside_the_tables_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(databases, "limit_steps", partial(limit_steps, steps=3_000_000))
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript(
            "CREATE TABLE orders (units); INSERT INTO orders VALUES (3);"
            "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT i FROM n;"
        )
    found = {entity["id"]: entity for entity in databases.read(tmp_path / "shop.db")["entities"]}
    assert found["endless"]["error"] == "it takes too long to compute"
    assert found["orders"]["data"]["rows"] == 1


def test_an_open_document_sheet_is_read_with_its_formulas(tmp_path: Path) -> None:
    odfdo = pytest.importorskip("odfdo")
    document = odfdo.Document("spreadsheet")
    document.body.clear()
    table = odfdo.Table("Costs")
    table.set_values([["item", "units", "price", "cost"], ["bolt", 3, 0.5, 1.5], ["nut", 4, 0.25, 1.0]])
    table.set_cell("D2", odfdo.Cell(1.5, formula="of:=[.B2]*[.C2]"))
    table.append_row(odfdo.Row(repeated=1_000_000))  # only formatted, to the end of the sheet
    table.append_row(odfdo.Row())
    table.set_cell((0, 1_000_003), odfdo.Cell(repeated=16_000))
    document.body.append(table)
    document.save(str(tmp_path / "costs.ods"))
    found = described(tmp_path / "costs.ods")
    assert "2 rows, 4 columns" in found["Costs:A1"]
    assert "cost =B2*C2" in found["Costs:A1"]


def notebook(path: Path, *cells: dict[str, Any]) -> Path:
    metadata = {"kernelspec": {"display_name": "Python 3 (lab)"}, "language_info": {"name": "python"}}
    path.write_text(
        json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)})
    )
    return path


def cell(id: str, source: str, *outputs: dict[str, Any], kind: str = "code") -> dict[str, Any]:
    return {
        "cell_type": kind,
        "id": id,
        "metadata": {},
        "source": source.splitlines(True),
        "outputs": list(outputs),
    }


def test_a_notebook_has_cells_with_what_they_do_and_show(tmp_path: Path) -> None:
    share = "# share that did not order\nmonthly = orders.groupby('m').size()\n"
    share += "monthly.plot.bar(title='Per month')"
    html = f"<table><tr><td>{PERSONS[0]}</td></tr></table><p>5 rows × 3 columns</p>"
    path = notebook(
        tmp_path / "churn.ipynb",
        cell("m", "# Churn\n\nWhich customers leave, and when, in the past year.\n", kind="markdown"),
        cell("a", "import pandas as pd\norders = pd.read_csv('orders.csv')\n"),
        cell("n", "## By month", kind="markdown"),
        cell("b", share, {"output_type": "display_data", "data": {"image/png": "AA=="}}),
        cell("c", "orders.head()", {"output_type": "execute_result", "data": {"text/html": html}}),
        cell("d", "print(orders.email[0])", {"output_type": "stream", "name": "stdout", "text": PERSONS[1]}),
        cell("e", "nope()", {"output_type": "error", "ename": "NameError", "evalue": "nope"}),
        cell("f", "  "),
    )  # fmt: skip
    found = described(path)
    assert "Reads orders.csv" in found["a"]
    assert "Computes orders" in found["a"]
    assert "Section By month. Share that did not order. Uses orders. Computes monthly." in found["b"]
    assert 'Groups by m. Draws a bar chart "Per month".' in found["b"]
    assert "a table of 5 rows and 3 columns" in found["c"]
    assert found["e"] == "!it ended with NameError: nope"
    assert "f" not in found, "a blank cell is none"
    assert "Which customers leave" in found["file"]
    assert "Runs with Python 3 (lab)" in found["file"]
    assert "Cell 5 ended with an error" in found["file"]
    assert 'Draws: a bar chart "Per month"' in found["file"]
    assert "Reads: orders.csv" in found["file"]
    assert "@" not in json.dumps(found)


def test_a_cell_says_how_it_is_introduced_what_it_calls_and_what_it_shows(tmp_path: Path) -> None:
    intro = "## 2. *Moving* files:\n\nOld files go to [backup](x.md), as `mover` says.\n\nThey are:\n\n- a\n"
    about = "Moves weather files to where they belong."
    path = notebook(
        tmp_path / "move.ipynb",
        cell("m", f"# Files\n\nWe have:\n\n- a.epw\n\n{about}", kind="markdown"),
        cell("n", intro, kind="markdown"),
        cell("a", "import shutil, tools\nfor i in old:\n    shutil.move(i, 'backup')\ntools.check()"),
        cell("o", "Now we look at the result:", kind="markdown"),
        cell("b", "print(*kept, sep=' ')\nkept.frame.shape"),
        cell("p", f"Ask {PERSONS[1]} about the others.", kind="markdown"),
        cell("c", "table.time_plot(x=1)"),
        cell("d", "table.frame['x'].sum()"),
        cell("e", "np.random.seed(3)"),
        cell("f", "boats = sns.load_dataset('boats')\nsns.displot(data=boats, x='length', kind='kde')"),
    )  # fmt: skip
    found = described(path)
    assert found["file"].startswith(f"Notebook move.ipynb. {about} Sections (2)")
    assert found["a"] == (
        "Python cell 1 of move.ipynb. Section 2. Moving files. Old files go to backup, as mover says."
        " Imports shutil, tools. Uses old. Calls shutil.move, tools.check."
    )
    assert "Now we look at the result… Shows kept, kept.frame.shape." in found["b"]
    assert (
        found["c"] == "Python cell 3 of move.ipynb. Section 2. Moving files. Uses table. Draws a time chart."
    )
    assert found["e"].endswith("Moving files. Calls np.random.seed."), "it shows nothing"
    assert found["f"].endswith("Reads boats. Computes boats. Draws a density chart of length.")
    assert titles(path)[:4] == [
        "2. Moving files, cell 1: calls shutil.move (move.ipynb)",
        "2. Moving files, cell 2: shows kept (move.ipynb)",
        "2. Moving files, cell 3: draws a time chart (move.ipynb)",
        "2. Moving files, cell 4 (move.ipynb)",
    ]


def test_dates_in_other_forms_have_a_range(tmp_path: Path) -> None:
    path = tmp_path / "dates.csv"
    lines = (
        "name;dotted;slashed;day first;dashed;unclear;with time",
        "Jan 3 2024;3.1.2024;2024/1/3;31/1/2024;3-Jan-2024;1/3/2024;1/31/2024 12:05 AM",
        "Feb 4, 2024;4.2.2024;2024/02/04;4/2/2024;4-Feb-2024;2/4/2024;Feb 4, 2024, 2:05:09 pm",
    )
    path.write_text("\n".join(lines))
    assert titles(path) == ["dates.csv"]
    (found,) = described(path).values()
    assert found.startswith("File dates.csv: 2 rows, 7 columns.")
    assert "with time (date and time, 2024-01-31 00:05 to 2024-02-04 14:05" in found
    for column in ("name", "dotted", "slashed", "dashed"):
        assert f"{column} (date, 2024-01-03 to 2024-02-04" in found, column
    assert "day first (date, 2024-01-31 to 2024-02-04" in found
    assert "unclear (text" in found, "the day cannot be told from the month"


def test_months_have_a_range_and_an_empty_folder_has_no_description(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("month;net\n2025-02;3\n2024-11;4\n")
    (found,) = described(tmp_path / "m.csv").values()
    assert "month (month, 2024-11 to 2025-02" in found
    (tmp_path / "m.csv").unlink()
    assert described(tmp_path) == {}


def test_names_of_people_are_counted_and_not_shown_whatever_their_column_is_called(tmp_path: Path) -> None:
    rows = "".join(
        f"{name};{port}\n" for name in ("Ana Berg", "Ben Roy", "Odd Vik") for port in ("Kiel", "Bergen")
    )
    (tmp_path / "boats.csv").write_text(f"skipper;port\n{rows * 3}")
    (found,) = described(tmp_path / "boats.csv").values()
    assert "Berg" not in found.replace("Bergen", "")
    assert "Kiel" in found


def test_without_a_library_the_other_tables_of_a_folder_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text("id,city\n1,Bern\n")
    (tmp_path / "b.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = {entity["id"]: entity.get("error") for entity in tabular.read_folder(tmp_path)["entities"]}
    assert told["a.csv"] is None
    assert "pip install 'holdfast[data]'" in told["b.parquet"]


def test_columns_that_are_added_and_grouped_by(tmp_path: Path) -> None:
    code = (
        "t = t.with_columns((pl.col('a') / pl.col('b')).alias('per_mile'), fast=pl.col('c') > 9)\n"
        "u = t.group_by('captain', 'boat').agg(pl.col('per_mile').mean())\nv = u.to_pandas().assign(cost=1)\n"
    )
    path = notebook(tmp_path / "fuel.ipynb", cell("a", code))
    assert "Adds columns fast, per_mile, cost. Groups by captain, boat." in described(path)["a"]


def test_of_a_large_table_the_first_rows_are_profiled_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    path.write_text("n;at\n" + "".join(f"{n};x\n" for n in range(profile.ROWS + 5)))
    (found,) = described(path).values()
    assert "about 20,000 rows" in found
    assert "Columns in the first 20,000 rows: n (integer, 0 to 19,999);" in found, "all that is known"
    with closing(sqlite3.connect(tmp_path / "big.db")) as connection, connection:
        connection.execute("CREATE TABLE pages (n INTEGER, body TEXT, scan BLOB)")
        rows = ((n, "x" * 9_000 if n < 50 else "y", b"z" * 50) for n in range(profile.ROWS + 5))
        connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", rows)
    payload = read_source(tmp_path / "big.db")
    assert len(json.dumps(payload)) < 20_000
    assert "Columns in the first 20,000 rows: n (integer" in described(tmp_path / "big.db")["pages"]


def test_of_columnar_files_neither_binary_columns_nor_whole_row_groups_are_in_memory(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet, ipc = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow.ipc")
    images = [None if number % 4 == 0 else bytes(10_000) for number in range(2_000)]
    words = [Random(number).randbytes(2_000).hex() for number in range(2_000)]
    names = ["id", "a.b", "id", "image", "words"]
    values = [range(2_000), ["x", "y"] * 1_000, [7] * 2_000, images, words]
    whole = arrow.table(list(map(arrow.array, values)), names=names)
    parquet.write_table(whole, tmp_path / "t.parquet", use_dictionary=False, compression="none")
    with ipc.new_stream(tmp_path / "t.arrow", whole.schema) as stream:
        stream.write_table(whole)
    usual, apart = arrow.default_memory_pool(), arrow.system_memory_pool()
    del whole
    arrow.set_memory_pool(apart)
    try:
        (text,), (streamed,) = (described(tmp_path / f"t.{end}").values() for end in ("parquet", "arrow"))
    finally:
        arrow.set_memory_pool(usual)
    assert apart.max_memory() < 8 << 20  # the words of the row group have 8 MB, the images 15: it took 5
    assert "One row for each id. Columns: id (int64, 0 to 1999); a.b (string, one of x, y); id (" in text
    assert "image (binary, 25% empty); words (string, each value once)" in text
    assert streamed.partition(": ")[2] == text.partition(": ")[2]


def test_tables_of_a_folder_with_their_columns(tmp_path: Path) -> None:
    pa, pq, fe = (pytest.importorskip(f"pyarrow{part}") for part in ("", ".parquet", ".feather"))
    (tmp_path / "deep").mkdir()
    random = Random(1)
    table = pa.table(
        {
            "sensor_id": [number % 7 for number in range(900)],
            "taken_at": [
                datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=number) for number in range(900)
            ],
            "celsius": [None if number % 10 == 0 else random.random() for number in range(900)],
        }
    )
    pq.write_table(table, tmp_path / "deep" / "readings.parquet")
    fe.write_feather(table, tmp_path / "head.feather")
    (tmp_path / "stations.csv").write_text("station;city;opened\nA1;Bern;1999-05-01\nA2;Ulm;2004-02-11\n")
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / ".hidden.csv").write_text("a,b\n1,2\n")
    found = described(tmp_path)
    assert set(found) == {"deep/readings.parquet", "head.feather", "stations.csv", "empty.csv", "file"}
    assert "900 rows, 3 columns" in found["deep/readings.parquet"]
    assert "celsius (double" in found["head.feather"]
    assert "10% empty" in found["head.feather"]
    assert "opened (date, 1999-05-01 to 2004-02-11" in found["stations.csv"]
    assert found["empty.csv"].startswith("!")


def test_a_database_has_keys_references_and_ranges(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(
            """CREATE TABLE customers (id INTEGER PRIMARY KEY, "e mail" TEXT, birth_date DATE);
            CREATE TABLE "odd ""orders" (customer INTEGER REFERENCES customers (id), total REAL, state TEXT);
            CREATE VIEW broken AS SELECT * FROM gone;"""
        )
        for number in range(60):
            connection.execute(
                "INSERT INTO customers VALUES (?, ?, '1980-01-01')", (number, PERSONS[number % 40])
            )
            order = (number % 5, number / 2, ("paid", "open")[number % 2])
            connection.execute('INSERT INTO "odd ""orders" VALUES (?, ?, ?)', order)
    before = (tmp_path / "shop.db").read_bytes()
    found = described(tmp_path / "shop.db")
    assert "customer refers to customers (id)" in found['odd "orders']
    assert "total (number, 0 to 29.5)" in found['odd "orders']
    assert "state (text, one of open, paid)" in found['odd "orders']
    assert "One row for each id" in found["customers"]
    assert found["broken"].startswith("!")
    assert "1980" not in json.dumps(found)
    assert "@" not in json.dumps(found)
    assert (tmp_path / "shop.db").read_bytes() == before


def test_a_dbt_project_has_models_with_what_they_select_from(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    (tmp_path / "models").mkdir()
    (tmp_path / "dbt_project.yml").write_text(
        "name: shop\nmodel-paths: [models]\nmodels:\n  +materialized: incremental\n"
        "  shop:\n    stg: {+materialized: view}\n"
    )
    (tmp_path / "models" / "stg.sql").write_text(
        "-- One row per order\nselect * from {{ source('raw', 'orders') }}\n"
    )
    (tmp_path / "models" / "revenue.sql").write_text(
        "{{ config(materialized='table') }} select * from {{ ref('stg') }} join {{ ref('dates') }}"
    )
    (tmp_path / "models" / "schema.yml").write_text(
        "sources: [{name: raw, description: Raw data, tables: [{name: orders}]}]\n"
        "models:\n  - name: revenue\n    description: Revenue by day\n    columns:\n"
        "      - {name: day, description: Calendar day, tests: [unique, not_null]}\n"
        "      - name: channel\n        tests: [{accepted_values: {values: [web, store]}},"
        " {relationships: {to: ref('channels'), field: id}}]\n"
    )
    found = described(tmp_path)
    assert found["revenue"] == (
        "dbt model revenue in shop: 2 documented columns. Revenue by day. One row for each day. channel"
        " refers to channels (id). Computed from stg, dates. Stored as table. Columns: day: Calendar day;"
        " channel (one of web, store)."
    )
    assert "One row per order" in found["stg"]
    assert "Computed from raw.orders. Stored as view." in found["stg"]
    assert "orders" in found["source raw"]
    for folder in ("target", "macros"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cents.sql").write_text("select 1")
    with closing(sqlite3.connect(tmp_path / "dev.db")) as connection:
        connection.execute("CREATE TABLE t (a)")
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "rates.csv").write_text("currency,rate\nEUR,1\n")
    assert (
        described(tmp_path)["file"]
        == "dbt project shop. Models (2): revenue, stg. Seeds: rates. Sources: raw."
    )
    assert read_source(tmp_path)["skipped"] == [
        {"file": "target/", "why": "made by dbt"},
        {"file": "dev.db", "why": "a database: reconcile it by itself"},
        {"file": "macros/cents.sql", "why": "neither a model, a seed, a snapshot nor a .yml file"},
    ]


def test_a_dbt_project_whose_name_is_no_text_is_read(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.sql").write_text("select 1 as b")
    (tmp_path / "dbt_project.yml").write_text("name: [a]\nmodels:\n  +materialized: view\n")
    assert dbt.read(tmp_path)["entities"][0]["data"]["stored"] == "view"


def test_a_dbt_model_has_the_columns_that_it_selects_and_a_seed_those_of_its_file(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    for folder in ("models", "seeds"):
        (tmp_path / folder).mkdir()
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    models = {
        "daily": "with a as (select x from t) select d.id, count(*) as n, sum(k) total /* , no */ from a d",
        "cases": "select case when a then b end from t",
        "joined": "select a from t union select a from s",
        "looped": "select id, {% for c in ['eur', 'usd'] %} sum(x) as {{ c }}_amount, {% endfor %} z from t",
        "named": 'select {{ cents("x") }} as price, a as "Of the day" from t',
    }
    for name, text in models.items():
        (tmp_path / "models" / f"{name}.sql").write_text(text)
    (tmp_path / "models" / "m.py").write_text("from dbt import select\nselect('x')\nfrom y import z\n")
    (tmp_path / "seeds" / "towns.csv").write_text("code,town\nULM,Ulm\nGRZ,Graz\n")
    (tmp_path / "models" / "schema.yml").write_text(
        "sources: [{name: raw, tables: [{name: orders, description: All orders}]}]\n"
        "models: [{name: daily, columns: [{name: n, description: Deliveries}]}]\n"
        "seeds: [{name: towns, columns: [{name: town, description: Its name}]}]\n"
    )
    found = described(tmp_path)
    assert found["daily"] == "dbt model daily in shop: 3 columns. Columns: id; n: Deliveries; total."
    assert all("olumns:" not in found[name] for name in ("cases", "joined", "looped", "m"))
    assert "Columns: price; Of the day." in found["named"]
    assert found["towns"] == (
        "dbt seed towns in shop: 2 rows, 2 columns. One row for each code. Columns: code (text);"
        " town (text, each value once): Its name."
    )
    assert found["source raw"] == "dbt source raw. It offers 1 table: orders. orders: All orders."


def test_a_table_without_rows_has_the_types_that_are_declared(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.execute("CREATE TABLE empty (a INTEGER, b TEXT, c)")
    assert "Columns: a (integer); b (text); c." in described(tmp_path / "shop.db")["empty"]


def test_of_a_printed_series_a_notebook_says_how_many_values_it_has(tmp_path: Path) -> None:
    printed = {
        "late": "depot\nBern    3\nGraz    9\nName: n, dtype: int64",
        "long": "0    1.5\n1    2.5\n      ...\nLength: 200, dtype: float64",
    }
    cells = [
        {
            "cell_type": "code", "id": name, "source": name, "metadata": {},
            "outputs": [{"output_type": "execute_result", "data": {"text/plain": text}}],
        }
        for name, text in printed.items()
    ]  # fmt: skip
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))
    found = described(tmp_path / "a.ipynb")
    assert "Result: a series of 2 values." in found["late"]
    assert "Result: a series of 200 values." in found["long"]


def test_a_codebase_has_its_modules(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "harbour"\n')
    (tmp_path / "README.md").write_text(
        "# Harbour\n\n![badge](x)\n\n:release: 1.3 of all harbours and boats\n\n"
        "What is it?\n-----\nA small [harbour](x), with room for `boats`.\n"
    )
    for module in ("boats", "pumps"):
        (tmp_path / "harbour" / module).mkdir(parents=True)
        for name in ("__init__", "model", "store"):
            (tmp_path / "harbour" / module / f"{name}.py").write_text(
                f'"""The {name} of {module}."""\n\ndef {name}(): ...\n'
            )
    (tmp_path / "plan.ipynb").write_text("{}")
    (tmp_path / "build").mkdir()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    found = described(tmp_path)
    left_out = {one["file"]: one["why"] for one in read_source(tmp_path)["skipped"]}
    assert left_out.pop("photo.png").startswith("pictures are not read")
    assert left_out.pop("build/").startswith("excluded by default")
    assert left_out == {"plan.ipynb": "a notebook: reconcile it by itself"}
    assert any("Folder: harbour/boats. Files: __init__.py, model.py" in text for text in found.values())
    assert "A small harbour, with room for boats." in found["file"]


@each(
    "values, expected",
    [
        ([1, 2, None], {"type": "integer", "min": 1, "max": 2, "empty": 0.333, "unique": True}),
        (["1.5", "2", ""], {"type": "number", "min": 1.5, "max": 2.0, "empty": 0.333}),
        (["007", "008"], {"type": "text", "unique": True}),
        (["2024-01-02"] * 2, {"type": "date", "min": "2024-01-02", "max": "2024-01-02"}),
        (["red", "blue"] * 5, {"type": "text", "values": ["blue", "red"]}),
        (["Ada Lovelace", "Grace Hopper"], {"type": "text", "unique": True}),
        ([True, False], {"type": "yes or no"}),
        ([None, ""], {"type": "empty", "empty": 1.0}),
        ([b"\x00"], {"type": "binary"}),
        (["+41 44 668 18 00"] * 9, {"type": "text", "personal": True}),
    ],
)  # fmt: skip
def test_a_column_is_profiled_without_what_may_be_personal(
    values: list[Any], expected: dict[str, Any]
) -> None:
    found = profile.column("thing", values)
    assert {key: value for key, value in found.items() if key != "name"} == expected


@each(
    "name",
    ["email", "E-Mail", "firstName", "birthdate", "Geburtsdatum", "user_password", "API token", "salary"],
)
def test_columns_of_persons_show_no_value(name: str) -> None:
    assert profile.column(name, ["x", "y"] * 9).get("personal")
    assert "values" not in profile.column(name, ["x", "y"] * 9)


@pytest.mark.parametrize(
    "name", ["city", "status", "total", "name of the file", "emails_sent_at", "addressed", "ship"]
)
def test_other_columns_do(name: str) -> None:
    assert profile.column(name, ["x", "y"] * 9).get("values") == ["x", "y"]


def test_an_address_is_called_without_its_credentials() -> None:
    address = "postgresql://ana:hunter2@db.example.org:5433/shop?sslmode=require"
    sockets = [name_of(f"postgresql://ana:geheim@/shop?host=/run/{one}&port=5433") for one in "ab"]
    assert sockets == [f"postgresql:///shop?host=/run/{one}&port=5433" for one in "ab"]
    assert [*map(name_of, sockets)] == sockets
    assert name_of(address) == "postgresql://db.example.org:5433/shop"
    with pytest.raises(HoldfastError) as caught:
        servers.read("postgresql://ana:hunter2@127.0.0.1:1/shop")
    assert caught.value.code == "file_unreadable"
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.xlsx", b"no workbook"),
        ("x.ipynb", b"{}"),
        ("x.ipynb", b"[1]"),
        ("x.txt", b"text"),
        ("x.ods", b"PK"),
    ],
)
def test_what_cannot_be_read_says_so(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(HoldfastError) as caught:
        read_source(tmp_path / name)
    assert caught.value.code in ("file_unreadable", "format_unknown")
    assert caught.value.hint
    with pytest.raises(HoldfastError) as caught:
        read_source(tmp_path / "gone.csv")
    assert caught.value.code == "file_not_found"


ODF_CHART = """<office:document-content
    xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
    xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"><office:body><office:chart>
  <chart:chart chart:class="chart:circle"><chart:title><text:p>Spending</text:p></chart:title>
  <chart:plot-area><chart:axis chart:dimension="x">
    <chart:title><text:p>Quarter of the year</text:p></chart:title>
    <chart:categories
      table:cell-range-address="$'My plan'.$A$2:.$A$4"/></chart:axis>
    <chart:series chart:values-cell-range-address="'My plan'.B2:'My plan'.B4"
      chart:label-cell-address="'My plan'.B1"/>
  </chart:plot-area></chart:chart></office:chart></office:body></office:document-content>"""


def test_charts_of_an_ods_file_say_what_they_show(tmp_path: Path) -> None:
    """One in a cell, one on the page, and one whose content is missing."""
    odfdo = pytest.importorskip("odfdo")
    document = odfdo.Document("spreadsheet")
    document.body.clear()
    table = odfdo.Table("My plan")
    for values in (["Quarter", "Spent"], ["Q1", 800], ["Q2", 700], ["Q3", 950]):
        row = odfdo.Row()
        for value in values:
            row.append_cell(odfdo.Cell(value))
        table.append_row(row)

    def frame(name: str, object: str) -> Any:
        link = f'<draw:object xlink:href="./{object}" xlink:type="simple"/>'
        return odfdo.Element.from_tag(f'<draw:frame draw:name="{name}">{link}</draw:frame>')

    row, cell = odfdo.Row(), odfdo.Cell()
    cell.append(frame("in a cell", "Object 1"))
    row.append_cell(odfdo.Cell())
    row.append_cell(cell)
    table.append_row(row)
    shapes = odfdo.Element.from_tag("<table:shapes/>")
    shapes.append(frame("on the page", "Object 1"))
    shapes.append(frame("gone", "Object 2"))
    table.insert(shapes, position=0)
    document.body.append(table)
    document.save(str(tmp_path / "raw.ods"))
    entry = '<manifest:file-entry manifest:full-path="Object 1/content.xml" manifest:media-type="text/xml"/>'
    with zipfile.ZipFile(tmp_path / "raw.ods") as old, zipfile.ZipFile(tmp_path / "plan.ods", "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "META-INF/manifest.xml":
                content = content.replace(b"</manifest:manifest>", f"{entry}</manifest:manifest>".encode())
            new.writestr(item, content)
        new.writestr("Object 1/content.xml", ODF_CHART)
    entities = read_source(tmp_path / "plan.ods")["entities"]
    charts = {entity["id"]: entity["data"] for entity in entities if entity["type"] == "CHART"}
    assert set(charts) == {"My plan:B5", "My plan:on the page"}
    assert charts["My plan:B5"] == {
        "name": "Spending", "kind": "Pie chart", "sheet": "My plan", "place": "B5",
        "shows": ["Spent ('My plan'!B2:B4)"], "by": "'My plan'!A2:A4", "axes": ["Quarter of the year"],
    }  # fmt: skip


def test_s3_6_a_workbook_is_reconciled_by_its_path(tmp_path: Path) -> None:
    path = workbook(tmp_path / "orders.xlsx")
    with Memory(tmp_path / "notes.db") as memory:
        first = memory.reconcile(path)
        titles = {record.title or "" for record in memory.list().memories}
        assert (first.created, first.failed) == (len(titles), 0)
        assert {"AllOrders (orders.xlsx)", "orders.xlsx"} <= titles
        again = memory.reconcile(path)
        assert (again.unchanged, again.created, again.updated) == (len(titles), 0, 0)
