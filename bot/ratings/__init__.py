"""Ratings, pure: what a result does to the people who sat there. No clock, no store; times are arguments."""
