"""Ratings: what a result does, and that it can be worked out anew."""
