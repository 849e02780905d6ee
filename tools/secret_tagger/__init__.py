"""Trains the tagger of secrets in ordinary language from labelled texts."""
