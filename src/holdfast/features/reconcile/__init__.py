"""Reconciliation: what files, databases and the like hold, described, current, and never overwritten."""
