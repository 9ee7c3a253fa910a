"""Challenges, open tables and rematches."""
