"""What a server decides for itself, and what its moderators do."""
