"""A live match: bids, the buttons of its board, and commands about the person's own matches."""
