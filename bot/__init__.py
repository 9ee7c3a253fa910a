"""The application: engine, referee, and the commands that run them."""
