"""Challenges, open tables and rematches: how a match comes about."""
