"""A person's preferences, blocks and data."""
