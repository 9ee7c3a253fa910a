"""The colours of all pictures but the card faces. They suit a dark and a light chat."""

GROUND = "#14202b"
"""behind everything"""
LANE = "#1d2d3b"
"""behind a row, or behind a part that is marked"""
PLAIN, SOFT, FAINT = "#f4f6f8", "#a9b7c4", "#3a4d5d"
"""text, text of less weight, and lines"""
GOLD, TURN = "#f5b83d", "#ff5d73"
"""the winner's crown, and the turning point"""
SEAT_COLOURS = ("#f5b83d", "#58b4ff", "#5fd39a", "#ff8f70", "#c6a0ff", "#e6e36a", "#7de0e6", "#ff9ccb")
"""colours of the seats, in their order; they differ in brightness and have different marks, too"""
