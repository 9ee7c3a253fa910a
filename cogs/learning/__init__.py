"""Perfect play, and the rules: what one learns from."""
