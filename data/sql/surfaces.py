"""Messages that show a match or a challenge, and which of them are behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.referee.model import changes as c
from bot.referee.model.model import LobbyState, Surface, SurfaceKind, SurfaceState
from data.sql.codec import micros, time, time_or_none
from data.sql.deadlines import LOBBY, LOBBY_VERSION, MATCH_VERSION, SHOWN
from data.sql.statement import Query, Read, Statement, every

SURFACES = f"""SELECT owner, kind, "user", channel, message, {SHOWN}, posted, token, token_until, token_app, state, id
    FROM surfaces"""


def behind(limit: int = 200) -> Read[Sequence[Surface]]:
    """Oldest first."""
    where = "WHERE state = 'live' AND shown < wanted ORDER BY id LIMIT ?"
    return every(f"{SURFACES} {where}", (limit,), _surface)


def surfaces(match: str) -> Read[Sequence[Surface]]:
    return every(f"{SURFACES} WHERE owner = ? AND state <> 'gone' ORDER BY id", (match,), _surface)


# Long: one parameter for each column.
def _surface(
    owner: str,
    kind: int,
    user: int,
    channel: int,
    message: int,
    shown: int,
    posted: int,
    token: str,
    until: int | None,
    app: int,
    state: str,
    id: int,
) -> Surface:
    return Surface(
        *(owner, SurfaceKind(kind), user, channel, message, shown, time(posted)),
        *(token, time_or_none(until), app, SurfaceState(state), id),
    )


def unfinished() -> Read[tuple[list[str], list[str]]]:
    """Live matches, and open challenges and tables."""

    def made(live: list[str], asked: list[str]) -> tuple[list[str], list[str]]:
        return live, asked

    live = Query("SELECT id FROM matches WHERE live = 1 ORDER BY id", (), str)
    asked = Query(f"SELECT id FROM lobbies WHERE state = {int(LobbyState.OPEN)} ORDER BY id", (), str)
    return Read((live, asked), made)


def crowd() -> Read[tuple[int, int]]:
    """How many matches are live, and how many messages are behind."""

    def made(live: list[int], behind: list[int]) -> tuple[int, int]:
        return live[0], behind[0]

    live = Query("SELECT count(*) FROM matches WHERE live = 1", (), int)
    behind = Query("SELECT count(*) FROM surfaces WHERE state = 'live' AND shown < wanted", (), int)
    return Read((live, behind), made)


STARTED = int(LobbyState.STARTED)

NOTED = "coalesce((SELECT at FROM heartbeat), 0)"
"""The last sign of life before a note: it is compared with another sign of life."""


def put_surface(step: c.PutSurface) -> Iterator[Statement]:
    one = step.surface
    lobby = one.kind is SurfaceKind.LOBBY
    values = (one.match, int(one.kind), one.user, one.channel, one.message, one.shown, micros(one.posted), one.token)
    values += (micros(one.token_until), one.token_app, one.state.value, one.match)
    source = f"{LOBBY_VERSION} FROM lobbies" if lobby else f"{MATCH_VERSION} FROM matches"
    version = f"coalesce((SELECT {source} WHERE id = ?), 0)"
    if one.id:
        yield Statement(
            f"""UPDATE surfaces SET owner = ?, kind = ?, "user" = ?, channel = ?, message = ?, shown = ?, posted = ?,
                token = ?, token_until = ?, token_app = ?, state = ?, wanted = {version}, noted = {NOTED}
                WHERE id = ? {f"AND kind = {LOBBY}" if lobby else ""}
                RETURNING id""",
            (*values, one.id),
            1,
            f"surface {one.id} is gone, or a board by now",
            gives_id=True,
        )
    else:
        # A challenge becomes a board where it stands: no row of the one comes to be beside the other. Nor do two rows
        # of one message, where whoever posted it and the first who pressed it note it at once.
        there = f"SELECT 1 FROM surfaces WHERE owner = ? AND state <> 'gone' AND kind = {LOBBY}"
        started = f"SELECT 1 FROM lobbies WHERE id = ? AND state = {STARTED}"
        unless = {
            SurfaceKind.LOBBY: (f"{started} UNION ALL {there} AND message = ?", (one.match, one.match, one.message)),
            SurfaceKind.BOARD: (there, (one.match,)),
        }.get(one.kind)
        yield Statement(
            f"""INSERT INTO surfaces (owner, kind, "user", channel, message, shown, posted, token, token_until,
                token_app, state, wanted, noted) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {version}, {NOTED}
                {f"WHERE NOT EXISTS ({unless[0]})" if unless else ""} RETURNING id""",
            (*values, *unless[1]) if unless else values,
            1,
            f"{one.match} has started, or is shown as a challenge",
            gives_id=True,
        )


def surface_shown(step: c.SurfaceShown) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE surfaces SET shown = ?, noted = {NOTED} WHERE id = ? AND message = ? AND shown < ?",
        (step.shown, step.id, step.message, step.shown),
    )


def drop_surface(step: c.DropSurface) -> Iterator[Statement]:
    yield Statement("DELETE FROM surfaces WHERE id = ?", (step.id,))
