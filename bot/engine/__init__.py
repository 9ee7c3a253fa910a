"""The rules, pure: no clock, no randomness, no I/O. Data in, new data out."""
