"""SQL statements for the steps of a change."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.counts import CountDaily, NoteJoined, NoteLeft
from bot.referee.model.daily import NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from bot.referee.model.searches import DropSearch, FreeSearch, NewSearch, SaveSearch, SaveSearchPost
from data.sql import (
    counts,
    daily,
    deadlines,
    jobs,
    lobbies,
    matches,
    people,
    personal_data,
    ratings,
    searches,
    seasons,
    server,
    surfaces,
)
from data.sql.statement import Statement


def build_statements(change: c.Change) -> list[Statement]:
    """Build the statements of a change, in order. Seals and decisions that come with the next version of a known match
    belong to it, and are not checked once more."""
    known = {step.match.id: step for step in change if isinstance(step, c.SaveMatch) and step.before is not None}
    built: list[Statement] = []
    unchecked: set[str] = set()
    for step in change:
        if isinstance(step, c.AddDecisions) and step.match not in known:
            built.append(matches.check_decisions(step))
        elif isinstance(step, c.PutSeal) and not _is_at_prompt(step, known.get(step.match)):
            unchecked.add(step.match)
        built += STEPS[type(step)](step)
    return built + [matches.check_seals(id) for id in sorted(unchecked)]


def _is_at_prompt(step: c.PutSeal, saved: c.SaveMatch | None) -> bool:
    """Return True if the prompt of a seal is that of its match before and after the change."""
    return saved is not None and saved.before is not None and saved.before.prompt == saved.match.prompt == step.prompt


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
    c.PutBan: server.put_ban,
    c.DropBan: server.drop_ban,
    c.DropBans: server.drop_bans,
    c.NoteRole: ratings.note_role,
    c.DropRole: ratings.drop_role,
    c.NameMember: people.name_member,
    CountDaily: counts.count_daily,
    NoteJoined: counts.note_joined,
    NoteLeft: counts.note_left,
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
    c.NoteHandled: people.note_handled,
    c.CheckPeople: lobbies.check_people,
    c.AskJob: jobs.ask_job,
    c.EndJob: jobs.end_job,
    c.ReserveDm: people.reserve_dm,
    NewDailyDeal: daily.new_daily_deal,
    SaveDailyBest: daily.save_daily_best,
    NewDailyTry: daily.new_daily_try,
    ShareDaily: daily.share_daily,
    NewSearch: searches.new_search,
    SaveSearch: searches.save_search,
    FreeSearch: searches.free_search,
    DropSearch: searches.drop_search,
    SaveSearchPost: searches.save_search_post,
    c.KeepImport: people.keep_import,
    c.Erase: personal_data.erase,
    c.EraseAgreement: personal_data.erase_agreement,
}
"""Function that builds the statements of each kind of step."""
