"""Encryption at rest: nothing readable in any file, keys told apart, conversions whole or not at all."""
