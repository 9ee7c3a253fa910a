"""Persistence: the Store on SQLite and PostgreSQL."""
