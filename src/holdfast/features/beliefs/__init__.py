"""Beliefs about a person or thing, from everything that is kept."""
