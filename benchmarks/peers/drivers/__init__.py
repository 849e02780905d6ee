"""One small driver per peer; each runs in the interpreter of its peer's own environment."""
