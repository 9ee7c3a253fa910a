"""Ratings, pure: how a result changes the ratings of players. Times are arguments; there is no clock and no store."""
