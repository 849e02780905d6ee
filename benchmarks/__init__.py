"""Benchmarks: each prints the figures that stand in the documents."""
