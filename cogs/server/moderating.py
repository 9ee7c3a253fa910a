"""`/gops settings stop`, `unrate`, `decide` and `ban`: what moderators do about a match or a person."""

from __future__ import annotations

from datetime import timedelta

from discord import app_commands

from bot.engine.match import Termination
from bot.errors import RefereeError
from bot.interactions.channel_checks import person_of, place_of
from bot.interactions.commands import Rows, UserOption, autocomplete, make_choices, subcommand
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.match_rows import match_row
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.referee.server.moderation import LONGEST_REASON, check_live, check_rated, check_winner
from bot.ui.custom_ids import match_ids, server_ids
from bot.ui.message import Field, Message, Modal
from bot.ui.screens import pings
from bot.ui.screens.refusals import describe_error
from bot.ui.story.outcome import describe_outcome_within, format_score
from bot.ui.text.names import format_name, make_names, quote
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time
from cogs.server.settings import SETTINGS_GROUP


def stop_form(view: MatchView, reason: str = "") -> Modal:
    id = "ask-stop" if len(view.seats) == 2 else "ask-stop-all"
    question = say(id, m=view.id, names=_everybody(view))
    return _form(server_ids.stop(view.id), say("form-stop", m=view.id), question, reason)


def unrate_form(view: MatchView, reason: str = "") -> Modal:
    names, outcome = make_names(view), view.outcome
    text = describe_outcome_within(view, names)
    winner = outcome.winner if outcome is not None and outcome.termination is Termination.COMPLETED else None
    if len(view.seats) == 2 and winner is not None:
        text = say("score-of", first=names[winner], second=names[1 - winner], score=format_score(view, winner))
    question = say("ask-unrate", m=view.id, result=text)
    return _form(server_ids.unrate(view.id), say("form-unrate", m=view.id), question, reason)


def decide_form(view: MatchView, winner: int, reason: str = "") -> Modal:
    """Return the form that decides a match; `winner` is a person, or 0 for a draw."""
    names = make_names(view)
    seat = next((seat.seat for seat in view.seats if seat.user == winner and winner), None)
    if seat is None:
        question = say("ask-decide-draw", m=view.id, names=_everybody(view))
    else:
        question = say("ask-decide", m=view.id, name=names[seat])
    return _form(server_ids.decide(view.id, winner), say("form-decide", m=view.id), question, reason)


def _everybody(view: MatchView) -> str:
    return make_names(view).join_names(range(len(view.seats)))


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
    24 * 60: "24 hours",
    7 * 24 * 60: "7 days",
    30 * 24 * 60: "30 days",
    365 * 24 * 60: "1 year",
    LIFT: "End the ban",
}
"""Minutes, with their words."""

Reason = app_commands.Range[str, 1, LONGEST_REASON]


@autocomplete
async def complete_live(context: InteractionContext, current: str) -> Rows:
    """Offer live matches of this server to a moderator."""
    if not context.origin.can_manage:
        return []
    referee, wanted = context.referee, current.strip().lstrip("#").upper()
    found = [id for id in await referee.finder.live_ids(context.guild) if wanted in id][:25]
    views = [view for view in [await referee.views.view(id) for id in found] if not view.private]
    return [(match_row(view, referee.clock.now()), view.id) for view in views]


async def _find_match(context: InteractionContext, code: str) -> Live:
    """Return the match that a moderator named."""
    guild = context.check_manager()
    live = await context.referee.finder.find_by_code(code)
    return await context.referee.moderating.load_match(guild, live.stored.id, context.user)


@subcommand(SETTINGS_GROUP, "stop", "Stop a live match; it will not count", match=MATCH, reason=REASON)
@app_commands.autocomplete(match=complete_live)
async def stop(context: InteractionContext, match: str, reason: Reason = "") -> None:
    live = await _find_match(context, match)
    check_live(live)
    await context.answer.ask(stop_form(await context.referee.views.view_live(live), reason))


@component(match_ids.more_button("stop"), on=MessageKind.QUESTION)
async def ask_stop(context: InteractionContext) -> None:
    """Ask for the reason to stop the match, from *More*."""
    id, _ = match_ids.read_button(context.id_parts)
    live = await context.referee.moderating.load_match(context.check_manager(), id, context.user)
    try:
        check_live(live)
    except RefereeError as refusal:  # the buttons of *More* have no use any more
        await context.answer.update(Message(describe_error(refusal)))
        return
    await context.answer.ask(stop_form(await context.referee.views.view_live(live)))


@subcommand(SETTINGS_GROUP, "unrate", "Take a finished match out of the ratings", match=MATCH, reason=REASON)
async def unrate(context: InteractionContext, match: str, reason: Reason = "") -> None:
    live = await _find_match(context, match)
    check_rated(live)
    await context.answer.ask(unrate_form(await context.referee.views.view_live(live), reason))


@subcommand(
    SETTINGS_GROUP,
    "decide",
    "Decide a stuck live match",
    match=MATCH,
    reason=REASON,
    winner="Who wins (default: a draw)",
)
@app_commands.autocomplete(match=complete_live)
async def decide(
    context: InteractionContext, match: str, winner: UserOption | None = None, reason: Reason = ""
) -> None:
    live = await _find_match(context, match)
    check_live(live)
    if winner is not None and live.stored.seat_of(winner.id) is None:
        raise RefereeError("winner-not-in", name=winner.name, m=live.stored.id)
    user = 0 if winner is None else winner.id
    check_winner(live, user)
    await context.answer.ask(decide_form(await context.referee.views.view_live(live), user, reason))


DONE = {"stop": "stopped", "unrate": "unrated", "decide": "decided"}
"""by the word in the id: what became of the match"""


@component(server_ids.MODERATE, on=MessageKind.FORM)
async def rule_match(context: InteractionContext) -> None:
    """Do what the form asks for, and tell the players and the log channel."""
    guild = context.check_manager()
    context.answer.will_send()
    what, id, winner = server_ids.read_moderate(context.id_parts)
    reason, by = context.field_text(server_ids.REASON_FIELD), person_of(context.author)
    moderating = context.referee.moderating
    if what == "stop":
        view = await moderating.stop(guild, id, by, reason)
    elif what == "unrate":
        view = await moderating.unrate(guild, id, by, reason)
    else:
        view = await moderating.decide(guild, id, by, winner, reason)
    data = {"m": id, "result": _decision(view) if what == "decide" else "", "reason": _reason(view.reason)}
    await context.answer.send(Message(say("admin-done", m=id, what=say(f"what-{DONE[what]}"))))
    told = pings.render_ruling(view, say(f"told-{DONE[what]}", **data))
    logged = say(f"log-{what}", name=format_name(context.author.name), **data)
    await context.services.publisher.tell_ruling(view, told, logged)


def _decision(view: MatchView) -> str:
    """Return who wins by the decision, in a sentence that names the moderator as its cause."""
    assert view.outcome is not None
    seat = view.outcome.winner
    return say("over-drawn") if seat is None else say("ruled", name=make_names(view)[seat])


def _reason(reason: str) -> str:
    return quote(reason.rstrip("."), LONGEST_REASON)


@subcommand(
    SETTINGS_GROUP,
    "ban",
    "Stop a person from playing GOPS here",
    player="Who to ban",
    time="For how long",
    reason="Shown to them",
)
@app_commands.choices(time=make_choices(LENGTHS))
async def ban(context: InteractionContext, player: UserOption, time: int, reason: Reason = "") -> None:
    context.check_manager()
    if player.bot:
        raise RefereeError("bot", name=player.name)
    moderating, place = context.referee.moderating, place_of(context)
    by, who = person_of(context.author), person_of(player)
    names = {"name": format_name(context.author.name), "who": format_name(player.name)}
    if time == LIFT:
        await moderating.unban(place, by, who)
        await context.answer.send(Message(say("unban-done", name=format_name(player.name))))
        await context.services.publisher.tell_server(context.guild, [say("log-unban", **names)])
        return
    made = await moderating.ban(place, by, who, timedelta(minutes=time), reason)
    bare, why = "" if made.reason else "-bare", _reason(made.reason)
    name = format_name(player.name)
    await context.answer.send(Message(say(f"ban-done{bare}", name=name, span=LENGTHS[time], reason=why)))
    logged = say(f"log-ban{bare}", **names, t=format_time(made.until), reason=why)
    await context.services.publisher.tell_server(context.guild, [logged])
