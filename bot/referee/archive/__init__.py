"""Finished matches and imported records."""
