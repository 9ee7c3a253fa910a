"""What one viewer may see."""
