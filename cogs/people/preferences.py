"""A person's preferences (`/gops preferences`) and blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.commands import Rows, UserOption, autocomplete, command, user_menu
from bot.interactions.component import component
from bot.interactions.context import InteractionContext, stale_button
from bot.referee.clock.quiet_hours import list_zones, read_hours, read_zone
from bot.referee.match.pauses import BUDGET, LEAST, SPAN, PauseStatus
from bot.referee.match.reminders import read_reminders
from bot.referee.model.people import Player
from bot.rest.members import DiscordUser
from bot.ui.custom_ids import server_ids
from bot.ui.message import Button, Menu, MenuOption, Message, Node, Row, Text, join_lines, make_row
from bot.ui.screens.refusals import format_refusal
from bot.ui.text.names import clean_name, join_words
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about, format_span, format_time

CONSOLES = ("server", "dm", "channel", "auto")
CARDS = ("faces", "safe", "symbols", "letters")
MOST_OPTIONS = 25
ALL = "all"
DAY = 24 * 3600


def render_card(
    player: Player,
    blocked: Sequence[tuple[int, str]] = (),
    banner: str = "",
    *,
    learnt_from: bool = False,
    paused: PauseStatus | None = None,
) -> Message:
    """Return the card. `blocked` are ids and names; `banner` says what a press has changed; `learnt_from`: the house
    may learn from the person's matches; `paused` is the state of pauses."""
    title = say("preferences-title")
    body: list[Node] = [Text(f"{title}\n{banner}" if banner else title)]
    body += _choice("console", player.console, {key: f"console-{key}" for key in CONSOLES})
    for what, on in (("bids", player.bids), ("warnings", player.warnings), ("results", player.results)):
        body += _choice(what, "on" if on else "off", {"on": "on", "off": "off"})
    body += _choice("cards", player.cards, {key: f"cards-{key}" for key in CARDS})
    if blocked:
        options = tuple(MenuOption(clean_name(name) or str(user), str(user)) for user, name in blocked[:MOST_OPTIONS])
        body.append(make_row(Menu(server_ids.preference("unblock"), say("preferences-unblock"), options)))
    body.append(_toggles(player, learnt_from))
    body += _pause(paused or PauseStatus(None, BUDGET))
    quiet = say("preferences-quiet", what=quiet_words(player))
    body.append(Text(join_lines(quiet, say("preferences-reminders", what=reminder_words(player)))))
    return Message(body=tuple(body), essence=title)


def quiet_words(player: Player) -> str:
    """Return the quiet hours and their time zone in words."""
    if player.quiet_from == player.quiet_to:
        return say("quiet-zone", zone=player.zone) if player.zone else say("quiet-none")
    first, last = (f"{minute // 60}:{minute % 60:02}" for minute in (player.quiet_from, player.quiet_to))
    return say("quiet-hours", first=first, last=last, zone=player.zone)


def reminder_words(player: Player) -> str:
    """Return the times of warnings in words."""
    if not player.reminders:
        return say("reminders-usual")
    return say("reminders-own", list=join_words([format_span(60 * minutes) for minutes in player.reminders]))


def _pause(paused: PauseStatus) -> list[Node]:
    """Return the menu of days, or the button that ends the pause."""
    usual = {"a": format_span(BUDGET), "b": format_span(SPAN)}
    if paused.until is not None:
        told = say("preferences-paused-told" if paused.told else "preferences-paused", t=format_time(paused.until))
        return [Text(told), make_row(Button(say("pause-end"), server_ids.preference("resume")))]
    if paused.left < LEAST:
        return [Text(say("preferences-pause-spent", **usual))]
    whole = [day for day in range(1, BUDGET.days + 1) if timedelta(days=day) < paused.left]
    options = [MenuOption(format_span(day * DAY), str(day)) for day in whole]
    options.append(MenuOption(say("pause-all", span=format_about(paused.left)), ALL))
    told = say("preferences-pause", left=format_about(paused.left), **usual)
    return [Text(told), make_row(Menu(server_ids.preference("pause"), say("pause-choose"), tuple(options)))]


def _choice(what: str, value: str, ids: Mapping[str, str]) -> list[Node]:
    """Return a preference with its menu; `ids` name the sentence of each value."""
    title = say(f"preferences-{what}")
    options = tuple(MenuOption(say(id), key, "", key == value) for key, id in ids.items())
    return [Text(title), make_row(Menu(server_ids.preference(what), title.split("**")[1], options))]


def _toggles(player: Player, learnt_from: bool) -> Row:
    labels = {
        "two-step": say("two-step-on" if player.two_step else "two-step-off"),
        "reveals": say("reveals-on" if player.reveals else "reveals-off"),
        "challenges": say("challenges-on" if player.challenges else "challenges-off"),
        "habits": say("habits-on" if learnt_from else "habits-off"),
    }
    return make_row(*(Button(label, server_ids.preference(what)) for what, label in labels.items()))


CHOICES: Mapping[str, Mapping[str, Any]] = {
    "console": {key: key for key in CONSOLES},
    "cards": {key: key for key in CARDS},
    **{key: {"on": True, "off": False} for key in ("bids", "warnings", "results")},
}
"""The preferences that a menu sets, and the values of its options."""

USUAL_HOURS = ("off", "21-7", "22-7", "22-8", "23-7", "23-8", "0-8")

USUAL_RHYTHMS = ("usual", "8h 4h 1h", "12h 2h", "2h 30m", "1h", "24h 8h 1h")
LENGTHS = {ALL, *(str(day) for day in range(1, BUDGET.days + 1))}
"""Days of a pause."""

TOGGLES = {"two-step": "two_step", "reveals": "reveals", "challenges": "challenges"}


@autocomplete
async def complete_zone(_: InteractionContext, current: str) -> Rows:
    """Offer time zones by their city."""
    wanted = current.strip().lower().replace(" ", "_")
    known = await asyncio.to_thread(list_zones)
    found = [zone for zone in known if zone.lower().split("/")[-1].startswith(wanted)]
    found += [zone for zone in known if wanted in zone.lower() and zone not in found]
    return [(zone, zone) for zone in found]


@autocomplete
async def complete_quiet(_: InteractionContext, current: str) -> Rows:
    """Offer usual quiet hours; others can be typed."""
    return _rows(USUAL_HOURS, current)


@autocomplete
async def complete_warnings(_: InteractionContext, current: str) -> Rows:
    """Offer usual times of warnings for slow clocks; others can be typed."""
    return _rows(USUAL_RHYTHMS, current)


def _rows(texts: Iterable[str], current: str) -> Rows:
    wanted = current.strip().lower()
    return [(text, text) for text in texts if text.startswith(wanted)]


@command(
    "preferences",
    "Where you bid, reminders, quiet hours and cards",
    quiet="Hours without a sound, like 22-7 or 22:30-6:00; off for none",
    zone="Your time zone, for these hours",
    warnings="When I warn you on a slow clock, like 8h 4h 1h; usual for the default",
)
@app_commands.autocomplete(quiet=complete_quiet, zone=complete_zone, warnings=complete_warnings)
async def preferences(
    context: InteractionContext, quiet: str | None = None, zone: str | None = None, warnings: str | None = None
) -> None:
    saved = ""
    if warnings is not None:
        player = await context.referee.people.set_preferences(context.user, reminders=read_reminders(warnings))
        await context.referee.reminding.schedule_all(context.user)
        saved = _saved_words("reminders", what=reminder_words(player))
    if quiet is not None or zone is not None:
        fields: dict[str, Any] = {}
        if zone is not None:
            fields["zone"] = await asyncio.to_thread(read_zone, zone)
        if quiet is not None:
            fields["quiet_from"], fields["quiet_to"] = read_hours(quiet)
        known = await context.referee.people.load_player(context.user)
        if quiet is not None and fields["quiet_from"] != fields["quiet_to"] and not fields.get("zone", known.zone):
            raise RefereeError("zone-needed")
        quieter = say("saved", what=quiet_words(await context.referee.people.set_preferences(context.user, **fields)))
        saved = join_lines(saved, quieter)
    await context.answer.send(await _card(context, saved))


async def _card(context: InteractionContext, saved: str = "") -> Any:
    referee = context.referee
    player = await referee.people.load_player(context.user)
    known = await referee.people.load_blocks(context.user)
    blocked = [(user, await referee.people.find_name(context.origin.guild, user, name)) for user, name in known]
    learnt_from, paused = await referee.people.lets_learn(context.user), await referee.pausing.get_status(context.user)
    return render_card(player, blocked, saved, learnt_from=learnt_from, paused=paused)


async def _unblock(context: InteractionContext, _: str) -> str:
    people, user = context.referee.people, context.chosen_user
    known = dict(await people.load_blocks(context.user)).get(user, "")
    await people.block(context.user, user, on=False)
    return format_refusal("unblocked", name=await people.find_name(context.origin.guild, user, known))


async def _choose(context: InteractionContext, what: str) -> str:
    value = context.value_among(CHOICES[what])
    await context.referee.people.set_preferences(context.user, **{what: CHOICES[what][value]})
    return _saved_words(f"{what}-{value}")


async def _toggle(context: InteractionContext, what: str) -> str:
    people, field = context.referee.people, TOGGLES[what]
    on = not getattr(await people.load_player(context.user), field)
    await people.set_preferences(context.user, **{field: on})
    return _saved_words(f"{what}-{'on' if on else 'off'}")


async def _toggle_habits(context: InteractionContext, _: str) -> str:
    people = context.referee.people
    on = not await people.lets_learn(context.user)
    await people.let_learn(context.user, on)
    return _saved_words(f"habits-{'on' if on else 'off'}")


async def _begin_pause(context: InteractionContext, _: str) -> str:
    days = context.value_among(LENGTHS)
    until = await context.referee.pausing.begin(context.user, None if days == ALL else timedelta(days=int(days)))
    return _saved_words("pause", t=format_time(until))


async def _end_pause(context: InteractionContext, _: str) -> str:
    await context.referee.pausing.end(context.user)
    return _saved_words("pause-end")


def _saved_words(what: str, /, **data: object) -> str:
    return say("saved", what=say(f"kept-{what}", **data))


PreferenceChange = Callable[[InteractionContext, str], Awaitable[str]]
"""Change the preference that the word in an id names; return the sentence that confirms it."""

CHANGES: Mapping[str, PreferenceChange] = {
    **dict.fromkeys(CHOICES, _choose),
    **dict.fromkeys(TOGGLES, _toggle),
    "habits": _toggle_habits,
    "unblock": _unblock,
    "pause": _begin_pause,
    "resume": _end_pause,
}


@component(server_ids.PREFERENCE)
async def change_preference(context: InteractionContext) -> None:
    """Change one preference, and show the card as it is then."""
    what = server_ids.read_preference(context.id_parts)
    if what not in CHANGES:
        raise stale_button()
    saved = await CHANGES[what](context, what)
    await context.answer.update(await _card(context, saved))


@command("block", "Stop a player from challenging you; they won't be notified", player="Who to block")
async def block(context: InteractionContext, player: UserOption) -> None:
    await _block(context, player)


@user_menu("Block")
async def block_menu(context: InteractionContext, member: DiscordUser) -> None:
    """Block a person from the menu of that person."""
    await _block(context, member)


async def _block(context: InteractionContext, player: DiscordUser) -> None:
    if player.id == context.token.app:
        raise RefereeError("block-house")
    if player.bot:
        raise RefereeError("bot", name=player.name)
    referee = context.referee
    await referee.people.block(context.user, player.id, on=True, name=player.name)
    if context.origin.guild:  # the list of blocked people names them
        await referee.people.name_member(context.origin.guild, player.id, player.name)
    await context.answer.send(Message(format_refusal("blocked", name=player.name)))
