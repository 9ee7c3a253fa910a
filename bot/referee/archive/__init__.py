"""What was played, here or elsewhere, for whoever looks back."""
