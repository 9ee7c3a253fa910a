"""Persistence: connection and transactions, migrations, the Store."""
