"""What people see, word for word: recorded once, compared ever after (README.md)."""
