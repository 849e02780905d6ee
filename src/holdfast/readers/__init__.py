"""Readers of sources: each turns one kind of file or database into a payload of entities."""
