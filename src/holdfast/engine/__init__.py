"""The use cases of Holdfast, one file each. Every face calls these and nothing deeper."""
