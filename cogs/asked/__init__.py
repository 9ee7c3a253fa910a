"""What somebody asks for, by a command or a press: one value for both, and how it is answered."""
