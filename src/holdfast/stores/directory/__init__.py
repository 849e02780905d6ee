"""A kind of store: a tenant of one of several servers, found by a directory of tenants."""
