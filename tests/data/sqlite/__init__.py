"""The store over SQLite: the file, the disk, crashes."""
