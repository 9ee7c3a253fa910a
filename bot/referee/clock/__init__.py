"""How long things take, and what happens when that is over."""
