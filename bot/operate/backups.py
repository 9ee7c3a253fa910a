"""Backups of the database: copied while the bot runs, checked, named by their time, and rotated."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.errors import BackupError, MovedDatabase
from bot.operate.database_check import SAMPLE, DatabaseContents, check_database
from data.sql import people
from data.sql.schema import MOVED
from data.sqlite import whole

log = logging.getLogger(__name__)

KEEP = 14
"""number of backups to keep"""

NAME = "gops-%Y%m%dT%H%M%SZ.sqlite3"
CHECKED = ".checked"
"""suffix of the file beside a backup with the time and digest of its last check"""

PARTIAL = ".partial"
LEFT_OVER = timedelta(days=1)
"""age from which an unfinished copy of a killed `gops backup` is deleted"""


@dataclass(frozen=True, slots=True)
class Checked:
    """Time of the last check of a backup, and the digest of its bytes then."""

    at: datetime
    digest: str


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup file."""

    path: Path
    made: datetime

    @property
    def checked(self) -> Checked | None:
        """The last check; None if there was none, or its file cannot be read."""
        try:
            kept = json.loads(_check_note(self.path).read_text(encoding="utf-8"))
            return Checked(datetime.fromisoformat(kept["checked"]), str(kept["sha256"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None


def list_backups(folder: Path) -> list[Backup]:
    """Return the backups of a folder, oldest first. Files with other names are ignored."""
    backups: list[Backup] = []
    for path in folder.glob("gops-*.sqlite3"):
        with suppress(ValueError):
            backups.append(Backup(path, datetime.strptime(path.name, NAME).replace(tzinfo=UTC)))
    return sorted(backups, key=lambda one: one.made)


def newest_backup(folder: Path) -> Backup:
    """Return the newest backup. Raises `BackupError` if there is none."""
    backups = list_backups(folder)
    if not backups:
        raise BackupError(f"There is no backup in {folder}.")
    return backups[-1]


def make_backup(
    database: Path, folder: Path, keep: int = KEEP, sample: int = SAMPLE
) -> tuple[Backup, DatabaseContents]:
    """Copy and check the database. Delete old backups only if the copy is intact. Raises `BackupError` or
    `MovedDatabase`, and leaves no new backup then."""
    if not database.exists():
        raise BackupError(f"There is no database {database} yet.")
    now = datetime.now(UTC).replace(microsecond=0)
    made = max(
        [now, *(one.made + timedelta(seconds=1) for one in list_backups(folder)[-1:])]
    )  # even after a clock was set back
    backup = Backup(folder / made.strftime(NAME), made)
    partial = backup.path.with_name(backup.path.name + PARTIAL)
    try:
        _make_folder(folder)
        try:
            if to := whole.read_once(database, people.note(MOVED)):
                raise MovedDatabase(database, to)
            whole.copy_database(database, partial)
            contents = check_database(partial, sample)
            partial.rename(backup.path)
        finally:
            partial.unlink(missing_ok=True)
        whole.flush_to_disk(backup.path)
        note_check(backup, now)
    except FileExistsError:
        raise BackupError(f"Another `gops backup` is running in {folder}.") from None
    except sqlite3.Error as error:
        raise BackupError(f"{database} cannot be copied: {error}.") from error
    except OSError as error:
        raise BackupError(f"{error.filename or folder} cannot be written: {error.strerror or error}.") from error
    if not contents.doubtful:
        delete_old_backups(folder, keep)
    return backup, contents


def check_backup(backup: Backup, sample: int = SAMPLE) -> DatabaseContents:
    """Check a backup again. Raises `BackupError` if it is damaged, or changed since its last check."""
    before = backup.checked
    now = file_digest(backup.path)
    if before is not None and before.digest != now:
        raise BackupError(f"{backup.path} has changed since it was checked on {before.at:%Y-%m-%d %H:%M} UTC.")
    contents = check_database(backup.path, sample)
    note_check(backup, datetime.now(UTC).replace(microsecond=0), now)
    return contents


def note_check(backup: Backup, at: datetime, known: str = "") -> None:
    """Write the file that notes a successful check."""
    beside = _check_note(backup.path)
    text = json.dumps({"checked": at.isoformat(), "sha256": known or file_digest(backup.path)}) + "\n"
    beside.write_text(text, encoding="utf-8")
    beside.chmod(0o600)


def file_digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from error


def _make_folder(folder: Path) -> None:
    """Make the folder, readable by its owner only, if it is missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise BackupError(f"{folder} must be a folder.") from None


def delete_old_backups(folder: Path, keep: int) -> None:
    """Delete the oldest backups and unfinished copies."""
    for backup in list_backups(folder)[:-keep]:
        backup.path.unlink(missing_ok=True)
        _check_note(backup.path).unlink(missing_ok=True)
    for partial in folder.glob(f"gops-*.sqlite3{PARTIAL}*"):
        with suppress(OSError):
            if datetime.fromtimestamp(partial.stat().st_mtime, UTC) < datetime.now(UTC) - LEFT_OVER:
                os.unlink(partial)


def _check_note(path: Path) -> Path:
    return path.with_name(path.name + CHECKED)
