"""Sameness: whether two statements say the same, contradict each other or are two memories (S4.24, S4.25)."""
