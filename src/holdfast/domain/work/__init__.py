"""Work: what a session with a codebase did, and what can be learned from it (S4.42, S4.73)."""
