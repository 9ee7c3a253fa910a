"""The board of a match that is over, and lines of its result for other messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bot.engine.cards import Points, Seat, format_points
from bot.engine.events import PickMade, PrizesAwarded
from bot.engine.match import Termination
from bot.engine.state import Cards
from bot.referee.model.daily import last_moment
from bot.referee.model.model import DECIDED, HOUSE, IDLE, RatingChange
from bot.referee.model.views import DealView, MatchView
from bot.ui.custom_ids import learning_ids, match_ids
from bot.ui.message import BLUE, Attachment, Button, Message, Picture, Separator, Text, join_lines, make_row
from bot.ui.screens.cheers import choose_cheer
from bot.ui.screens.keys import look_button
from bot.ui.story import lines
from bot.ui.story.colours import choose_result_colour
from bot.ui.story.events import events_since_last_call, read_bids
from bot.ui.story.latest import latest_story, list_rounds
from bot.ui.story.lines import (
    deal_scores,
    format_lead,
    group_digits,
    is_by_wins,
    make_faces,
    round_word,
    score_with_tally,
)
from bot.ui.story.outcome import deciding_scores, describe_outcome
from bot.ui.story.reveal import make_round_teller
from bot.ui.text.catalogue.numbers import bids_in_a_row, ordinal, ordinal_word, percent
from bot.ui.text.faces import Faces
from bot.ui.text.names import MANY, Names, make_names, quote
from bot.ui.text.sentences import has_sentence, say, uncapitalize
from bot.ui.text.stamps import format_about, format_date, format_time
from bot.ui.text.style import find_style

CARD = "result.png"
PROVISIONAL = 8
"""Number of rated matches after which a rating is no longer provisional."""
EVEN = 0.1
"""Most difference from 50 % of a chance that is not told, because nobody was the favourite."""
MAX_DEALS = 7
"""Number of deals that get a line of their own."""
MAX_STORY = 1200
"""Most characters for the rounds of an abandoned match."""


class ResultPicture(NamedTuple):
    """The picture of a result."""

    png: bytes
    alt: str


def render_result(
    view: MatchView,
    *,
    banner: str = "",
    reviewable: bool = False,
    card: ResultPicture | None = None,
    shared: bool = False,
    bystander: bool = False,
) -> Message:
    """Return the result of a match. Stopped and abandoned matches say why they do not count.

    `card`: the picture, if there is one. `shared`: a copy without buttons, for people who may not see more.
    `bystander`: the reader did not play, so there is no rematch. `reviewable`: the review has an exact solution.
    """
    names, you = make_names(view), view.seat
    warned = say("banner", text=banner) if banner else ""
    nexts = () if bystander else next_buttons(view)
    if view.outcome is None or not view.outcome.termination.counts:
        title = say("result-title", m=view.id, result=describe_outcome(view, names))
        small = lines.small_print(seal_lines(view))
        told = [title, warned, *abandoned_rounds(view), end_reason(view), uncounted_line(view), small]
        row = make_row(look_button(view, "sheet"), *nexts)
        return Message(body=(Text(join_lines(*told)), *(() if shared else (Separator(), row))), essence=title)
    is_own_practice = view.private and not shared
    title = _result_title(view, describe_outcome(view, names, you), shared=shared)
    cheered = choose_cheer(view, names, you)
    text = join_lines(
        title,
        warned,
        latest_story(view, make_round_teller(view, make_faces(view), you)) if is_own_practice else "",
        join_on_line(biggest_round_line(view, names, you), cheered.text),
        *placing_lines(view, names),
        provisional_line(view),
        unrated_line(view),
        late_line(view),
        say("ruling", reason=_quote_reason(view)) if view.reason else "",
        hints_line(view, names),
        *deal_lines(view, names),
        "" if cheered.tells_chance else chance_line(view, names),
        lesson_line(view, you) if is_own_practice else "",
        result_small_print(view),
    )
    looks = ("replay", "review", "more") if reviewable else ("replay", "more")
    row = make_row(*nexts, *(look_button(view, what) for what in looks))
    return Message(
        body=(Text(text), *((Picture(CARD, card.alt),) if card else ()), *(() if shared else (Separator(), row))),
        attachments=(Attachment(CARD, card.png, spare=True),) if card else (),
        accent=choose_result_colour(view),
        essence=join_lines(title, *placing_lines(view, names)),
    )


def hints_line(view: MatchView, names: Names) -> str:
    """Return the line that counts the rounds with a hint. It names no player in practice of one."""
    person = next((seat.seat for seat in view.seats if seat.user != HOUSE), None)
    return say("hinted", n=view.hints, name=names[person]) if view.hints and person is not None else ""


def decision_lines(view: MatchView, names: Names, you: Seat) -> str:
    """Return the lines for a player: the biggest swing, and what was remarkable."""
    if view.outcome is None or not view.outcome.termination.counts:
        return ""
    return join_on_line(biggest_round_line(view, names, you), choose_cheer(view, names, you).text)


def next_buttons(view: MatchView) -> tuple[Button, ...]:
    """Return the first button: *Rematch*, or the table of a daily deal, which has no second try."""
    if view.day is None:
        return rematch_buttons(view)
    return (Button(say("daily-table"), learning_ids.daily(view.day, "table"), BLUE),)


def lesson_line(view: MatchView, you: Seat | None) -> str:
    """Return a tip for a player who lost a match that was played out. It changes from match to match."""
    outcome = view.outcome
    if you is None or outcome is None or outcome.termination is not Termination.COMPLETED:
        return ""
    tips = view.rules.tips
    if not tips or outcome.winner in (None, you):
        return ""
    return say("tip", tip=tips[sum(map(ord, view.id)) % len(tips)])


def _result_title(view: MatchView, result: str, *, shared: bool) -> str:
    game = view.rules.game.name  # the code of private practice opens nothing for others
    of = say("result-of-practice", game=game) if shared else say("result-of", m=view.id, game=game)
    return join_lines(say("result-large", result=result), of)


def rematch_buttons(view: MatchView) -> tuple[Button, ...]:
    """Return the button *Rematch*, or nothing if a player has erased their data."""
    if not view.can_repeat:
        return ()
    return (Button(say("rematch"), match_ids.board(view.id, "rematch"), BLUE),)


def abandoned_rounds(view: MatchView) -> list[str]:
    """Return the rounds of an abandoned match, or the newest ones of a long match. No board showed the last rounds."""
    if view.outcome is None or view.outcome.termination is not Termination.ABANDONED:
        return []
    told = list_rounds(view, make_round_teller(view, make_faces(view), view.seat), MAX_STORY)
    return told if len(told) == len(view.seen.rounds) else [*told, say("rounds-elsewhere")]


def describe_misses_of_all(view: MatchView, id: str) -> str:
    """Return the sentence `id` with the number of bids in a row that all remaining players missed; empty if no clock
    ended the match."""
    if not view.setup.clock or view.why == IDLE:
        return ""
    misses = [seat.misses for seat in view.seats if seat.user != HOUSE and not seat.left]
    if not min(misses, default=0):
        return ""
    return say(f"{id}-two" if len(misses) == 2 else id, m=view.id, span=bids_in_a_row(min(misses)))


def end_reason(view: MatchView) -> str:
    """Return why a match ended early."""
    if view.outcome is not None and view.outcome.termination is Termination.ABANDONED:
        if view.day is not None:
            return say("result-day-over", t=format_time(last_moment(view.day)))
        return describe_misses_of_all(view, "result-abandoned") or say("result-idle")
    if view.reason:
        return say("result-stopped", reason=_quote_reason(view))
    if has_sentence(id := f"result-stopped-{view.why}"):
        return say(id)
    early = view.deal == 1 and not view.seen.rounds  # a resignation before the first reveal costs nothing
    return say("result-stopped-early" if early else "result-stopped-bare")


def uncounted_line(view: MatchView) -> str:
    """Return the line that says what a match that ended early does not count for."""
    return say("does-not-count") if view.day is None else say("daily-used-up", x=format_date(view.day))


def cause_phrase(view: MatchView) -> str:
    """Return the reason as a part of a sentence; a moderator's own words if there are any."""
    return _quote_reason(view) if view.reason else uncapitalize(end_reason(view).rstrip("."))


def _quote_reason(view: MatchView) -> str:
    return quote(view.reason.rstrip("."), 200)


def placing_lines(view: MatchView, names: Names) -> list[str]:
    """Return one line for each seat, best first; equal seats in seat order."""
    outcome = view.outcome
    places = outcome.placings if outcome is not None and outcome.placings else (1,) * len(view.seats)
    changes = {change.seat: change for change in view.changes}
    order = sorted(range(len(view.seats)), key=lambda seat: (places[seat], seat))
    return [_placing_line(view, names, seat, places[seat], changes.get(seat)) for seat in order]


def _placing_line(view: MatchView, names: Names, seat: Seat, place: int, change: RatingChange | None) -> str:
    told = deciding_scores(view)
    score = score_with_tally(told[seat], view.seen.tallies if view.series.mode == "single" else (), seat)
    if view.rules.shows_margin and not is_by_wins(view):
        score = say("with-note", text=score, tally=format_lead(told, seat))
    left, by_moderator = view.seats[seat].left, view.why == DECIDED
    if left == "timed-out" and not by_moderator and len(view.seats) > 2:
        score = say("score-left-late", score=score)
    elif left == "resigned" and len(view.seats) > 2:  # resigned seats come last in all cases (RULING C5)
        score = say("score-left", score=score)
    data: dict[str, object] = {"place": ordinal(place), "name": names[seat], "score": score}
    if change is None:
        return say("place", **data)
    before, after = round(change.before), round(change.after)
    if change.played < PROVISIONAL:
        return say("place-new", after=after, n=change.played, **data)
    id, nth = "place-rated-day" if view.nth > 1 else "place-rated", ordinal_word(view.nth)
    return say(id, before=before, after=after, change=format_change(after - before), nth=nth, **data)


def provisional_line(view: MatchView) -> str:
    """Return why the rating of a new player changes by so much more than that of others."""
    return say("provisional") if any(change.played < PROVISIONAL for change in view.changes) else ""


def format_change(number: int) -> str:
    return f"{number:+}".replace("-", "−")


def unrated_line(view: MatchView) -> str:
    if not view.unrated:
        return ""
    id = f"unrated-{view.unrated}"
    return say(id if has_sentence(id) else "unrated-other")


def late_line(view: MatchView) -> str:
    """Return why a try at a daily deal is not in its table: it was finished after the day."""
    if view.day is None or view.ended is None or view.ended < last_moment(view.day):
        return ""
    return say("daily-late", t=format_time(last_moment(view.day)))


def list_deals(view: MatchView) -> tuple[DealView, ...]:
    """Return all deals, the last one included."""
    seen, winner = view.seen, None
    if any(deal.number == view.deal for deal in view.finished):
        return view.finished
    standing = sorted(seen.scores, reverse=not view.rules.least_wins)
    if seen.over and len(standing) > 1 and standing[0] != standing[1]:
        winner = seen.scores.index(standing[0])
    return (*view.finished, DealView(view.deal, seen.scores, winner, seen.rounds, seen.tallies))


def deal_lines(view: MatchView, names: Names) -> list[str]:
    """Return one line for each deal of a series. The sheet has all deals of a long series."""
    if view.series.mode == "single":
        return []
    played = list_deals(view)
    shown = played if len(played) <= MAX_DEALS else played[-MAX_DEALS:]
    told = [say("deal-line", n=deal.number, scores=_deal_line(deal, names)) for deal in shown]
    return told if shown == played else [*told, say("deals-elsewhere", n=len(played))]


def _deal_line(deal: DealView, names: Names) -> str:
    """Return the scores with names, or as numbers in seat order if names need too much room."""
    return deal_scores(deal, names) if len(names) < MANY else " · ".join(map(format_points, deal.scores))


def chance_line(view: MatchView, names: Names) -> str:
    """Return the chance before the match, if one player was the favourite, also by the ratings that are shown.

    A rating shows what is sure. A player with the lower one may have the better chance, which reads like a mistake.
    """
    if len(view.chances) != 2 or len(view.seats) != 2 or abs(view.chances[0] - 0.5) <= EVEN:
        return ""
    before = [change.before for change in view.changes]
    if len(before) == 2 and (before[0] - before[1]) * (view.chances[0] - 0.5) < 0:
        return ""
    return say("chance", name=names[0], share=percent(round(100 * view.chances[0])))


def biggest_round_line(view: MatchView, names: Names, you: Seat | None = None) -> str:
    """Return the round that helped the winner most, by the points it gave to any seat. A draw counts all seats."""
    won = None if view.outcome is None else view.outcome.winner
    sign = -1 if view.rules.least_wins else 1

    def measure_help(gain: Gain) -> Points:
        return abs(gain.points) if won is None else sign * gain.points * (1 if gain.seat == won else -1)

    best = max(_list_gains(view), key=measure_help, default=None)
    if best is None or measure_help(best) <= 0:
        return ""
    faces, seat = Faces(view.rules, find_style(view.cards), best.deal.rounds), best.seat
    id = "biggest" if view.series.mode == "single" else "biggest-deal"
    name, prize = say("you-within") if seat == you else names[seat], faces.prize_list(best.prizes, best.number - 1)
    data = {"n": best.number, "d": best.deal.number, "name": name, "prize": prize}
    bids = read_bids(events_since_last_call(best.deal.rounds[best.number - 1].events))
    if not best.is_pick and len(view.seats) == len(bids) == 2 and all(len(bid.cards) == 1 for bid in bids.values()):
        high, low = faces.bid(seat, bids[seat]), faces.bid(1 - seat, bids[1 - seat])
        return say(f"{id}-over", high=high, low=low, **data)
    return say(id, **data)


class Gain(NamedTuple):
    """Prizes that a seat took or picked in a round."""

    deal: DealView
    number: int
    seat: Seat
    points: Points
    prizes: Cards
    is_pick: bool


def _list_gains(view: MatchView) -> Iterator[Gain]:
    for deal in list_deals(view):
        for number, played in enumerate(deal.rounds, 1):
            for event in played.events:
                if isinstance(event, PrizesAwarded) and event.prizes:
                    yield Gain(deal, number, event.seat, event.points, event.prizes, False)
                elif isinstance(event, PickMade):
                    yield Gain(deal, number, event.seat, event.points, (event.prize,), True)


def result_small_print(view: MatchView) -> str:
    """Return the small print, for example "13 rounds in 14 minutes · 3 points discarded", and the digits below."""
    played = list_deals(view)
    rounds = sum(len(deal.rounds) for deal in played)
    took = ""
    if view.ended is not None and rounds:
        count = f"{round_word(view)}s" + ("-deals" if len(played) > 1 else "")
        took = say(count, d=len(played), n=rounds, span=format_about(view.ended - view.started))
    lost = say("lost-points", n=view.unscored, points=format_points(view.unscored)) if view.unscored else ""
    clocked = say("by-the-clock", n=view.clocked) if view.clocked else ""
    return join_lines(lines.small_print(took, lost, clocked), lines.small_print(seal_lines(view)))


def seal_lines(view: MatchView) -> str:
    """Return the digits of the record, and of the opening that was shown before the first acceptance."""
    return say("record-seal", record=group_digits(view.record), opening=group_digits(view.opening))


def join_on_line(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
