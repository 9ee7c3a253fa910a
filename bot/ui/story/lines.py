"""Lines that boards, consoles and pings share."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import JOKER, Points, Seat, format_points
from bot.engine.counted import ordinal
from bot.engine.view import Observation
from bot.referee.model.views import DealView, MatchView, SeatView
from bot.ui.text.faces import Faces
from bot.ui.text.names import HOUSE, MANY, Names, join_words
from bot.ui.text.sentences import capitalize, say
from bot.ui.text.stamps import format_moment, format_relative
from bot.ui.text.style import Style, find_style

OPENING_DIGITS = 16
"""shown digits of an opening, and of the digest of a record"""


def make_faces(view: MatchView, style: Style | None = None) -> Faces:
    """Return the faces of this match in the style that the viewer chose, or in `style`."""
    return Faces(view.rules, find_style(view.cards) if style is None else style, view.seen.rounds, view.deal)


def has_prizes(view: MatchView) -> bool:
    """Return True if this game auctions prizes."""
    seen = view.seen
    return bool(seen.exposed or seen.pot or seen.stock_left or any(played.prizes for played in seen.rounds))


def is_picking(view: MatchView) -> bool:
    return bool(view.seen.turns) and not view.over


def small_print(*parts: str) -> str:
    """Return a line of small print, or an empty string if there is nothing to say."""
    text = capitalize(" · ".join([part for part in parts if part]))
    return say("small", text=text) if text else ""


def code_text(view: MatchView, link: str = "") -> str:
    """Return the code of the match; with a `link` it leads to the board."""
    return say("code-linked", m=view.id, link=link, channel=f"<#{view.channel}>") if link else say("code", m=view.id)


def say_with_deadline(
    id: str, view: MatchView, *, edited: bool = True, how: str = "", free: str = "no-hurry", **data: object
) -> str:
    """Return a sentence and its deadline, or without a clock the sentence `free`, if any.

    `how` is the sentence of the deadline; by default it says what closes then, bids or picks.
    `edited`: the message is edited soon after the deadline, so the time may count down until then. Otherwise the time
    is a fixed one. A daily deal has no clock, but an end, which stands elsewhere.
    """
    text = say(id, **data)
    if view.deadline is None:
        return say(free, text=text) if free and view.day is None else text
    if edited:
        at = say("closes-now") if view.out_of_time else format_relative(view.deadline)
    else:
        at = format_deadline(view)
    return say(how or ("picks-close" if is_picking(view) else "bids-close"), text=text, t=at)


def format_deadline(view: MatchView) -> str:
    """Return the deadline of the bids as a time that does not count down."""
    return format_moment(view.deadline or view.opened, view.opened)


# --- position ------------------------------------------------------------------------------------------------


def describe_position(view: MatchView) -> str:
    """Return where the match stands, for example "deal 2 · round 4 of 13 · 2nd bid"."""
    parts: list[str] = []
    if view.series.mode == "deals":
        parts.append(say("where-deal-of", n=view.deal, most=view.series.number))
    elif view.series.mode != "single":
        parts.append(say("where-deal", n=view.deal))
    if view.series.mode == "best-of" and view.deal > view.series.number:
        parts.append(say("where-extra"))  # RULING F2
    round = "where-round-of" if view.rounds_total else f"where-{view.rules.round_word}"
    parts.append(say(round, n=view.round, most=view.rounds_total))
    if view.seen.sub_round:
        parts.append(say("where-again", ordinal=ordinal(view.seen.sub_round + 1)))
    return " · ".join(parts)


def players_for_title(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the names for the title of a board or console of two players. With more, return their number: the line of
    scores below has the names."""
    return name_players(view, names, you) if len(view.seats) == 2 else _count_players(view, you)


def name_players(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return all names, without that of the reader (`you`), or only their number if there are many seats."""
    seats = [seat.seat for seat in view.seats if seat.seat != you]
    return names.join_names(seats) if len(view.seats) < MANY else _count_players(view, you)


def _count_players(view: MatchView, you: Seat | None) -> str:
    return say("seats", n=len(view.seats)) if you is None else say("others", n=len(view.seats) - 1)


# --- a series ----------------------------------------------------------------------------------------------


def deal_scores(deal: DealView, names: Names) -> str:
    """Return the scores of a finished deal; the winner's is bold."""
    scores = [score_with_tally(points, deal.tallies, seat) for seat, points in enumerate(deal.scores)]
    parts = [say("deal-score", name=names[seat], score=score) for seat, score in enumerate(scores)]
    return ", ".join(f"**{text}**" if seat == deal.winner else text for seat, text in enumerate(parts))


def score_with_tally(points: Points, tallies: Sequence[str], seat: Seat) -> str:
    """Return a score, with its tally if the game has tallies: "0 (total 26 is in the middle)"."""
    score = format_points(points)
    return say("with-note", text=score, tally=tallies[seat]) if tallies and tallies[seat] else score


def is_by_wins(view: MatchView) -> bool:
    """Return True if the series counts won deals, False if it adds up points."""
    return view.series.counts_deals(view.rules.by_wins)


def finished_points(view: MatchView) -> list[Points]:
    """Return each seat's points in the deals before the shown one; once the match is over, in all deals."""
    if view.over:
        return [seat.total for seat in view.seats]
    return [sum(deal.scores[seat.seat] for deal in view.finished) for seat in view.seats]


def describe_series(view: MatchView) -> str:
    """Return the series in words, for example "best of 3" or "3 deals, points added up"."""
    if view.series.mode == "deals" and view.rules.by_wins:
        return say("series-deals-won", n=view.series.number)
    return str(view.series)


def substitute_line(view: MatchView, names: Names) -> str:
    """Return a line for each house player that was too slow: another level bid for it."""
    return "\n".join(say("house-slow", name=names.short[seat], round=view.rules.round_word) for seat in view.lapsed)


def house_style_line(view: MatchView, names: Names) -> str:
    """Return a line for each house player that tells how it plays."""
    styles = dict.fromkeys(say(f"plays-{how}", name=names.short[seat]) for seat, how in view.plays)
    return "\n".join(map(small_print, styles))


def tells_ties(view: MatchView) -> bool:
    """Return True where the tie rule is shown: in the first round, and while a tie is open."""
    seen = view.seen
    return not seen.rounds or bool(seen.sub_round or seen.pot)


def group_digits(digits: str, most: int = OPENING_DIGITS) -> str:
    """Return the first digits in groups of four, for example "9c1f 2e7a"."""
    shown = digits[:most]
    return " ".join(shown[start : start + 4] for start in range(0, len(shown), 4))


# --- what is at stake ----------------------------------------------------------------------------------------


def stake_line(view: MatchView, faces: Faces) -> str:
    """Return the line of the prize that is up, or of the cards that lie on the table in a game without prizes."""
    seen = view.seen
    if view.over:
        return ""
    if not has_prizes(view):
        cards = [faces.card(card) for card in seen.table if card is not None]
        return say("on-table", cards=" ".join(cards)) if cards else ""
    if not seen.exposed:  # bids come before the prize is turned
        hidden = say("prize-blind-pot", pot=faces.prizes(seen.pot)) if seen.pot else say("prize-blind")
        return f"{hidden}\n{say('blind')}"
    if is_picking(view) or (len(seen.exposed) > 1 and JOKER not in seen.exposed):
        return say("prizes", prizes=" · ".join(faces.prizes_on_view(faces.sort_coming(seen.exposed))))
    return _single_prize_line(view, faces)


def prize_name(view: MatchView, faces: Faces) -> str:
    """Return the prize for the line of a push notification, for example "♦Q (12)"; empty if no prize lies open."""
    seen = view.seen
    if not seen.exposed:
        return ""
    text = faces.prizes(seen.exposed)
    if seen.worth is None or faces.is_signed or len(seen.exposed) > 1:
        return text
    return say("with-note", text=text, tally=format_points(seen.worth))


def _single_prize_line(view: MatchView, faces: Faces) -> str:
    """Return the line of one prize, or of the pair that a Joker makes, with its worth and its pot."""
    seen, cards = view.seen, view.seen.exposed
    if JOKER in cards and len(cards) == 2:
        prize = say("pair", first=faces.prize(cards[0]), second=faces.prize(cards[1]))
    else:
        prize = faces.prizes_with_suit(cards)
    end = "-pot" if seen.pot else ""
    worth = "" if seen.worth is None else say("worth", n=seen.worth, points=format_points(seen.worth))
    if faces.is_signed:
        end += "-low" if seen.pot and seen.worth is not None and seen.worth < 0 else ""
        return say(f"prize-signed{end}", prize=prize, pot=faces.prize_list(seen.pot), worth=worth)
    return say(f"prize{end}{'' if worth else '-bare'}", prize=prize, pot=faces.prizes(seen.pot), worth=worth)


def goal_line(view: MatchView) -> str:
    """Return the line that tells the goal if scores alone do not; a player's own pile counts. A second line tells what
    cards are worth: in the first round of a deal and, where bids score themselves, in each one."""
    goal = view.rules.goal(view.seen.won[view.seat] if view.seat is not None and view.seen.won else ())
    if not goal or view.over:
        return ""
    values = "" if view.seen.rounds and view.rules.sale is not None else view.rules.card_values
    told = say("goal", goal=goal)
    return f"{told}\n{say('values', values=values)}" if values else told


# --- awaited seats --------------------------------------------------------------------------------------------


def equal_ranks_line(view: MatchView, faces: Faces) -> str:
    """Return which suit beats which this round; empty if suits do not decide."""
    order = faces.suit_order(view.seen.exposed)
    return say("equal-ranks", order=order) if order else ""


def waiting_line(view: MatchView, names: Names) -> str:
    """Return the line that tells for which seats the match waits, and until when."""
    awaited, edited = [seat.seat for seat in awaited_first(view.awaited)], not view.outside
    if view.over:
        return ""
    if not awaited:
        return say("waiting-none")
    if is_picking(view):
        first, *turns = dict.fromkeys(view.seen.turns)
        id, name = "picks-then" if turns else "picks", names.bold_name(first)
        return say_with_deadline(id, view, edited=edited, name=name, names=names.join_names(turns))
    if view.seats[awaited[0]].user == HOUSE:
        return say("thinking", n=len(awaited), names=join_words([names.short[seat] for seat in awaited]))
    asked = sum(seat.asked and not seat.left and seat.user != HOUSE for seat in view.seats)
    if len(awaited) == len(view.seats) > 1:
        id, listing = "waiting-both" if len(awaited) == 2 else "waiting-all", _count_players(view, None)
    elif len(view.seats) >= MANY and len(awaited) > 1:
        id, listing = "waiting-of", ", ".join(names[seat] for seat in awaited)
    else:
        id = "waiting-only" if len(awaited) == 1 and asked > 2 else "waiting"
        listing = join_words([names.bold_name(seat) for seat in awaited])
    return say_with_deadline(id, view, edited=edited, names=listing, n=len(awaited), most=asked)


def awaited_first(awaited: Sequence[SeatView]) -> Sequence[SeatView]:
    """Return the people among the seats that are awaited; the house players if they alone are."""
    return [seat for seat in awaited if seat.user != HOUSE] or awaited


def find_leader(view: MatchView) -> Seat | None:
    """Return the only seat with the best score of this deal. A seat that has left does not count."""
    scores = {seat.seat: view.seen.scores[seat.seat] for seat in view.seats if not seat.left}
    best = (min if view.rules.least_wins else max)(scores.values(), default=0)
    first = [seat for seat, score in scores.items() if score == best]
    return first[0] if len(first) == 1 else None


def seat_lines(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the scores of all seats, for example "Score: **Ana 21**, ✔ has bid · Ben 17"; the leader is bold. They
    have a line each if there are many, or if a seat has more to say. `you` is the reader of a console."""
    leader = find_leader(view)
    told = [_seat_line(view, seat, names, you, leader) for seat in view.seats]
    notes = [_seat_notes(view, seat) for seat in view.seats]
    is_long = len(told) >= MANY or any(notes) or bool(view.seen.tallies)
    seats = [" · ".join((score, *more)) for score, more in zip(told, notes, strict=True)]
    return say("scores", text="\n".join(seats)) if is_long else say("score", text=" · ".join(seats))


def _seat_line(view: MatchView, seat: SeatView, names: Names, you: Seat | None, leader: Seat | None) -> str:
    score = seat_score(view, seat, say("you") if seat.seat == you else names[seat.seat])
    if seat.seat == leader:
        score = f"**{score}**"
    return say("seat-sealed", text=score) if seat.sealed and not seat.left else score


def _seat_notes(view: MatchView, seat: SeatView) -> list[str]:
    """Return what the line of awaited players does not tell about a seat."""
    if seat.left:
        return [say("left-late" if seat.left == "timed-out" else "left")]
    notes: list[str] = []
    if seat.misses:
        most = seat.misses + seat.misses_left
        notes.append(say("missed" if seat.misses_left else "missed-bids", n=seat.misses, most=most))
    if not (seat.sealed or seat.asked or is_picking(view)):
        id = "no-card-again" if _has_left_trick(view.seen, seat.seat) else "not-bidding"
        notes.append(say("out" if is_out_of_cards(view, seat.seat) else id))
    return notes


def seat_score(view: MatchView, seat: SeatView, name: str) -> str:
    """Return a seat's score of this deal and, in a series, what it has from the deals before: its points or wins."""
    is_margin = view.rules.shows_margin
    if is_margin:
        score = format_lead([other.score for other in view.seats], seat.seat)
    else:
        score = score_with_tally(seat.score, view.seen.tallies, seat.seat)
    if view.series.mode == "single" or not view.finished:
        return say("seat", name=name, score=score)
    if is_by_wins(view):
        return say("seat-won", name=name, score=score, won=seat.wins)
    points = finished_points(view)
    before = format_lead(points, seat.seat) if is_margin else format_points(points[seat.seat])
    return say("seat-points", name=name, score=score, before=before)


def format_lead(scores: Sequence[Points], seat: Seat) -> str:
    """Return the lead of one of two seats, for example "+5" or "−5" (rules.md 2.1)."""
    margin = scores[seat] - scores[1 - seat]
    return f"+{format_points(margin)}" if margin > 0 else f"−{format_points(-margin)}" if margin < 0 else "±0"


def is_out_of_cards(view: MatchView, seat: Seat) -> bool:
    """Return True if a seat has no card in hand, set aside or on the table."""
    seen = view.seen
    has_card_on_table = bool(seen.table) and seen.table[seat] is not None
    return not seen.held[seat] and not seen.aside[seat] and not has_card_on_table


def _has_left_trick(seen: Observation, seat: Seat) -> bool:
    """Return True if a seat has tied and has no card left to bid again."""
    return bool(seen.aside[seat] and seen.table) and seen.table[seat] is None


def to_come_line(view: MatchView, faces: Faces, id: str = "to-come") -> str:
    """Return the line of the prizes that may still come, for example "still to come: A 2 4 5 6 8 10 K".

    `id` is the wording: to-come for a board, console-to-come or cards-to-come.
    """
    seen = view.seen
    if view.over or not has_prizes(view):
        return ""
    if not seen.stock_left:
        return say("to-come-none") if id == "to-come" else ""
    if seen.to_come is None:
        return say(f"{id}-count", n=seen.stock_left)
    if seen.in_order:
        return say(f"{id}-order", cards=" ".join(map(faces.card, seen.to_come)))
    return say_to_come(id, seen, view.rounds_total, faces.cards(faces.sort_coming(seen.to_come)))


def say_to_come(id: str, seen: Observation, rounds: int | None, cards: str) -> str:
    """Tell the prizes that may come. If hands run out before the prizes do, tell how many come at most.

    `rounds` is the number of rounds of the deal if it is fixed: then every prize comes.
    """
    if rounds is not None:
        return say(id, cards=cards)
    most, hands = len(seen.to_come or ()), zip(seen.held, seen.aside, strict=True)
    will = max((held + len(aside) for held, aside in hands), default=0) - bool(seen.exposed)
    return say(id, cards=cards) if will >= most else say(f"{id}-some", n=will, most=most, cards=cards)
