"""Speed, measured and printed as ratios against a baseline of the same run; nothing is asserted as a time."""
