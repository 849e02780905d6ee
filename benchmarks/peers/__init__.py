"""Holdfast and its peers on one workload: `python -m benchmarks.peers` prints the table of docs/peers.md."""
