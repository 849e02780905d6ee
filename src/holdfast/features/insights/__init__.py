"""Insights of conversations: found by rules or proposed by a model, one memory for each topic of a place."""
