"""Retention policies and legal holds."""
