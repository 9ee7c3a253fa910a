"""The card with a person's preferences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.referee.match.pauses import BUDGET, LEAST, SPAN, PauseStatus
from bot.referee.model.people import Player
from bot.ui.custom_ids import server_ids
from bot.ui.message import Button, Menu, MenuOption, Message, Node, Row, Text, join_lines, make_row
from bot.ui.text.names import clean_name, join_words
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_about, format_span, format_time

CONSOLES = ("server", "dm", "channel", "auto")
CARDS = ("faces", "safe", "symbols", "letters")
MOST_OPTIONS = 25
ALL = "all"
DAY = 24 * 3600


def notify(
    player: Player,
    blocked: Sequence[tuple[int, str]] = (),
    banner: str = "",
    *,
    learnt_from: bool = False,
    paused: PauseStatus | None = None,
) -> Message:
    """Return the card. `blocked` are ids and names; `banner` says what a press has changed; `learnt_from`: the house
    may learn from the person's matches; `paused` is the state of pauses."""
    title = say("notify-title")
    body: list[Node] = [Text(f"{title}\n{banner}" if banner else title)]
    body += _choice("console", "notify-console", player.console, [(key, f"console-{key}") for key in CONSOLES])
    for what, on in (("bids", player.bids), ("warnings", player.warnings), ("results", player.results)):
        body += _choice(what, f"notify-{what}", "on" if on else "off", [("on", "on"), ("off", "off")])
    body += _choice("cards", "notify-cards", player.cards, [(key, f"cards-{key}") for key in CARDS])
    if blocked:
        options = tuple(MenuOption(clean_name(name) or str(user), str(user)) for user, name in blocked[:MOST_OPTIONS])
        body.append(make_row(Menu(server_ids.notify("unblock"), say("notify-unblock"), options)))
    body.append(_toggles(player, learnt_from))
    body += _pause(paused or PauseStatus(None, BUDGET))
    quiet = say("notify-quiet", what=quiet_words(player))
    body.append(Text(join_lines(quiet, say("notify-reminders", what=reminder_words(player)))))
    return Message(body=tuple(body), essence=title)


def quiet_words(player: Player) -> str:
    """Return the quiet hours and their time zone in words."""
    if player.quiet_from == player.quiet_to:
        return say("quiet-zone", zone=player.zone) if player.zone else say("quiet-none")
    first, last = (f"{minute // 60}:{minute % 60:02}" for minute in (player.quiet_from, player.quiet_to))
    return say("quiet-hours", first=first, last=last, zone=player.zone)


def reminder_words(player: Player) -> str:
    """Return the times of reminders in words."""
    if not player.reminders:
        return say("reminders-usual")
    return say("reminders-own", list=join_words([format_span(60 * minutes) for minutes in player.reminders]))


def _pause(paused: PauseStatus) -> list[Node]:
    """Return the menu of days, or the button that ends the pause."""
    usual = {"a": format_span(BUDGET), "b": format_span(SPAN)}
    if paused.until is not None:
        told = say("notify-paused-told" if paused.told else "notify-paused", t=format_time(paused.until))
        return [Text(told), make_row(Button(say("pause-end"), server_ids.notify("resume")))]
    if paused.left < LEAST:
        return [Text(say("notify-pause-spent", **usual))]
    whole = [day for day in range(1, BUDGET.days + 1) if timedelta(days=day) < paused.left]
    options = [MenuOption(format_span(day * DAY), str(day)) for day in whole]
    options.append(MenuOption(say("pause-all", span=format_about(paused.left)), ALL))
    told = say("notify-pause", left=format_about(paused.left), **usual)
    return [Text(told), make_row(Menu(server_ids.notify("pause"), say("pause-choose"), tuple(options)))]


def _choice(what: str, title: str, value: str, options: Sequence[tuple[str, str]]) -> list[Node]:
    menu = Menu(
        server_ids.notify(what),
        say(title).split("**")[1],
        tuple(MenuOption(say(id), key, "", key == value) for key, id in options),
    )
    return [Text(say(title)), make_row(menu)]


def _toggles(player: Player, learnt_from: bool) -> Row:
    two_step = say("two-step-on" if player.two_step else "two-step-off")
    challenges = say("challenges-on" if player.challenges else "challenges-off")
    habits = say("habits-on" if learnt_from else "habits-off")
    return make_row(
        Button(two_step, server_ids.notify("two-step")),
        Button(challenges, server_ids.notify("challenges")),
        Button(habits, server_ids.notify("habits")),
    )
