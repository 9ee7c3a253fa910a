"""Somebody's data erased: what was theirs goes, what others played with them stays, with a number in their place."""

from collections.abc import Iterator

from bot.referee.model import changes as c
from bot.referee.model.model import FORMER, PERSONAL_NOTES, LobbyState, SurfaceKind, pause_owner
from data.sql.codec import micros
from data.sql.statement import Statement
from data.sql.time_away import MATCH_VERSION

SEATED = 'IN (SELECT match_id FROM seats WHERE "user" = ?)'


def erase(step: c.Erase) -> Iterator[Statement]:
    user, number = step.user, step.number
    yield Statement(
        f"""SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM seats WHERE "user" = ?)
            AND NOT EXISTS (SELECT 1 FROM lobby_people p JOIN lobbies l ON l.id = p.lobby_id
                WHERE p."user" = ? AND l.state = {int(LobbyState.OPEN)})
            AND (SELECT count(DISTINCT match_id) FROM seats WHERE "user" = ? AND live = 0) = ?
            AND (SELECT count(DISTINCT match_id) FROM seats WHERE "user" = ? AND live = 1) = ?""",
        (number, user, user, len(step.matches), user, len(step.going)),
        1,
        "a person whose data is erased plays on, or their number is taken",
    )
    for one in step.matches:
        yield Statement(
            "UPDATE matches SET agreement = ?, record = ?, version = version + 1 WHERE id = ? AND live = 0",
            (one.agreement, one.record, one.match),
            1,
            f"match {one.match} is not over",
        )
    for id in step.going:
        yield from _renamed(id, user)
    yield Statement(
        f"""UPDATE surfaces SET wanted = (SELECT {MATCH_VERSION} FROM matches WHERE id = surfaces.owner)
            WHERE state <> 'gone' AND kind = {int(SurfaceKind.BOARD)}
            AND owner IN (SELECT match_id FROM seats WHERE "user" = ? AND ended >= ?)""",
        (user, micros(step.shown_since)),
    )
    yield from _notes(user)
    yield Statement(
        f'UPDATE rating_history SET "user" = ? WHERE match_id {SEATED} AND "user" = ?', (number, user, user)
    )
    yield Statement(
        """INSERT INTO members (guild, "user", name, here)
            SELECT m.guild, ?, ?, 0 FROM members m WHERE m."user" = ?
            AND (EXISTS (SELECT 1 FROM ratings r WHERE r.guild = m.guild AND r."user" = m."user")
                OR EXISTS (SELECT 1 FROM seats s JOIN matches x ON x.id = s.match_id
                    WHERE s."user" = m."user" AND s.live = 1 AND x.guild = m.guild))""",
        (number, FORMER, user),
    )
    yield Statement(
        """UPDATE ratings SET "user" = ?
            WHERE guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?""",
        (number, user, user),
    )
    yield Statement(
        """UPDATE season_ratings SET "user" = ?
            WHERE guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?""",
        (number, user, user),
    )
    yield Statement('UPDATE season_places SET "user" = ?, name = ? WHERE "user" = ?', (number, FORMER, user))
    yield Statement('UPDATE seats SET "user" = ?, name = ?, seen = NULL WHERE "user" = ?', (number, FORMER, user))
    yield Statement(
        """UPDATE lobbies SET host = ? WHERE host = ?
            AND id IN (SELECT lobby_id FROM lobby_people WHERE "user" = ?)""",
        (number, user, user),
    )
    yield Statement("UPDATE lobbies SET host = ? WHERE host = ?", (number, user))
    yield Statement('UPDATE lobby_people SET "user" = ?, name = ? WHERE "user" = ?', (number, FORMER, user))
    yield Statement(
        """DELETE FROM daily_tries WHERE guild IN (SELECT guild FROM members WHERE "user" = ?) AND "user" = ?""",
        (user, user),
    )
    yield Statement('UPDATE pauses SET "user" = ? WHERE "user" = ?', (number, user))
    yield Statement("DELETE FROM deadlines WHERE owner = ?", (pause_owner(user),))
    yield Statement('UPDATE audit SET "user" = ? WHERE "user" = ?', (number, user))
    yield from _bars(step)
    for table in ("members", "players", "imports", "blocks", "given_roles"):
        yield Statement(f'DELETE FROM {table} WHERE "user" = ?', (user,))
    yield Statement("DELETE FROM blocks WHERE by_user = ?", (user,))
    yield Statement('DELETE FROM surfaces WHERE "user" = ? AND "user" <> 0', (user,))


def _renamed(match: str, user: int) -> Iterator[Statement]:
    """Draw a live match anew, in which this user had a seat."""
    yield Statement(
        """UPDATE matches SET version = version + 1 WHERE id = ? AND live = 1
            AND EXISTS (SELECT 1 FROM seats WHERE match_id = matches.id AND "user" = ?)""",
        (match, user),
        1,
        f"match {match} is over",
    )
    yield Statement(
        f"""UPDATE surfaces SET wanted = (SELECT {MATCH_VERSION} FROM matches WHERE id = surfaces.owner)
            WHERE owner = ? AND state <> 'gone' AND kind <> {int(SurfaceKind.LOBBY)}""",
        (match,),
    )


def erase_agreement(step: c.EraseAgreement) -> Iterator[Statement]:
    one = step.erased
    yield Statement(
        "UPDATE matches SET agreement = ?, record = ? WHERE id = ?", (one.agreement, one.record, one.match), 1
    )


def _bars(step: c.Erase) -> Iterator[Statement]:
    """A bar that still holds keeps their id: without it they could come back at once. The audit log then no longer
    says who was barred, or it would lead from that id to the number in their seats."""
    user, number = step.user, step.number
    yield Statement(
        """UPDATE audit SET about = CASE WHEN what IN ('bar', 'unbar') THEN 0 ELSE ? END
            WHERE about = ? AND about <> 0""",
        (number, user),
    )
    yield Statement("UPDATE bars SET by_user = ? WHERE by_user = ?", (number, user))
    yield Statement('DELETE FROM bars WHERE "user" = ? AND until <= ?', (user, micros(step.at)))
    yield Statement("UPDATE bars SET reason = '' WHERE \"user\" = ?", (user,))


def _notes(user: int) -> Iterator[Statement]:
    yield Statement(
        """DELETE FROM notes WHERE key IN (SELECT 'mute ' || match_id || ' ' || "user" FROM seats WHERE "user" = ?)""",
        (user,),
    )
    keys = [f"{word} {user}" for word in PERSONAL_NOTES]
    yield Statement(f"DELETE FROM notes WHERE key IN ({', '.join('?' * len(keys))})", tuple(keys))
