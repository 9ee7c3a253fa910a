"""What people see: every surface as a pure function from a view to a message."""
