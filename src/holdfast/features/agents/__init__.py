"""Events of coding agents: what an agent gets at each moment of its work."""
