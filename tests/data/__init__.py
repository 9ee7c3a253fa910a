"""The store: one contract for every kind, and what only a disk can do to it."""
