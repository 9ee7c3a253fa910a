"""A PostgreSQL database, for deployments of several processes."""
