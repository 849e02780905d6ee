"""Finds secrets that people hand over in ordinary language, by a small network that learned from examples."""
