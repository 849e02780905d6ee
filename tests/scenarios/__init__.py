"""Scenarios: what an agent lives through, from end to end, on a real repository."""
