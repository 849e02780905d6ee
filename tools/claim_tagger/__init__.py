"""Labelled chats, and the training of the network that reads statements of people about themselves."""
