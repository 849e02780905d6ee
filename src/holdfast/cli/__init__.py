"""The command line: parse, one call of the Python face, format."""
