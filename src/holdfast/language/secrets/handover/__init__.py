"""Detection of credentials that people tell each other: in sentences, conversations and lists."""
