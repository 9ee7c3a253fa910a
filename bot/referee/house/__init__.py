"""House players and what else is worked out: seats, practice, slow minds, the coach."""
