"""The stand-in's own clock, which a file can move."""

import contextlib
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path


class Clock:
    """Real time plus an offset.

    The offset comes from a file holding a number of seconds, read again whenever the file changes, so that a
    bot which reads the same file moves along. Without a file the offset is kept in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._offset = 0.0

    @property
    def offset(self) -> float:
        """Seconds added to real time at this moment."""
        if self._path is not None:
            self._reread(self._path)
        return self._offset

    def time(self) -> float:
        """Seconds since 1970 by this clock."""
        return time.time() + self.offset

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    def set_offset(self, offset: timedelta) -> None:
        """Move the clock, and the file with it where there is one."""
        self._offset = offset.total_seconds()
        if self._path is not None:
            draft = self._path.with_name(f"{self._path.name}.draft")
            draft.write_text(f"{self._offset}\n")
            draft.replace(self._path)

    def _reread(self, path: Path) -> None:
        try:
            status = os.stat(path)
        except FileNotFoundError:
            self._stamp, self._offset = None, 0.0
            return
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp != self._stamp:
            with contextlib.suppress(ValueError):  # half-written: the next look will see all of it
                self._offset = float(path.read_text().strip() or 0)
                self._stamp = stamp
