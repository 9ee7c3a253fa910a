"""Statements and queries as data that both databases execute."""
