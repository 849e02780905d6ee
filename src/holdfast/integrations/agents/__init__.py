"""Coding agents that report the events of their sessions to hooks: their forms, and the hook itself."""
