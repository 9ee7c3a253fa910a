"""Every step of a change as statements. The steps of a match are in `writes_match`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from typing import Any

from bot.referee import changes as c
from bot.referee.model import DeadlineKind, Lobby, LobbyState, SurfaceKind
from data.codec import MICROSECOND, dump, micros, setup_columns
from data.transaction import Statement
from data.writes_match import (
    add_decisions,
    drop_seals,
    new_deal,
    new_match,
    put_seal,
    save_match,
    seals_fit,
    shift_matches,
)

CLOCKS = (int(DeadlineKind.BID), int(DeadlineKind.WARNING), int(DeadlineKind.NUDGE), int(DeadlineKind.IDLE))
"""Deadlines that downtime is credited to."""

LOBBY = int(SurfaceKind.LOBBY)
STARTED = int(LobbyState.STARTED)

_VERSION = f"""coalesce(CASE ? WHEN {LOBBY} THEN (SELECT version FROM lobbies WHERE id = ?)
    ELSE (SELECT version FROM matches WHERE id = ?) END, 0)"""


def statements(change: c.Change) -> list[Statement]:
    """A whole change, in order."""
    found = [statement for step in change for statement in STEPS[type(step)](step)]
    sealed = {step.match for step in change if isinstance(step, c.PutSeal)}
    return found + [seals_fit(match) for match in sorted(sealed)]


# --- lobbies ----------------------------------------------------------------------------------------------


def new_lobby(step: c.NewLobby) -> Iterator[Statement]:
    one = step.lobby
    yield Statement(
        """INSERT INTO lobbies (id, kind, guild, channel, message, host, game, options, seats, series, clock, rated,
            nonce, state, created, expires, version)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
        WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = ?)""",
        (
            *(one.id, one.kind, one.guild, one.channel, one.message, one.host, *setup_columns(one.setup)),
            *(one.nonce, one.state, micros(one.created), micros(one.expires), one.version, one.id),
        ),
        1,
        f"{one.id} is taken",
    )
    yield from _people(one)


def save_lobby(step: c.SaveLobby) -> Iterator[Statement]:
    """Where it was made and with which nonce never changes."""
    one = step.lobby
    if one.version <= step.expect:
        raise ValueError(f"lobby {one.id} keeps its version {one.version}")
    yield Statement(
        """UPDATE lobbies SET channel = ?, message = ?, host = ?, game = ?, options = ?, seats = ?, series = ?,
            clock = ?, rated = ?, state = ?, expires = ?, version = ? WHERE id = ? AND version = ?""",
        (
            *(one.channel, one.message, one.host, *setup_columns(one.setup)),
            *(one.state, micros(one.expires), one.version, one.id, step.expect),
        ),
        1,
        f"lobby {one.id} is not at version {step.expect}",
    )
    yield Statement("DELETE FROM lobby_people WHERE lobby_id = ?", (one.id,))
    yield from _people(one)
    yield Statement(
        f"UPDATE surfaces SET wanted = ? WHERE owner = ? AND state <> 'gone' AND kind = {int(SurfaceKind.LOBBY)}",
        (one.version, one.id),
    )


def _people(lobby: Lobby) -> Iterator[Statement]:
    for place, person in enumerate(lobby.people):
        yield Statement(
            "INSERT INTO lobby_people (lobby_id, place, user, name, answer) VALUES (?, ?, ?, ?, ?)",
            (lobby.id, place, person.user, person.name, person.answer),
        )


# --- clocks -----------------------------------------------------------------------------------------------


def set_deadline(step: c.SetDeadline) -> Iterator[Statement]:
    one = step.deadline
    yield Statement(
        "INSERT OR REPLACE INTO deadlines (owner, kind, due, prompt) VALUES (?, ?, ?, ?)",
        (one.owner, one.kind, micros(one.due), one.prompt),
    )


def drop_deadlines(step: c.DropDeadlines) -> Iterator[Statement]:
    named = {"owner": step.owner, "kind": step.kind, "prompt": step.prompt, "due": micros(step.due)}
    wanted = {column: value for column, value in named.items() if value is not None}
    yield Statement(f"DELETE FROM deadlines WHERE {' AND '.join(f'{one} = ?' for one in wanted)}", (*wanted.values(),))


def shift_deadlines(step: c.ShiftDeadlines) -> Iterator[Statement]:
    kinds = ", ".join("?" * len(CLOCKS))
    yield Statement(f"UPDATE deadlines SET due = due + ? WHERE kind IN ({kinds})", (step.by // MICROSECOND, *CLOCKS))
    yield from shift_matches(step.by, step.unseen)


def heartbeat(step: c.Heartbeat) -> Iterator[Statement]:
    yield Statement("INSERT OR REPLACE INTO heartbeat (only, at) VALUES (1, ?)", (micros(step.at),))


# --- surfaces ---------------------------------------------------------------------------------------------


def put_surface(step: c.PutSurface) -> Iterator[Statement]:
    one = step.surface
    wanted = (one.kind, one.match, one.match)
    values = (one.match, one.kind, one.user, one.channel, one.message, one.shown, micros(one.posted), one.token)
    values += (micros(one.token_until), one.token_app, one.state)
    if one.id:
        yield Statement(
            f"""UPDATE surfaces SET owner = ?, kind = ?, user = ?, channel = ?, message = ?, shown = ?, posted = ?,
                token = ?, token_until = ?, token_app = ?, state = ?, wanted = {_VERSION}
                WHERE id = ? AND (kind = {LOBBY} OR ? <> {LOBBY}) RETURNING id""",
            (*values, *wanted, one.id, one.kind),
            1,
            f"surface {one.id} is gone, or a board by now",
            answers=True,
        )
    else:
        yield Statement(
            f"""INSERT INTO surfaces (owner, kind, user, channel, message, shown, posted, token, token_until, token_app,
                state, wanted) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, {_VERSION}
                WHERE ? <> {LOBBY} OR NOT EXISTS (SELECT 1 FROM lobbies WHERE id = ? AND state = {STARTED})
                RETURNING id""",
            (*values, *wanted, one.kind, one.match),
            1,
            f"{one.match} has started",
            answers=True,
        )


def surface_shown(step: c.SurfaceShown) -> Iterator[Statement]:
    yield Statement("UPDATE surfaces SET shown = ? WHERE id = ? AND shown < ?", (step.shown, step.id, step.shown))


def drop_surface(step: c.DropSurface) -> Iterator[Statement]:
    yield Statement("DELETE FROM surfaces WHERE id = ?", (step.id,))


# --- people -----------------------------------------------------------------------------------------------


def save_player(step: c.SavePlayer) -> Iterator[Statement]:
    one = step.player
    yield Statement(
        """INSERT OR REPLACE INTO players (user, console, bids, warnings, results, cards, two_step, challenges,
            dm_channel, dm_closed_until, dm_told) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(one.user, one.console, one.bids, one.warnings, one.results, one.cards, one.two_step, one.challenges),
            *(one.dm_channel, micros(one.dm_closed_until), one.dm_told),
        ),
    )


def save_guild(step: c.SaveGuild) -> Iterator[Statement]:
    one = step.settings
    yield Statement(
        """INSERT OR REPLACE INTO guilds (guild, game, clock, rated, console, boards, matches, channels, roles, dms,
            result_lines, cards) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            *(one.guild, one.game, one.clock, one.rated, one.console, one.boards, one.matches),
            *(dump(one.channels), dump(one.roles), one.dms, one.result_lines, one.cards),
        ),
    )


def name_member(step: c.NameMember) -> Iterator[Statement]:
    yield Statement(
        "INSERT OR REPLACE INTO members (guild, user, name, here) VALUES (?, ?, ?, ?)",
        (step.guild, step.user, step.name, step.here),
    )


def block(step: c.Block) -> Iterator[Statement]:
    if step.on:
        yield Statement("INSERT OR IGNORE INTO blocks (by_user, user) VALUES (?, ?)", (step.by, step.user))
    else:
        yield Statement("DELETE FROM blocks WHERE by_user = ? AND user = ?", (step.by, step.user))


def save_rating(step: c.SaveRating) -> Iterator[Statement]:
    """Name and presence are `NameMember`'s business; here they only stand in for somebody unknown."""
    one = step.rating
    key = (one.guild, one.pool, one.user)
    values = (one.mu, one.sigma, one.played, one.won, one.drawn, one.lost, micros(one.last))
    failure = f"the rating of {one.user} is not at {step.expect} matches"
    if step.expect:
        yield Statement(
            """UPDATE ratings SET mu = ?, sigma = ?, played = ?, won = ?, drawn = ?, lost = ?, last = ?
            WHERE guild = ? AND pool = ? AND user = ? AND played = ?""",
            (*values, *key, step.expect),
            1,
            failure,
        )
    else:
        yield Statement(
            """INSERT INTO ratings (guild, pool, user, mu, sigma, played, won, drawn, lost, last)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma, played = excluded.played,
                won = excluded.won, drawn = excluded.drawn, lost = excluded.lost, last = excluded.last
            WHERE ? OR played = 0""",
            (*key, *values, step.expect is None),
            1,
            failure,
        )
    yield Statement(
        "INSERT OR IGNORE INTO members (guild, user, name, here) VALUES (?, ?, ?, ?)",
        (one.guild, one.user, one.name, one.here),
    )


def add_rating_entry(step: c.AddRatingEntry) -> Iterator[Statement]:
    """A pool that is worked out anew writes its entries again."""
    one = step.entry
    yield Statement(
        """INSERT OR REPLACE INTO rating_history (match_id, guild, pool, user, seat, place, mu_before, sigma_before, mu,
            sigma, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (*astuple(one)[:-1], micros(one.at)),
    )


def save_note(step: c.SaveNote) -> Iterator[Statement]:
    yield Statement("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)", (step.key, step.value))


STEPS: dict[type, Callable[[Any], Iterator[Statement] | Sequence[Statement]]] = {
    c.NewLobby: new_lobby,
    c.SaveLobby: save_lobby,
    c.NewMatch: new_match,
    c.SaveMatch: save_match,
    c.NewDeal: new_deal,
    c.AddDecisions: add_decisions,
    c.PutSeal: put_seal,
    c.DropSeals: drop_seals,
    c.SetDeadline: set_deadline,
    c.DropDeadlines: drop_deadlines,
    c.ShiftDeadlines: shift_deadlines,
    c.PutSurface: put_surface,
    c.SurfaceShown: surface_shown,
    c.DropSurface: drop_surface,
    c.SavePlayer: save_player,
    c.SaveGuild: save_guild,
    c.NameMember: name_member,
    c.Block: block,
    c.SaveRating: save_rating,
    c.AddRatingEntry: add_rating_entry,
    c.Heartbeat: heartbeat,
    c.SaveNote: save_note,
}
"""How each kind of step is written."""
