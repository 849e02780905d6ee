"""Scanning: a module map of a repository from its files alone; no model is asked, and nothing is run."""
