"""Events of coding agents: what an agent is told at each moment of its work."""
