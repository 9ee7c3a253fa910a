"""`/gops settings stop`, `void`, `adjudicate` and `bar`: what moderators do about a match or a person."""

from __future__ import annotations

from datetime import timedelta

from discord import app_commands

from bot.errors import Refused
from bot.interactions.channel_checks import person_of, place_of
from bot.interactions.client import GopsClient
from bot.interactions.commands import Rows, Somebody, command, picker
from bot.interactions.component import On, press
from bot.interactions.context import Asked
from bot.interactions.shared.match_rows import match_row
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.referee.server.moderating import LONGEST_REASON, check_live, check_rated, check_winner
from bot.ui.custom_ids import match_ids, server_ids
from bot.ui.message import Field, Message, Modal
from bot.ui.screens import pings
from bot.ui.story.outcome import phrase_within, score
from bot.ui.text.names import names_of, quoted, shown
from bot.ui.text.sentences import say
from bot.ui.text.stamps import stamp
from cogs.server.settings import tell_log


def stop_form(view: MatchView, reason: str = "") -> Modal:
    id = "ask-stop" if len(view.seats) == 2 else "ask-stop-all"
    question = say(id, m=view.id, names=_everybody(view))
    return _form(server_ids.stop(view.id), say("form-stop", m=view.id), question, reason)


def void_form(view: MatchView, reason: str = "") -> Modal:
    names, winner = names_of(view), view.outcome.winner if view.outcome is not None else None
    text = phrase_within(view, names)
    if len(view.seats) == 2 and winner is not None:
        text = say("score-of", first=names[winner], second=names[1 - winner], score=score(view, winner))
    question = say("ask-void", m=view.id, result=text)
    return _form(server_ids.void(view.id), say("form-void", m=view.id), question, reason)


def decide_form(view: MatchView, winner: int, reason: str = "") -> Modal:
    """`winner` is a person, 0 a draw."""
    names = names_of(view)
    seat = next((seat.seat for seat in view.seats if seat.user == winner and winner), None)
    if seat is None:
        question = say("ask-decide-draw", m=view.id, names=_everybody(view))
    else:
        question = say("ask-decide", m=view.id, name=names[seat])
    return _form(server_ids.decide(view.id, winner), say("form-decide", m=view.id), question, reason)


def _everybody(view: MatchView) -> str:
    return names_of(view).all(range(len(view.seats)))


def _form(id: str, title: str, question: str, reason: str) -> Modal:
    field = Field(
        server_ids.REASON_FIELD,
        say("form-reason"),
        reason[:LONGEST_REASON],
        most=LONGEST_REASON,
        note=say("form-reason-note"),
    )
    return Modal(id, title, (field,), question)


MATCH = "Match code, like K7Q2"
REASON = "Shown to the players"
LIFT = 0
LENGTHS = {
    60: "1 hour",
    24 * 60: "1 day",
    7 * 24 * 60: "7 days",
    30 * 24 * 60: "30 days",
    365 * 24 * 60: "1 year",
    LIFT: "May play again",
}
"""in minutes"""

Reason = app_commands.Range[str, 1, LONGEST_REASON]


@picker
async def complete_live(asked: Asked, current: str) -> Rows:
    """Live matches of this server, for those who may stop one."""
    if not asked.where.manages:
        return []
    referee, wanted = asked.referee, current.strip().lstrip("#").upper()
    found = [id for id in await referee.store.live_in(asked.guild) if wanted in id][:25]
    views = [view for view in [await referee.views.of(id) for id in found] if not view.private]
    return [app_commands.Choice(name=match_row(view, referee.clock.now())[:100], value=view.id) for view in views]


async def _named(asked: Asked, code: str) -> Live:
    """The match that a moderator means."""
    guild = asked.check_manager()
    live = await asked.referee.find.named(code)
    return await asked.referee.moderating.look(guild, live.stored.id, asked.user)


@command("stop", "Stop a live match; it will not count")
@app_commands.describe(match=MATCH, reason=REASON)
@app_commands.autocomplete(match=complete_live)
async def stop(asked: Asked, match: str, reason: Reason = "") -> None:
    live = await _named(asked, match)
    check_live(live)
    await asked.answer.ask(stop_form(await asked.referee.views.of_live(live), reason))


@press(match_ids.more_button("stop"), on=On.QUESTION)
async def stop_pressed(asked: Asked) -> None:
    """*Stop match* behind *More*."""
    id, _ = match_ids.read_button(asked.parts)
    live = await asked.referee.moderating.look(asked.check_manager(), id, asked.user)
    check_live(live)
    await asked.answer.ask(stop_form(await asked.referee.views.of_live(live)))


@command("void", "Take a finished match out of the ratings")
@app_commands.describe(match=MATCH, reason=REASON)
async def void(asked: Asked, match: str, reason: Reason = "") -> None:
    live = await _named(asked, match)
    check_rated(live)
    await asked.answer.ask(void_form(await asked.referee.views.of_live(live), reason))


@command("adjudicate", "Decide a stuck live match")
@app_commands.describe(match=MATCH, reason=REASON, winner="Who wins; nobody named is a draw")
@app_commands.autocomplete(match=complete_live)
async def adjudicate(asked: Asked, match: str, winner: Somebody | None = None, reason: Reason = "") -> None:
    live = await _named(asked, match)
    check_live(live)
    if winner is not None and live.stored.seat_of(winner.id) is None:
        raise Refused("winner-not-in", name=winner.name, m=live.stored.id)
    user = 0 if winner is None else winner.id
    check_winner(live, user)
    await asked.answer.ask(decide_form(await asked.referee.views.of_live(live), user, reason))


@press(server_ids.MODERATE, on=On.FORM)
async def sent_in(asked: Asked) -> None:
    """The reason is there: it is done, and everybody hears of it."""
    guild = asked.check_manager()
    asked.answer.will_send()
    what, id, winner = server_ids.read_moderate(asked.parts)
    reason, by, moderating = asked.typed_in(server_ids.REASON_FIELD), person_of(asked.who), asked.referee.moderating
    name = shown(asked.who.name)
    if what == "stop":
        view = await moderating.stop(guild, id, by, reason)
        done, told = "what-stopped", say("told-stopped", m=id, reason=_reason(view))
        logged = say("log-stop", name=name, m=id, reason=_reason(view))
    elif what == "void":
        view = await moderating.void(guild, id, by, reason)
        done, told = "what-voided", say("told-voided", m=id, reason=_reason(view))
        logged = say("log-void", name=name, m=id, reason=_reason(view))
    else:
        view = await moderating.decide(guild, id, by, winner, reason)
        result = _decision(view)
        done, told = "what-decided", say("told-decided", m=id, result=result, reason=_reason(view))
        logged = say("log-decide", name=name, m=id, result=result, reason=_reason(view))
    await asked.answer.send(Message(say("admin-done", m=id, what=say(done))))
    await asked.services.publisher.notices.tell_ruling(view, pings.ruling(view, told))
    await tell_log(asked, [logged])


def _decision(view: MatchView) -> str:
    """Who was said to win, in a sentence that says already that a moderator decided it."""
    assert view.outcome is not None
    seat = view.outcome.winner
    return say("ruled-draw") if seat is None else say("ruled", name=names_of(view)[seat])


def _reason(view: MatchView) -> str:
    return quoted(view.reason.rstrip("."), LONGEST_REASON)


@command("bar", "Keep somebody from playing here for a time")
@app_commands.describe(player="Who may not play", time="For how long", reason="Shown to them")
@app_commands.choices(time=[app_commands.Choice(name=words, value=minutes) for minutes, words in LENGTHS.items()])
async def bar(asked: Asked, player: Somebody, time: int, reason: Reason = "") -> None:
    asked.check_manager()
    if player.bot:
        raise Refused("bot", name=player.name)
    moderating, place, by, who = asked.referee.moderating, place_of(asked), person_of(asked.who), person_of(player)
    names = {"name": shown(asked.who.name), "who": shown(player.name)}
    if time == LIFT:
        await moderating.unbar(place, by, who)
        await asked.answer.send(Message(say("unbar-done", name=shown(player.name))))
        await tell_log(asked, [say("log-unbar", **names)])
        return
    made = await moderating.bar(place, by, who, timedelta(minutes=time), reason)
    told = {"t": stamp(made.until), "reason": quoted(made.reason.rstrip("."), LONGEST_REASON)}
    await asked.answer.send(Message(say("bar-done", name=shown(player.name), **told)))
    await tell_log(asked, [say("log-bar", **names, **told)])


async def setup(bot: GopsClient) -> None:
    bot.answer(sent_in, stop_pressed)
