"""The tree of exceptions that the bot raises on purpose.

RuleError           (bot.engine.refusals) a choice, a deal or a setup was not accepted; nothing changed
├── Unreadable      it cannot be understood
├── BadSetup        game, options or series do not fit together
├── BadDeal         cards that cannot have been dealt
├── Illegal         understood, but not allowed now
└── NotAwaited      stale, or nothing is asked of this seat
RecordError         (bot.engine.record.record) a record was refused: the place, and the refusal
GopsError           everything outside the rules
├── SettingsError   the settings do not hold; lists every problem
├── JobsWaiting     processes have not done yet what a command asked for
├── DatabaseError   this bot cannot work with the database that it was given
│   ├── NewerDatabase     a newer bot has already changed it
│   ├── NoDriver          it is on a PostgreSQL server, and what speaks to it is not installed
│   ├── DamagedDatabase   it is not whole
│   ├── ForeignDatabase   it is another program's
│   ├── MovedDatabase     `gops move` moved its contents elsewhere
│   ├── OlderDatabase     this bot would have to change it first, and is not asked to
│   └── ChangedMigration  it was not made by the migrations that came with this bot
└── BackupError     a backup cannot be made, or cannot be put back
"""

from collections.abc import Sequence
from typing import Any


class GopsError(Exception):
    """Something outside the rules went wrong."""


class RefereeError(GopsError):
    """The referee does not do it, and nothing changed. The sentence for `id` is the interface's business."""

    def __init__(self, id: str, **data: Any) -> None:
        super().__init__(id)
        self.id = id
        self.data = data


class SettingsError(GopsError):
    """The settings do not hold."""

    def __init__(self, problems: Sequence[str], log: str = "") -> None:
        """`log`: what the settings say of logs, unless that is a problem too."""
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)
        self.log = log


class JobsWaiting(GopsError):
    """Processes have not done a job in these partitions in time. It stays in the database until they do it."""

    def __init__(self, work: str, partitions: Sequence[int], seconds: float) -> None:
        where = ", ".join(map(str, partitions))
        super().__init__(
            f"after {seconds:g} s the bot has not done its part in partitions {where}; it does that when it can"
        )
        self.work = work


class DatabaseError(GopsError):
    """This bot cannot work with the database that it was given."""


class NewerDatabase(DatabaseError):
    """A newer bot has already changed the database; nothing goes back."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"The database has version {found}, and this bot knows versions up to {known}: "
            "update the bot, or go back to a backup of that time with `gops restore`."
        )
        self.found = found
        self.known = known


class NoDriver(DatabaseError):
    """What speaks to PostgreSQL comes apart from the bot: most do without it."""

    def __init__(self) -> None:
        super().__init__(
            "asyncpg is not installed, which a database on a PostgreSQL server needs:"
            " pip install --require-hashes -r requirements-postgres.txt"
        )


class OlderDatabase(DatabaseError):
    """A database that is only read has to be of this bot's version."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"The database has version {found}, and this bot needs version {known}: start the bot on it once."
        )


class DamagedDatabase(DatabaseError):
    """The file is no whole database; it is left as it is."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: keep the files, and go back to a backup with `gops restore`.")


class ForeignDatabase(DatabaseError):
    """The file is another program's database."""

    def __init__(self, path: object) -> None:
        super().__init__(f"{path} is a database of another program: set GOPS_DATABASE to another file.")


class MovedDatabase(DatabaseError):
    """`gops move` moved the contents to another database, which goes on."""

    def __init__(self, path: object, to: str) -> None:
        super().__init__(
            f"Everything in {path} was moved to {to}: set GOPS_DATABASE to that database. Here people would play the"
            " same matches twice."
        )


class ChangedMigration(DatabaseError):
    """The database was made by other migrations than those of this bot, for example before the first release."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The database was made by another version of the bot (migration {name} differs), and this one cannot read"
            " it: use the bot that made it, or set GOPS_DATABASE to a new database."
        )
        self.name = name


class BackupError(GopsError):
    """A backup cannot be made, or cannot be put back; the sentence says why, and what to do."""
