"""Reads and writes as data: what they say, before any database carries them out."""
