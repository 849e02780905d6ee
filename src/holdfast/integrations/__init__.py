"""Adapters for the frameworks of others; none yet."""
