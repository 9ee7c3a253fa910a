"""A person's own preferences, and whom they block."""
