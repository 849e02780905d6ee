"""Language models: real loopback servers that check requests, and hostile ones."""
