"""Which alterations of the code do the tests notice? A development tool: `make mutate`."""
