"""Lives with known truth: conversations of a generated person, from templates kept apart from the rules."""
