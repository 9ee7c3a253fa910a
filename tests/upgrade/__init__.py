"""What a bot of some time ago left behind, and that today's bot goes on with it (README.md)."""
