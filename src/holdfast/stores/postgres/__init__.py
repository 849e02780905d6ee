"""The store for many tenants: one PostgreSQL database, kept apart by row-level security."""
