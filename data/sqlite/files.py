"""The database's files on disk: for their owner alone, and still the ones that were opened."""

import logging
import os
import stat
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

OTHERS = stat.S_IRWXG | stat.S_IRWXO
"""rights of anybody but the owner"""

BESIDE = ("-wal", "-shm", "-journal")
"""what SQLite puts beside a database file"""


def narrow(path: Path) -> None:
    """Nobody else may read nonces and sealed choices. SQLite gives what it puts beside a file the same rights."""
    for file in (path, *(path.with_name(path.name + ending) for ending in BESIDE)):
        try:
            mode = file.stat().st_mode
            if os.name == "nt" or not stat.S_ISREG(mode) or not mode & OTHERS:
                continue
            file.chmod(stat.S_IMODE(mode) & ~OTHERS)
        except FileNotFoundError:
            continue
        except OSError:
            log.warning("%s can be read by others, and its rights cannot be changed: do it with chmod 600", file)
        else:
            log.warning("%s could be read by others; from now on it is for its owner alone", file)


@dataclass(frozen=True, slots=True)
class Opened:
    """Which files were opened under these names. SQLite goes on with them whatever becomes of the names."""

    path: Path
    files: tuple[tuple[str, tuple[int, int]], ...]

    @classmethod
    def at(cls, path: Path) -> "Opened":
        found = ((ending, _which(path.with_name(path.name + ending))) for ending in ("", "-wal"))
        return cls(path, tuple((ending, which) for ending, which in found if which is not None))

    def lost(self) -> str:
        """What is wrong with them, as a sentence; nothing while they are the same."""
        for ending, which in self.files:
            file = self.path.with_name(self.path.name + ending)
            now = _which(file)
            if now is None:
                return f"{file} is gone"
            if now != which:
                return f"{file} is another file than the one that was opened"
        return ""


def _which(file: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
