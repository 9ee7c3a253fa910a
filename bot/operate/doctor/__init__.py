"""Looks at everything that a bot needs, and says what to do about what is wrong. Nothing is changed by looking."""
