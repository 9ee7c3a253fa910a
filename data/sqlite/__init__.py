"""One SQLite file: connections, transactions, migrations."""
