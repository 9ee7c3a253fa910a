"""The private console of a seat: what happened, what is asked of the player, and a key for each card.

It has two texts and at most four control buttons, because 25 keys leave no more room.
"""

from __future__ import annotations

from dataclasses import replace

from bot.engine.cards import Seat
from bot.engine.choices import Kind
from bot.engine.events import BidsRevealed, Event, HandsSwitched, PickMade
from bot.referee.model.daily import last_moment, number_of
from bot.referee.model.durations import FEW_CARDS, SLOW
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import learning_ids as learning
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, MAX_COMPONENTS, Button, Message, Row, Text, join_lines, make_row, make_rows
from bot.ui.screens.keys import Keys, hand_buttons, key_buttons, look_button, make_keys, stack_rows, takes_prizes
from bot.ui.screens.result import (
    ending_text,
    is_stopped_practice,
    rematch_buttons,
    render_result,
)
from bot.ui.story import lines
from bot.ui.story.colours import (
    choose_live_colour,
    choose_result_colour,
    decided_line,
    find_match_point,
    match_point_line,
)
from bot.ui.story.events import pause_lines
from bot.ui.story.latest import latest_story
from bot.ui.story.lines import make_faces, say_with_deadline
from bot.ui.story.reveal import RoundTeller, make_round_teller
from bot.ui.text.catalogue.numbers import ordinal_word
from bot.ui.text.faces import Faces
from bot.ui.text.names import HOUSE, Names, join_words
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time
from bot.ui.text.terms import tie_words

FRAME = 1 + 2 + 5
"""Components of a console besides its keys: the container, two texts, a row of four control buttons."""


def render_console(
    view: MatchView,
    *,
    two_step: bool = False,
    mask: int = 0,
    banner: str = "",
    ephemeral: bool = False,
    link: str = "",
    behind: bool = False,
    practice: bool = False,
) -> Message:
    """Return the console of `view.seat`. `banner` is a finished sentence. With a `link` to the board it is for a DM."""
    assert view.seat is not None, "a console is made for a seat"
    you, practice = view.seat, practice or view.private
    teller = make_round_teller(view, make_faces(view), you)
    names, faces = teller.names, teller.faces
    if view.over:
        return _render_end(view, teller, _over_heading(view, names, you, link), banner, link)
    against = lines.players_for_title(view, names, you)
    title = say("console-title", names=against, where=lines.describe_position(view))
    keys = make_keys(view, faces, two_step, mask)
    if not banner and not keys.sealed_keys:
        banner = missed_text(view, faces) or (say("switched") if has_switched_hands(view) else "")
        if you in teller.missed:
            teller = replace(teller, missed=teller.missed - {you})  # the banner says it
    points = find_match_point(view)
    edited = not (ephemeral and view.setup.clock >= SLOW)  # no token is left when such a clock runs out
    state = status_line(view, names, faces, keys, edited)
    framed = say("banner", text=banner) if banner and not banner.startswith(say("random-card")) else banner
    first = join_lines(
        title,
        latest_story(view, teller) or first_round_hint(keys),
        lines.substitute_line(view, names) if view.lapsed else "",
        lines.stake_line(view, faces),
        lines.goal_line(view),
        match_point_line(points, names, you) or decided_line(view, names, you),
    )
    second = join_lines(
        framed,
        state,
        score_lines(view, names, you, practice),
        pause_lines(view, names, you) if view.paused else "",
        console_small_print(view, names, faces.without_pictures, you),
        lines.house_style_line(view, names) if view.plays else "",
        lines.small_print(say("hint-early")) if view.coached and not view.can_hint else "",
        say("behind") if behind else "",
        say("daily-console", n=number_of(view.day), t=format_time(last_moment(view.day))) if view.day else "",
        lines.small_print(lines.code_text(view, link)),
    )
    body = (
        Text(first),
        Text(second),
        *key_rows(view, keys, faces),
        *([coach_row(view, keys)] if view.coached else []),
        control_row(view, keys, faces),
    )
    essence = join_lines(title, framed, state)
    return Message(body=body, accent=choose_live_colour(view, points), essence=essence)


def first_round_hint(keys: Keys) -> str:
    """Return what to do, until something has happened that can be told."""
    if keys.kind is Kind.PICK:
        return say("first-round-pick")
    return say("first-round-choose", k=keys.size) if keys.stepwise else say("first-round-console")


def _render_end(view: MatchView, teller: RoundTeller, title: str, banner: str, link: str) -> Message:
    """Return the console of a match that is over: its result, or why it does not count."""
    counts = view.outcome is not None and view.outcome.termination.counts
    if counts or view.private or is_stopped_practice(view):
        return render_result(view, banner=banner, reviewable=view.reviewable, link=link)
    said = ending_text(view)
    last = latest_story(view, teller)
    text = join_lines(title, said, say("banner", text=banner) if banner else "", last)
    row = Row((*rematch_buttons(view), look_button(view, "sheet")))
    return Message(body=(Text(text), row), accent=choose_result_colour(view), essence=join_lines(title, said))


def _over_heading(view: MatchView, names: Names, you: Seat, link: str) -> str:
    data = {"m": view.id, "names": lines.name_players(view, names, you), "where": say("where-over")}
    return (
        say("console-over-dm", link=link, channel=f"<#{view.channel}>", **data) if link else say("console-over", **data)
    )


def missed_text(view: MatchView, faces: Faces) -> str:
    """Return the line for a missed bid in the last round: what the referee bid, and how many misses are left."""
    own, last = view.own, view.last
    if own is None or not own.misses or last is None:
        return ""
    forced = [_forced_text(event, view, own.seat, faces) for event in last.events]
    told = next(filter(None, forced), "")
    return f"{told} {say('missed-more', n=own.misses_left)}" if told and own.misses_left else told


def _forced_text(event: Event, view: MatchView, seat: Seat, faces: Faces) -> str:
    number = len(view.seen.rounds)
    if isinstance(event, PickMade) and event.forced and event.seat == seat:
        return say("missed-pick", prize=faces.prize(event.prize), r=number)
    bid = event.bids[seat] if isinstance(event, BidsRevealed) and seat in event.forced else None
    return "" if bid is None else say("missed-bid", card=faces.plain_bid(bid), r=number, round=view.rules.round_word)


def has_switched_hands(view: MatchView) -> bool:
    """Return True if the hands were just exchanged."""
    last = view.last
    return last is not None and any(isinstance(event, HandsSwitched) for event in last.events)


# --- the status line -----------------------------------------------------------------------------------------


def status_line(view: MatchView, names: Names, faces: Faces, keys: Keys, edited: bool) -> str:
    """Return what this seat is asked, has sealed, or waits for. `edited`: it is edited when the time is over."""
    own = view.own
    assert own is not None
    if own.left:
        return say("forfeited-many" if own.left == "timed-out" else "seat-left", m=view.id)
    if lines.is_picking(view):
        return _pick_status(view, names, faces, keys, edited)
    if keys.kind is None:
        return _idle_status(view, names)
    if keys.sealed_keys:
        return _sealed_status(view, names, faces, keys, edited)
    if keys.chosen:
        return say_with_deadline("choosing-many", view, edited=edited, free="", cards=_chosen_cards(faces, keys))
    id = "open-many" if keys.size > 1 else "open-two" if keys.stepwise else "open"
    others = _find_others_in(view)
    if not others:
        return say_with_deadline(id, view, edited=edited, k=keys.size)
    text, name = say(id, k=keys.size), names[others[0]]
    return say_with_deadline("others-bid", view, edited=edited, text=text, n=len(others), name=name)


def _find_others_in(view: MatchView) -> list[Seat]:
    """Return the seats of the other people who bid, once each of them has. It stays true until the reveal."""
    asked = [seat for seat in view.seats if seat.asked and not seat.left and seat.user != HOUSE]
    others = [seat for seat in asked if seat.seat != view.seat]
    return [seat.seat for seat in others] if all(seat.sealed for seat in others) else []


def _sealed_status(view: MatchView, names: Names, faces: Faces, keys: Keys, edited: bool) -> str:
    assert view.seat is not None
    several = len(keys.sealed_keys) > 1
    data = {"card": faces.bid_sum(keys.sealed_keys) if several else faces.own_card(view.seat, keys.sealed_keys[0])}
    others = lines.awaited_first([seat for seat in view.awaited if seat.seat != view.seat])
    if keys.chosen and keys.chosen != keys.sealed_keys:
        id, data["cards"] = "sealed-choosing", _chosen_cards(faces, keys)
    elif others and all(seat.user == HOUSE for seat in others):
        thinking = join_words([names.short[seat.seat] for seat in others])
        return say("sealed-thinking", n=len(others), names=thinking, **data)
    else:
        begins = not view.seen.rounds  # later everybody knows that a bid can be changed
        id = ("sealed-now" if begins else "sealed-wait") if others else "sealed-all" if begins else "sealed-in"
        data["names"] = _name_awaited([seat.seat for seat in others], names)
    return say_with_deadline(id, view, edited=edited, free="", **data)


def _name_awaited(seats: list[Seat], names: Names) -> str:
    """Return who is awaited. Several have no names here, as a console is not edited when one of them seals."""
    return names[seats[0]] if len(seats) == 1 else say("the-others")


def _chosen_cards(faces: Faces, keys: Keys) -> str:
    return faces.label(keys.chosen[0]) if len(keys.chosen) == 1 else faces.bid_sum(keys.chosen)


def _pick_status(view: MatchView, names: Names, faces: Faces, keys: Keys, edited: bool) -> str:
    turns, you = view.seen.turns, view.seat
    if keys.sealed_keys:
        return say("pick-sealed", card=faces.prize(keys.sealed_keys[0]))
    if turns[0] == you:
        return say_with_deadline("your-pick", view, edited=edited)
    name = names[turns[0]]
    if you not in turns:
        return say("pick-none", name=name)
    place = turns.index(you)
    return say("pick-next", name=name) if place == 1 else say("pick-later", name=name, ordinal=ordinal_word(place + 1))


def _idle_status(view: MatchView, names: Names) -> str:
    assert view.seat is not None
    if lines.is_out_of_cards(view, view.seat):
        return say("nothing-to-do-out")
    awaited = [seat.seat for seat in lines.awaited_first(view.awaited)]
    if not view.seen.sub_round:
        return say("nothing-to-do-wait", names=_name_awaited(awaited, names))
    return say("nothing-to-do", n=len(awaited), names=names.join_names(awaited))


# --- the rest ------------------------------------------------------------------------------------------------


def score_lines(view: MatchView, names: Names, you: Seat, practice: bool) -> str:
    """Return the scores, for example "Score: You 21 · Ben 17". Practice has no board, so it shows the line of one."""
    if practice:
        return lines.seat_lines(view, names, you)
    others = [lines.seat_score(view, seat, names[seat.seat]) for seat in view.seats if seat.seat != you]
    own = lines.seat_score(view, view.seats[you], say("you"))
    return say("score", text=" · ".join([own, *others]))


def console_small_print(view: MatchView, names: Names, faces: Faces, you: Seat) -> str:
    """Return the tie rule where it is told, the opponent's hand in a match of two, and the prizes to come."""
    seen = view.seen
    parts = [tie_words(view.rules) if lines.tells_ties(view) else "", lines.equal_ranks_line(view, faces)]
    by_rank = set(map(type, seen.keys)) <= {int}
    for seat, hand in enumerate(seen.hands):
        if seat != you and hand and len(view.seats) == 2:
            parts.append(say("holds", name=names[seat], cards=faces.ranks(hand) if by_rank else faces.cards(hand)))
    for seat, aside in enumerate(seen.aside):
        if aside:
            text = faces.cards(aside)
            parts.append(say("you-aside", cards=text) if seat == you else say("aside", name=names[seat], cards=text))
    return lines.small_print(*parts, lines.to_come_line(view, faces, "console-to-come"))


def key_rows(view: MatchView, keys: Keys, faces: Faces) -> list[Row]:
    """Return the keys. Those of prizes stand below those of the hand."""
    own = make_rows(key_buttons(view, keys, faces))
    if not takes_prizes(view):
        return own
    return stack_rows(make_rows(hand_buttons(view, faces, view.seen.keys, match_ids.card)), own, MAX_COMPONENTS - FRAME)


def coach_row(view: MatchView, keys: Keys) -> Row:
    """Return the coach's buttons of practice: a hint, and the verdict on the last round."""
    asked = keys.kind is not None and len(keys.cards) > 1
    played = bool(view.seen.rounds or view.finished)
    shorter = Button(say("shorter", n=FEW_CARDS), match_ids.more(view.id, "short"))
    return make_row(
        Button(say("hint"), learning.hint(view.id, view.prompt, "hint"), enabled=asked and view.can_hint),
        Button(say("what-was-that"), learning.hint(view.id, view.prompt, "past"), enabled=played),
        *([shorter] if not played and _can_be_shorter(view) else []),
    )


def _can_be_shorter(view: MatchView) -> bool:
    """Return True for private practice by the default rules of a game that can have fewer cards."""
    rules = view.rules
    is_usual = view.private and view.day is None and rules == rules.game.rules(rules.seats)
    return is_usual and view.mine is None and rules.options.get("cards", 0) > FEW_CARDS


def control_row(view: MatchView, keys: Keys, faces: Faces) -> Row:
    """Return the control buttons. Where a bid has several cards, *Seal* and *Clear* come first."""
    looked = ("sheet", "rules", "more") if len(view.seats) == 2 else ("cards", "sheet", "rules", "more")
    looks = [look_button(view, what) for what in looked]
    if not keys.stepwise:
        return Row(tuple(looks))
    mask = match_ids.make_mask(keys.chosen, keys.cards)
    text = faces.label(keys.chosen[0]) if len(keys.chosen) == 1 else faces.bid_total(keys.chosen)
    label = say("seal-cards", cards=text) if keys.chosen else say("seal")
    seal = Button(label, match_ids.seal(view.id, view.prompt, mask), BLUE, len(keys.chosen) == keys.size)
    clear = Button(say("clear"), match_ids.clear(view.id, view.prompt), enabled=bool(keys.chosen))
    return make_row(seal, clear, looks[0], looks[-1])
