"""Real clients of coding agents, with models that stand in for theirs: `make agents` runs them."""
