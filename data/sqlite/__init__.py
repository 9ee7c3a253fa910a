"""SQLite database in one file: connections, transactions, migrations."""
