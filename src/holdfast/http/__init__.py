"""The HTTP face: one coherent `/v1` over `Memory`."""
