"""A match: what it is at this moment, what changes it, what its end does."""
