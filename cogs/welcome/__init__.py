"""The first minute: the home card, and a first match that explains itself."""
