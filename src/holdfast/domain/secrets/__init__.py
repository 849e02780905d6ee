"""Secrets: credentials in texts, found and replaced (S4.20, S4.21, S4.22)."""
