"""Fuzzing: inputs made by mutation, and what must hold of every importer and parser for any of them."""
