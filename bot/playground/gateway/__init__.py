"""The websocket that a bot keeps open: sessions that outlive connections, and what each one is told."""
