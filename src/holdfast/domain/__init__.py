"""The rules of Holdfast: pure functions and values. No I/O, no clock, no environment."""
