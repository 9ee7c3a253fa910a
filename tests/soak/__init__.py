"""A bot under everything at once, for as long as asked."""
