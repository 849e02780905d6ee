"""The parts of `Client`, one file each, with the surface of `holdfast.parts`."""
