"""`/gops replay`: a finished match step by step."""

from __future__ import annotations

import discord

from bot.engine.cards import Seat
from bot.errors import RefereeError
from bot.interactions.commands import command, message_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared.board_button import board_component
from bot.interactions.shared.console_pages import turn_page, update_page
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live
from bot.referee.repository.replay_tape import TapeMoment
from bot.ui.custom_ids import records_ids
from bot.ui.message import Button, Menu, MenuOption, Message, Node, Row, Separator, Text, join_lines, make_row
from bot.ui.story import lines
from bot.ui.story.latest import reveal_lines
from bot.ui.story.lines import make_faces
from bot.ui.story.outcome import describe_outcome
from bot.ui.story.reveal import make_round_teller
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about
from cogs.records.record_files import read_attachment

MOST_DEALS = 25
"""The most deals in a menu."""


def render_replay(moment: TapeMoment, *, public: bool = False, reviewable: bool = False) -> Message:
    """Return the card; `public` is the copy for everyone, without buttons; `reviewable`: the coach can review the
    match."""
    view, names = moment.view, make_names(moment.view)
    faces = make_faces(view)
    title = heading(moment)
    body: list[Node] = [Text(join_lines(title, *_event_lines(moment, names, faces)))]
    body.append(Separator())
    if moment.last:
        body.append(Text(describe_outcome(view, names) or say("replay-unfinished")))
    elif not view.seen.over and (stake := join_lines(lines.stake_line(view, faces), _coming(moment, faces))):
        body.append(Text(stake))
    body.append(Text("\n".join(_seat(moment, seat, names, faces) for seat in range(len(names)))))
    if view.imported:
        body.append(Text(say("replay-imported")))
    if not public:
        body += _controls(moment, reviewable)
    return Message(body=tuple(body), essence=title)


def heading(moment: TapeMoment) -> str:
    view = moment.view
    if moment.last:
        return say("replay-end", m=view.id)
    if view.seen.over:
        return say("replay-end-of-deal", m=view.id, n=moment.deal + 1)
    return say("replay-title", m=view.id, where=lines.describe_position(view))


def _event_lines(moment: TapeMoment, names: Names, faces: Faces) -> list[str]:
    """Return the lines about the last reveal, the times of its bids, and the turning point."""
    view = moment.view
    told: list[str] = []
    if view.seen.rounds:
        told += reveal_lines(
            make_round_teller(view, faces), view.seen.rounds, view.rules.round_word, is_over=view.seen.over
        )
    else:
        told.append(say("sheet-empty-over" if moment.last else "replay-begins"))
    if moment.sealings:
        sealed: list[str] = []
        for sealing in moment.sealings:
            id = "replay-seal-changed" if sealing.changed else "replay-seal"
            data = {"n": sealing.changed, "name": names[sealing.seat], "span": format_about(sealing.took)}
            sealed.append(say(id, **data))
        told.append(say("replay-sealed", list=", ".join(sealed)))
    if moment.hidden:
        told.append(say("replay-hidden"))
    if moment.turning and moment.at:
        lead = moment.leads
        told.append(say("replay-swing") if lead is None else say("replay-turned", name=names[lead]))
    return told


def _coming(moment: TapeMoment, faces: Faces) -> str:
    text = lines.to_come_line(moment.view, faces.without_pictures)
    return say("small", text=text) if text else ""


def _seat(moment: TapeMoment, seat: Seat, names: Names, faces: Faces) -> str:
    """Example: "Ana 21 · leads · holds 2 5 K"."""
    view = moment.view
    one = view.seats[seat]
    score = lines.seat_score(view, one, names[seat])
    if seat == lines.find_leader(view):
        score = f"{score} · {say('leads')}"
    hand, known = moment.hands[seat], view.seen.hands[seat] is not None
    if not hand:
        return say("replay-holds-none", seat=score)
    return say("replay-holds" if known else "replay-known-now", seat=score, cards=faces.hand(seat, hand))


def _controls(moment: TapeMoment, reviewable: bool) -> list[Node]:
    match, at, last = moment.view.id, moment.at, moment.of - 1

    def button(label: str, to: int, what: str, enabled: bool = True) -> Button:
        return Button(say(label), records_ids.replay(match, max(to, 0), what), enabled=enabled)

    looks = [button("replay-turn", at, "turn", not moment.turning)]
    if reviewable:
        looks.append(button("replay-review", at, "review"))
    everyone = records_ids.replay(match, at, "all")
    looks.append(Button(say("show-everyone"), everyone, is_public=True))
    rows: list[Node] = [
        make_row(
            button("replay-first", 0, "first", at > 0),
            button("back", at - 1, "back", at > 0),
            button("next", min(at + 1, last), "next", at < last),
            button("replay-last", last, "last", at < last),
        ),
        Row(tuple(looks)),
    ]
    if len(moment.deals) > 1:
        shown = range(min(len(moment.deals), MOST_DEALS))
        options = tuple(MenuOption(say("deal-number", n=n + 1), str(n + 1), "", n == moment.deal) for n in shown)
        rows.append(make_row(Menu(records_ids.replay_deal(match), say("replay-deal"), options)))
    return rows


@command(
    "replay",
    "Step through a finished match",
    match="Match code, like K7Q2 (default: your last)",
    record="Or a record file",
)
async def replay(
    context: InteractionContext, match: str | None = None, record: discord.Attachment | None = None
) -> None:
    if record is None:
        live = await context.referee.finder.find_open(context.user, match, context.origin.guild)
    elif match is not None:
        raise RefereeError("either-match-or-record")
    else:
        kept = await context.services.desk.bring(context.user, await read_attachment(record))
        live = await context.referee.archive.add_import(context.user, kept)
    await send_replay(context, live)


@message_menu("Replay")
async def replay_menu(context: InteractionContext, match: str) -> None:
    """Replay the match of a message from the menu of that message."""
    await send_replay(context, await context.referee.finder.find_open(context.user, match, context.origin.guild))


@board_component("replay")
async def replay_match(context: InteractionContext, view: MatchView) -> Message:
    return await _card(context, await context.referee.archive.load(context.user, context.origin.guild, view.id), 0)


async def send_replay(context: InteractionContext, live: Live) -> None:
    """Send the first moment to this person only."""
    await context.answer.send(await _card(context, live, 0))


async def _card(context: InteractionContext, live: Live, at: int, public: bool = False) -> Message:
    views = context.referee.views
    tape = await views.tape(live)
    moment = tape.moment_at(at, await views.card_style(live.stored, 0 if public else context.user))
    reviewable = (await views.view_live(live)).reviewable
    return render_replay(moment, public=public, reviewable=reviewable)


@component(records_ids.REPLAY)
async def turn_replay(context: InteractionContext) -> None:
    """Show another moment, the turning point, or a copy to everyone."""
    id, at, what = records_ids.read_replay(context.id_parts)
    public = what == "all"
    if public:
        context.answer.will_send(private=False)
    live = await context.referee.archive.load(context.user, context.origin.guild, id)
    if public:
        context.referee.daily.check_shown((await context.referee.views.view_live(live)).day)
    elif what == "turn":
        at = (await context.referee.views.tape(live)).turning_point
    await turn_page(context, await _card(context, live, at, public), public=public)


@component(records_ids.REPLAY_DEAL)
async def choose_deal(context: InteractionContext) -> None:
    """Show the beginning of another deal."""
    live = await context.referee.archive.load(
        context.user, context.origin.guild, records_ids.read_replay_deal(context.id_parts)
    )
    if not context.value.isdecimal() or len(context.value) > 3:
        raise stale_button()
    tape = await context.referee.views.tape(live)
    await update_page(context, await _card(context, live, tape.first_of(int(context.value) - 1)))
