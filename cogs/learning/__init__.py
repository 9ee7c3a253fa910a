"""Perfect play, puzzles and the rules."""
