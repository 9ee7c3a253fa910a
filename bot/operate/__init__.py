"""What whoever runs the bot needs beside it: backups, a doctor, figures, and a supervisor that is kept informed."""
