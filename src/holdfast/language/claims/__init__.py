"""The grammar of what people say about themselves."""
