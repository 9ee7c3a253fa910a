"""What people see is kept true: boards, consoles and notices."""
