"""A live match: bidding, its board's buttons, and what one can do about one's own matches."""
