"""The parts of the Python face, one file each: what `Memory.projects`, `Memory.sessions` and so on are."""
