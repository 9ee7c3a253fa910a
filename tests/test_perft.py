"""The perft corpus: how many histories a small deck has, and how they end (tests/perft/README.md)."""
