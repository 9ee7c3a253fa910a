"""Practice against the house."""
