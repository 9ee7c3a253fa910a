"""SQL statements for the steps of a change."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.changes import Change
from data.sql import daily, deadlines, lobbies, matches, people, personal_data, ratings, seasons, server, surfaces
from data.sql.statement import Statement


def build_statements(change: c.Change) -> list[Statement]:
    """Build the statements of a change, in order."""
    built = [statement for step in change for statement in STEPS[type(step)](step)]
    matches_with_seals = {step.match for step in change if isinstance(step, c.PutSeal)}
    return built + [matches.check_seals(id) for id in sorted(matches_with_seals)]


STEPS: dict[type, Callable[[Any], Iterator[Statement] | Sequence[Statement]]] = {
    c.NewLobby: lobbies.new_lobby,
    c.SaveLobby: lobbies.save_lobby,
    c.NewMatch: matches.new_match,
    c.SaveMatch: matches.save_match,
    c.NewDeal: matches.new_deal,
    c.AddDecisions: matches.add_decisions,
    c.PutSeal: matches.put_seal,
    c.DropSeals: matches.drop_seals,
    c.KeepSeal: matches.keep_seal,
    c.SetDeadline: deadlines.set_deadline,
    c.DropDeadlines: deadlines.drop_deadlines,
    c.MoveDeadlines: deadlines.move_deadlines,
    c.PutOff: deadlines.put_off,
    c.ShiftDeadlines: deadlines.shift_deadlines,
    c.MarkBehind: deadlines.mark_behind,
    c.EndMarking: deadlines.end_marking,
    c.PutSurface: surfaces.put_surface,
    c.SurfaceShown: surfaces.surface_shown,
    c.DropSurface: surfaces.drop_surface,
    c.SavePlayer: people.save_player,
    c.NewPause: people.new_pause,
    c.EndPause: people.end_pause,
    c.SaveGuild: server.save_guild,
    c.AddAudit: server.add_audit,
    c.DropMatch: server.drop_match,
    c.DropServer: server.drop_server,
    c.PutBar: server.put_bar,
    c.DropBar: server.drop_bar,
    c.DropBars: server.drop_bars,
    c.NoteRole: ratings.note_role,
    c.DropRole: ratings.drop_role,
    c.NameMember: people.name_member,
    c.Block: people.block,
    c.SaveRating: ratings.save_rating,
    c.DropRating: ratings.drop_rating,
    c.AddRatingEntry: ratings.add_rating_entry,
    c.NewSeason: seasons.new_season,
    c.SaveSeason: seasons.save_season,
    c.SeasonMoves: seasons.season_moves,
    c.FreezeSeason: seasons.freeze_season,
    c.MarkSeason: seasons.mark_season,
    c.Heartbeat: deadlines.write_heartbeat,
    c.SaveNote: people.save_note,
    c.NewDailyDeal: daily.new_daily_deal,
    c.SaveDailyBest: daily.save_daily_best,
    c.NewDailyTry: daily.new_daily_try,
    c.ShareDaily: daily.share_daily,
    c.KeepImport: people.keep_import,
    c.Erase: personal_data.erase,
    c.EraseAgreement: personal_data.erase_agreement,
}
"""Function that builds the statements of each kind of step."""


MATCH_STEPS = (
    *(c.SaveMatch, c.AddDecisions, c.PutSeal, c.DropSeals, c.KeepSeal, c.NewDeal),
    *(c.SetDeadline, c.DropDeadlines),
)
"""Steps that neither read nor write a lobby. Most bids consist of these."""
TIMED_STEPS = (c.NewLobby, c.SaveLobby, c.NewMatch, c.SaveMatch, c.SetDeadline, c.PutOff)
"""Steps that store times less the time away, which must be constant during a change."""
TIME_AWAY = 0x41574159
"""Key of the advisory lock for the time away. A lock of its row would cause a write with each bid."""


def lock_rows(change: Change) -> Iterator[Statement]:
    """Lock the rows of all matches and lobbies of a change.

    What the change counts or compares afterwards is stable. The order of locks is fixed, so changes cannot deadlock.
    """
    owners = sorted({id for step in change for id in _owner_ids(step)})
    if any(isinstance(step, c.ShiftDeadlines) for step in change):
        yield Statement(f"SELECT pg_advisory_xact_lock({TIME_AWAY})")
    elif any(isinstance(step, TIMED_STEPS) for step in change):  # else a shift meanwhile would move only half of it
        yield Statement(f"SELECT pg_advisory_xact_lock_shared({TIME_AWAY})")
    shown = sorted({step.id for step in change if isinstance(step, c.SurfaceShown | c.DropSurface)})
    marks = ", ".join(["?"] * len(owners) + ["(SELECT owner FROM surfaces WHERE id = ?)"] * len(shown))
    for table in ("matches",) if all(isinstance(step, MATCH_STEPS) for step in change) else ("matches", "lobbies"):
        if marks:
            yield Statement(f"SELECT 1 FROM {table} WHERE id IN ({marks}) ORDER BY id FOR UPDATE", (*owners, *shown))


def _owner_ids(step: Any) -> Iterable[str]:
    """Return the ids of the matches and lobbies that a step changes."""
    match step:
        case c.NewMatch(one) | c.SaveMatch(one) | c.NewLobby(one) | c.SaveLobby(one):
            return (one.id,)
        case c.PutSurface(surface):
            return (surface.match,)
        case c.NewDeal() | c.AddDecisions() | c.PutSeal() | c.DropSeals() | c.KeepSeal():
            return (step.match,)
        case c.Erase():
            return step.going
        case c.MarkBehind(owner):
            return (owner,)
        case c.EraseAgreement(erased):
            return (erased.match,)
        case _:
            return ()
