"""Thin adapters to what agents and frameworks call: parse, one call, format."""
