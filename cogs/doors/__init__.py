"""Where interactions come in."""
