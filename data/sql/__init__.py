"""What is asked and written, as data that any SQL database can carry out."""
