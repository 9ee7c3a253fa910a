"""PostgreSQL database, needed for deployments of several processes."""
