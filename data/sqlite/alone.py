"""One bot at a time on a file: what a process remembers of the store is only right while nobody else changes it."""

from __future__ import annotations

import os
from pathlib import Path

from bot.errors import DatabaseError

try:
    import fcntl
except ModuleNotFoundError:  # Windows: nobody is kept away there
    fcntl = None


class FileLock:
    """Holds a lock on the file until let go of, or until the process ends in whatever way. SQLite's own locks are of
    another kind and do not meet it; but they go when the file is closed, so this is closed after the database."""

    def __init__(self, path: Path) -> None:
        """Raises `DatabaseError` where another bot has it."""
        self._file = -1
        try:
            self._file = os.open(path, os.O_RDONLY)
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.end()
            raise DatabaseError(
                f"Another bot runs on {path}. Only one may: what each remembers would be wrong. Stop it first."
            ) from None
        except OSError:  # it is not there yet, or not for us, or its file system has no such locks
            self.end()

    @property
    def holds(self) -> bool:
        return self._file >= 0

    def end(self) -> None:
        """Twice is no mistake."""
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)
