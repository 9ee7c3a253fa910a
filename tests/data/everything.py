"""Something of Ana in every table that holds something about people."""

from __future__ import annotations

import json

from bot.referee.model import changes as c
from bot.referee.model.clock_changes import pause_owner
from bot.referee.model.counts import CountDaily, DailyCount, NoteJoined
from bot.referee.model.daily import NewDailyTry
from bot.referee.model.model import DeadlineKind, LobbyState
from bot.referee.model.people import Import, Player
from bot.referee.model.searches import NewSearch, SaveSearchPost, SearchPost
from bot.referee.model.surfaces import SurfaceKind
from data.store import Store
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM, GUILD, NOW


async def everything(store: Store) -> None:
    over = ex.over("OVER", ended=5, agreement=json.dumps({"players": [str(ANA), str(BEN)]}).encode())
    lobby = ex.lobby(id="L7Q2", state=LobbyState.STARTED)
    await store.write((c.NewLobby(lobby), c.NewMatch(over)))
    await store.write((c.NewDeal("OVER", ex.rich_match().deals[0]), c.KeepSeal("OVER", ex.earlier())))
    board = ex.surface(match="OVER", kind=SurfaceKind.BOARD, user=0, message=77, shown=over.version, token="")
    console = ex.surface(match="OVER", kind=SurfaceKind.CONSOLE_DM, user=ANA, shown=over.version)
    await store.write((c.PutSurface(board), c.PutSurface(console)))
    await store.write((c.SavePlayer(Player(ANA)), c.NameMember(GUILD, ANA, "Ana"), c.NameMember(5, ANA, "Anna")))
    await store.write((c.NewPause(ex.pause()), c.SetDeadline(ex.deadline(pause_owner(ANA), DeadlineKind.PAUSE))))
    await store.write((c.Block(ANA, BEN, True), c.Block(CEM, ANA, True), c.Block(CEM, BEN, True)))
    await store.write((c.SaveRating(ex.rating(), None), c.AddRatingEntry(ex.entry("OVER"))))
    await store.write((c.SaveRating(ex.rating(user=BEN, name="Ben"), None), c.AddRatingEntry(ex.entry("OVER", BEN))))
    await store.write((c.SaveRating(ex.rating(), None, season=True), c.NewSeason(ex.season(2))))
    await store.write((c.FreezeSeason(5, 1, (ex.frozen(ANA, BEN),)),))
    await store.write((NewDailyTry(GUILD, ex.DAY, ANA, "OVER"), NewDailyTry(GUILD, ex.DAY, BEN, "OVER")))
    post = SaveSearchPost(SearchPost(6, GUILD, 7, NOW, NOW), None)
    await store.write((NewSearch(ex.search()), NewSearch(ex.search(BEN)), post))
    await store.write((c.AddAudit(ex.audit(user=ANA)), c.AddAudit(ex.audit("ban", user=BEN, about=ANA))))
    await store.write((CountDaily(GUILD, ex.DAY, DailyCount.LESSON_BEGUN), NoteJoined(GUILD, NOW)))
    await store.write((c.NoteRole(GUILD, ANA, 5, True), c.NoteRole(GUILD, BEN, 5, True)))
    await store.write((c.PutBan(ex.ban(ANA, by=BEN)), c.PutBan(ex.ban(BEN, by=ANA))))
    notes = (f"mute OVER {ANA}", f"stopped {ANA}", f"exported {ANA}", f"mute OVER {BEN}", "commands")
    await store.write(tuple(c.SaveNote(key, "1") for key in notes))
    for id, user in (("MP2K", ANA), ("MP3K", BEN)):
        await store.write((c.KeepImport(Import(id, user, NOW, "{}"), 3),))
