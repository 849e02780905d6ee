"""Module maps: what a codebase consists of, how that changes, and which parts a task is about (S4.1)."""
