"""`gops doctor`: check everything that a bot needs, and say what to do. A check changes nothing."""
