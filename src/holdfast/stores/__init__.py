"""Stores: adapters that keep one tenant's memories. They return raw signals and decide nothing."""
