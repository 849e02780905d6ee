"""Extractors: what stands in files, as text with places to cut, read so that no file can do harm."""
