"""Readers of sources: each turns one kind of file or database into a payload of entities."""

SOURCES = (
    "a workbook (.xlsx, .ods), a notebook (.ipynb), a .csv, .tsv, .parquet or .arrow file, a database file, a"
    " folder of tables, a dbt project, a codebase, or the address of a PostgreSQL database"
)
"""The sources that can be read, as a phrase for messages."""
