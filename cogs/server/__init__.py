"""What a server decides, and what its moderators do."""
