"""Every step of a change as statements. Matches and people have modules of their own."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import BY_CALENDAR, DeadlineKind, Lobby, LobbyState, SurfaceKind
from data.sql import daily, writes_seasons
from data.sql.codec import MICROSECOND, micros, setup_columns
from data.sql.statement import Statement, upsert
from data.sql.time_away import (
    DUE,
    GIVEN,
    LESS_GIVEN,
    LESS_TIMES,
    LOBBY,
    LOBBY_VERSION,
    MATCH_VERSION,
    SCOPE,
    SHOWING,
    UP_TO_DATE,
)
from data.sql.writes_erase import erase, erase_agreement
from data.sql.writes_match import (
    add_decisions,
    drop_seals,
    keep_seal,
    new_deal,
    new_match,
    put_seal,
    save_match,
    seals_fit,
)
from data.sql.writes_people import (
    add_rating_entry,
    block,
    drop_rating,
    end_pause,
    keep_import,
    name_member,
    new_pause,
    save_note,
    save_player,
    save_rating,
)
from data.sql.writes_server import (
    add_audit,
    drop_bar,
    drop_bars,
    drop_match,
    drop_role,
    drop_server,
    note_role,
    put_bar,
    save_guild,
)

OPEN, STARTED = int(LobbyState.OPEN), int(LobbyState.STARTED)

DEADLINE = upsert("deadlines", "owner, kind", "due, prompt, moves", {"due": LESS_GIVEN})
HEARTBEAT = upsert("heartbeat", '"only"', "at")


def statements(change: c.Change) -> list[Statement]:
    """A whole change, in order."""
    found = [statement for step in change for statement in STEPS[type(step)](step)]
    sealed = {step.match for step in change if isinstance(step, c.PutSeal)}
    return found + [seals_fit(match) for match in sorted(sealed)]


# --- lobbies ----------------------------------------------------------------------------------------------


def new_lobby(step: c.NewLobby) -> Iterator[Statement]:
    one = step.lobby
    yield Statement(
        f"""INSERT INTO lobbies (id, kind, guild, channel, message, host, game, options, seats, series, clock, rated,
            place, nonce, state, created, expires, version, finished)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {LESS_GIVEN}, {LESS_TIMES}, ?
        WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = ?)""",
        (
            *(one.id, one.kind, one.guild, one.channel, one.message, one.host, *setup_columns(one.setup)),
            *(one.nonce, one.state, micros(one.created), *_end_and_version(one)),
            *(one.finished, one.id),
        ),
        1,
        f"{one.id} is taken",
    )
    yield from _people(one)


def save_lobby(step: c.SaveLobby) -> Iterator[Statement]:
    """Where it was made, and with which nonce, never changes."""
    one = step.lobby
    if one.version <= step.expect:
        raise ValueError(f"lobby {one.id} keeps its version {one.version}")
    yield Statement(
        f"""UPDATE lobbies SET channel = ?, message = ?, host = ?, game = ?, options = ?, seats = ?, series = ?,
            clock = ?, rated = ?, place = ?, state = ?, expires = {LESS_GIVEN}, version = {LESS_TIMES}
            WHERE id = ? AND {LOBBY_VERSION} = ?""",
        (
            *(one.channel, one.message, one.host, *setup_columns(one.setup)),
            *(one.state, *_end_and_version(one), one.id, step.expect),
        ),
        1,
        f"lobby {one.id} is not at version {step.expect}",
    )
    yield Statement("DELETE FROM lobby_people WHERE lobby_id = ?", (one.id,))
    yield from _people(one)
    yield Statement(
        f"UPDATE surfaces SET {UP_TO_DATE} WHERE owner = ? AND state <> 'gone' AND kind = {LOBBY}",
        (step.expect, step.expect, one.version, one.id),
    )


def _end_and_version(lobby: Lobby) -> tuple[int, bool, int, bool]:
    moves = lobby.state is LobbyState.OPEN
    return micros(lobby.expires), moves, lobby.version, moves


def _people(lobby: Lobby) -> Iterator[Statement]:
    for place, person in enumerate(lobby.people):
        yield Statement(
            'INSERT INTO lobby_people (lobby_id, place, "user", name, answer) VALUES (?, ?, ?, ?, ?)',
            (lobby.id, place, person.user, person.name, person.answer),
        )


# --- clocks -----------------------------------------------------------------------------------------------


def set_deadline(step: c.SetDeadline) -> Iterator[Statement]:
    one = step.deadline
    moves = one.kind not in BY_CALENDAR
    yield Statement(DEADLINE, (one.owner, one.kind, micros(one.due), moves, one.prompt, moves))


def drop_deadlines(step: c.DropDeadlines) -> Iterator[Statement]:
    named = {"owner": step.owner, "kind": step.kind, "prompt": step.prompt, DUE: micros(step.due)}
    wanted = {column: value for column, value in named.items() if value is not None}
    yield Statement(f"DELETE FROM deadlines WHERE {' AND '.join(f'{one} = ?' for one in wanted)}", (*wanted.values(),))


def move_deadlines(step: c.MoveDeadlines) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE deadlines SET due = due + ? WHERE owner = ? AND kind <> {int(DeadlineKind.PAUSED)}",
        (step.by // MICROSECOND, step.owner),
    )


def put_off(step: c.PutOff) -> Iterator[Statement]:
    one = step.deadline
    yield Statement(
        f"UPDATE deadlines SET due = ? - moves * {GIVEN} WHERE owner = ? AND kind = ? AND prompt = ?",
        (micros(one.due), one.owner, one.kind, one.prompt),
    )


def shift_deadlines(step: c.ShiftDeadlines) -> Iterator[Statement]:
    since = micros(step.doubted) if step.unseen else 0
    yield Statement(
        f"""INSERT INTO time_away (scope, given, told, times, unmarked) VALUES ({SCOPE}, ?, ?, 1, ?)
        ON CONFLICT (scope) DO UPDATE SET given = time_away.given + excluded.given,
            told = time_away.told + excluded.told, times = time_away.times + 1, unmarked = coalesce(
                CASE WHEN time_away.unmarked < excluded.unmarked THEN time_away.unmarked END,
                excluded.unmarked, time_away.unmarked)""",
        (step.by // MICROSECOND, max(round(step.by.total_seconds()), 0) if step.told else 0, since),
    )


def mark_behind(step: c.MarkBehind) -> Iterator[Statement]:
    for table, moves, _, version, which in SHOWING:
        yield Statement(
            f"""UPDATE surfaces SET wanted = (SELECT {version} FROM {table} WHERE id = owner)
            WHERE owner = ? AND {which} AND EXISTS (SELECT 1 FROM {table} WHERE id = owner AND {moves})""",
            (step.owner,),
        )


def end_marking(step: c.EndMarking) -> Iterator[Statement]:
    yield Statement(f"UPDATE time_away SET unmarked = NULL WHERE scope = {SCOPE} AND times = ?", (step.times,))


def heartbeat(step: c.Heartbeat) -> Iterator[Statement]:
    yield Statement(HEARTBEAT, (1, micros(step.at)))


# --- surfaces ---------------------------------------------------------------------------------------------


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


# --- all of them ------------------------------------------------------------------------------------------

STEPS: dict[type, Callable[[Any], Iterator[Statement] | Sequence[Statement]]] = {
    c.NewLobby: new_lobby,
    c.SaveLobby: save_lobby,
    c.NewMatch: new_match,
    c.SaveMatch: save_match,
    c.NewDeal: new_deal,
    c.AddDecisions: add_decisions,
    c.PutSeal: put_seal,
    c.DropSeals: drop_seals,
    c.KeepSeal: keep_seal,
    c.SetDeadline: set_deadline,
    c.DropDeadlines: drop_deadlines,
    c.MoveDeadlines: move_deadlines,
    c.PutOff: put_off,
    c.ShiftDeadlines: shift_deadlines,
    c.MarkBehind: mark_behind,
    c.EndMarking: end_marking,
    c.PutSurface: put_surface,
    c.SurfaceShown: surface_shown,
    c.DropSurface: drop_surface,
    c.SavePlayer: save_player,
    c.NewPause: new_pause,
    c.EndPause: end_pause,
    c.SaveGuild: save_guild,
    c.AddAudit: add_audit,
    c.DropMatch: drop_match,
    c.DropServer: drop_server,
    c.PutBar: put_bar,
    c.DropBar: drop_bar,
    c.DropBars: drop_bars,
    c.NoteRole: note_role,
    c.DropRole: drop_role,
    c.NameMember: name_member,
    c.Block: block,
    c.SaveRating: save_rating,
    c.DropRating: drop_rating,
    c.AddRatingEntry: add_rating_entry,
    c.NewSeason: writes_seasons.new_season,
    c.SaveSeason: writes_seasons.save_season,
    c.SeasonMoves: writes_seasons.season_moves,
    c.FreezeSeason: writes_seasons.freeze_season,
    c.MarkSeason: writes_seasons.mark_season,
    c.Heartbeat: heartbeat,
    c.SaveNote: save_note,
    c.NewDailyDeal: daily.new_daily_deal,
    c.SaveDailyBest: daily.save_daily_best,
    c.NewDailyTry: daily.new_daily_try,
    c.ShareDaily: daily.share_daily,
    c.KeepImport: keep_import,
    c.Erase: erase,
    c.EraseAgreement: erase_agreement,
}
"""How each kind of step is written."""
