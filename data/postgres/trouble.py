"""What an error of PostgreSQL means to the referee."""

from bot.errors import DatabaseError
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly
from data.postgres.driver import AGAIN, BUSY, CUT, FORBIDDEN, FULL, STANDBY, TAKEN, UNKNOWN

STEPS = ("bind_execute", "execute", "prepare", "query", "_get_timeout", "is_in_transaction", "is_connected")
"""what asyncpg asks its protocol for"""


def judged(error: Exception) -> Exception:
    """What the referee knows of it; anything else is a defect, and stays what it is."""
    if isinstance(error, FULL):
        return StoreReadOnly("the disk of the database is full: free some space, the bot goes on by itself")
    if isinstance(error, STANDBY):
        return StoreReadOnly("the database only reads: it is a standby, or was made read-only")
    if isinstance(error, TAKEN):
        return Conflict(str(error))  # the message names the constraint, and no value
    if isinstance(error, (*UNKNOWN, *FORBIDDEN)):
        return DatabaseError(f"GOPS_DATABASE: the server says: {error}")
    if isinstance(error, (*AGAIN, *BUSY, *CUT)):
        return StoreBusy(f"the PostgreSQL server does not answer as it should ({type(error).__name__})")
    if _ended_meanwhile(error):
        return StoreBusy("the connection to the PostgreSQL server was ended")
    return error


def _ended_meanwhile(error: Exception) -> bool:
    """Whether asyncpg, between two steps of its own, found that the connection had been ended: it has taken the
    protocol away then, and asks None for it. What it was about to send was not sent."""
    return isinstance(error, AttributeError) and error.obj is None and error.name in STEPS
