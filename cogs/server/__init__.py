"""The settings of a server, and what its moderators do."""
