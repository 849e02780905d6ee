"""Finds statements that the grammar does not read, by a network that learned from labelled chats."""
