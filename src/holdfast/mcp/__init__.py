"""The MCP face: tools, resources and prompts for agents, each one call of `Memory`."""
