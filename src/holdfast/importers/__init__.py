"""Readers of what other programs export: from a file to items, without touching a store."""
