"""The board of a match that is over, and lines of its result for other messages."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.cards import Seat
from bot.engine.match import Termination
from bot.referee.model.daily import day_end, last_moment, number_of
from bot.referee.model.model import BROKEN_SEAL, DECIDED, HOUSE, IDLE, REPLACED, RatingChange
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import BLUE, Attachment, Button, Message, Picture, Separator, Text, join_lines, make_row
from bot.ui.screens import daily
from bot.ui.screens.keys import look_button
from bot.ui.story import lines
from bot.ui.story.colours import choose_result_colour
from bot.ui.story.deals import list_deals
from bot.ui.story.latest import latest_story, list_rounds
from bot.ui.story.lines import group_digits, make_faces, score_with_tally
from bot.ui.story.outcome import deciding_scores, describe_outcome, describe_result
from bot.ui.story.reveal import make_round_teller
from bot.ui.text.catalogue.numbers import bids_in_a_row
from bot.ui.text.names import Names, make_names, quote
from bot.ui.text.sentences import has_sentence, say, uncapitalize
from bot.ui.text.stamps import format_about, format_time
from bot.ui.text.terms import game_title, short_name

CARD = "result.png"
PROVISIONAL = 8
"""Number of rated matches after which a rating is no longer provisional."""
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
    link: str = "",
) -> Message:
    """Return the result of a match. Stopped and abandoned matches say why they do not count.

    `card`: the picture, if there is one. `shared`: a copy without buttons, for people who may not see more.
    `bystander`: the reader did not play, so there is no rematch. `reviewable`: the review has an exact solution.
    `link`: where the board is, for a card in a DM.
    """
    names = make_names(view)
    warned = say("banner", text=banner) if banner else ""
    if is_stopped_practice(view):
        return _render_stopped_practice(view, warned, is_closed=shared or bystander)
    nexts = () if bystander else next_buttons(view)
    if view.outcome is None or not view.outcome.termination.counts:
        title = say("result-title", m=view.id, result=describe_outcome(view, names))
        small = lines.small_print(seal_lines(view))
        told = [title, warned, *abandoned_rounds(view), end_reason(view), uncounted_line(view), small]
        row = make_row(look_button(view, "sheet"), *nexts)
        return Message(body=(Text(join_lines(*told)), *(() if shared else (Separator(), row))), essence=title)
    title = _title(view, names)
    small = _small_print(view, names, link, shared=shared)
    head = Text(join_lines(title, warned, "" if card else _last_round(view)))
    standing = standing_lines(view, names) if view.daily is None else daily.story_lines(view, view.daily)
    text = Text(join_lines(*standing, *_reasons(view, names, shared=shared), small))
    row = make_row(*nexts, *(look_button(view, what) for what in (("review", "more") if reviewable else ("more",))))
    picture = (Picture(CARD, card.alt),) if card else ()
    return Message(
        body=(head, *picture, text, *(() if shared else (row,))),
        attachments=(Attachment(CARD, card.png, spare=True),) if card else (),
        accent=choose_result_colour(view),
        essence=join_lines(title, *standing, small),
    )


def is_stopped_practice(view: MatchView) -> bool:
    """Return True for practice that ended early, if its cards and seals prove nothing. A daily deal is no practice."""
    counts = view.outcome is None or view.outcome.termination.counts
    return view.is_practice and view.day is None and not counts and view.why not in (BROKEN_SEAL, "rolled-back")


def _render_stopped_practice(view: MatchView, warned: str, *, is_closed: bool) -> Message:
    """Return one line, and a button for another match by the same rules, unless a newer match took its place."""
    line = ending_text(view)
    again = () if is_closed or view.why == REPLACED else rematch_buttons(view, "home-house")
    return Message(body=(Text(join_lines(line, warned)), *([make_row(*again)] if again else [])), essence=line)


def _title(view: MatchView, names: Names) -> str:
    if view.day is not None and view.daily is not None:
        return daily.describe_result(view, names, view.day)
    return say("result-heading", result=describe_result(view, names, view.seat))


def _last_round(view: MatchView) -> str:
    """Return what the last press of a player revealed. Boards show the picture."""
    return "" if view.seat is None else latest_story(view, make_round_teller(view, make_faces(view), view.seat))


def _reasons(view: MatchView, names: Names, *, shared: bool) -> list[str]:
    """Return why the result does not count as most results do. A copy for everybody tells hints, too."""
    return [
        unrated_line(view) if view.daily is None else "",
        late_line(view),
        say("ruling", reason=_quote_reason(view)) if view.reason else "",
        hints_line(view, names) if shared else "",
    ]


def standing_lines(view: MatchView, names: Names) -> list[str]:
    """Return the ratings of two players in one line, or a line for each of more players, with the footnote."""
    told = [_standing(view, names, seat, place) for seat, place in list_places(view)]
    new = lines.small_print(say("provisional")) if any(change.played < PROVISIONAL for change in view.changes) else ""
    if len(view.seats) == 2:
        ratings = " · ".join(filter(None, told))
        told = [say("rating-line", pool=short_name(view.rules.game), ratings=ratings)] if ratings else []
    return [*told, new]


def _standing(view: MatchView, names: Names, seat: Seat, place: int) -> str:
    change = next((change for change in view.changes if change.seat == seat), None)
    rating = "" if change is None else _rating_change(change)
    name = say("you") if seat == view.seat else names[seat]
    if len(view.seats) == 2:
        return say("rated-name", name=name, rating=rating) if rating else ""
    line = say("place-line", place=place, name=name, score=score_of_seat(view, seat))
    return say("rated-line", line=line, rating=rating) if rating else line


def _rating_change(change: RatingChange) -> str:
    """Return a rating before and after; a star marks one of a new player. The first match has no rating before."""
    before, after = round(change.before), round(change.after)
    star = say("star")
    new = star if change.played < PROVISIONAL else ""
    if change.played == 1:
        return say("rating-first", after=after, star=new)
    return say("rating-change", before=before, was=star if change.played <= PROVISIONAL else "", after=after, star=new)


def list_places(view: MatchView) -> list[tuple[Seat, int]]:
    """Return the seats with their places, best first; equal seats in seat order."""
    outcome = view.outcome
    places = outcome.placings if outcome is not None and outcome.placings else (1,) * len(view.seats)
    return sorted(enumerate(places), key=lambda one: (one[1], one[0]))


def score_of_seat(view: MatchView, seat: Seat) -> str:
    """Return the score that decided, and for a seat of many that left how it left."""
    tallies = view.seen.tallies if view.series.mode == "single" else ()
    if lines.is_by_wins(view):
        score = say("deals", n=view.seats[seat].wins)
    else:
        score = score_with_tally(deciding_scores(view)[seat], tallies, seat)
    left, by_moderator = view.seats[seat].left, view.why == DECIDED
    if left == "timed-out" and not by_moderator and len(view.seats) > 2:
        return say("score-left-late", score=score)
    if left == "resigned" and len(view.seats) > 2:  # resigned seats come last in all cases (RULING C5)
        return say("score-left", score=score)
    return score


def _small_print(view: MatchView, names: Names, link: str, *, shared: bool) -> str:
    """Return the small line, for example "13 rounds · 14 minutes · 🔒 Fair play 77c0 3f9a 11d2 5e08 · #K7Q2"."""
    played = list_deals(view)
    rounds = sum(len(deal.rounds) for deal in played)
    counted = say(f"{view.rules.round_word}s", n=rounds) if rounds else ""
    deals = say("deals", n=len(played)) if len(played) > 1 else ""
    took = format_about(view.ended - view.started) if view.ended is not None and rounds else ""
    is_named = view.changes or view.daily is not None or len(view.seats) > 2
    who = "" if is_named else _name_players(view, names)
    if shared:  # the code of private practice opens nothing for others
        return lines.small_print(say("practice-of", game=game_title(view.rules)), who, deals, counted, took)
    seal = say("small-seal", digits=group_digits(view.record))
    return lines.small_print(who, deals, counted, took, seal, lines.code_text(view, link))


def _name_players(view: MatchView, names: Names) -> str:
    """Return both names, or for a player that of the opponent. Where both are rated, the line of ratings has them."""
    told = lines.name_players(view, names, view.seat)
    return told if view.seat is None else say("against", names=told)


def hints_line(view: MatchView, names: Names) -> str:
    """Return the line that counts the rounds with a hint. It names no player in practice of one."""
    person = next((seat.seat for seat in view.seats if seat.user != HOUSE), None)
    return say("hinted", n=view.hints, name=names[person]) if view.hints and person is not None else ""


def next_buttons(view: MatchView) -> tuple[Button, ...]:
    """Return the first button: *Rematch*, or those of a daily deal, which has no second try."""
    return rematch_buttons(view) if view.day is None else daily.daily_buttons(view, view.day)


def rematch_buttons(view: MatchView, label: str = "rematch") -> tuple[Button, ...]:
    """Return the button *Rematch*, or nothing if a player has erased their data. `label` is the id of its words."""
    if not view.can_repeat:
        return ()
    return (Button(say(label), match_ids.board(view.id, "rematch"), BLUE),)


def abandoned_rounds(view: MatchView) -> list[str]:
    """Return the rounds of an abandoned match, or the newest ones of a long match. No board showed the last rounds."""
    if view.outcome is None or view.outcome.termination is not Termination.ABANDONED:
        return []
    told = list_rounds(view, make_round_teller(view, make_faces(view), view.seat), MAX_STORY)
    return told if len(told) == len(view.seen.rounds) else [*told, say("rounds-elsewhere", round=view.rules.round_word)]


def describe_misses_of_all(view: MatchView, id: str) -> str:
    """Return the sentence `id` with the number of bids in a row that all remaining players missed; empty if no clock
    ended the match."""
    if not view.setup.clock or view.why == IDLE:
        return ""
    misses = [seat.misses for seat in view.seats if seat.user != HOUSE and not seat.left]
    if not min(misses, default=0):
        return ""
    if not view.finished and min(misses) >= len(view.seen.rounds):
        return say(f"{id}-none", m=view.id)
    return say(f"{id}-two" if len(misses) == 2 else id, m=view.id, span=bids_in_a_row(min(misses)))


def ending_text(view: MatchView) -> str:
    """Return in one sentence or two that the match ended early, and why."""
    if view.outcome is not None and view.outcome.termination is Termination.ABANDONED:
        return describe_misses_of_all(view, "abandoned") or say("abandoned-idle", m=view.id)
    return say("match-stopped", m=view.id, reason=cause_phrase(view))


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
    if view.day is None:
        return say("does-not-count")
    early = view.ended is not None and view.ended < day_end(view.day)
    following = [daily.next_deal(view.day)] if early else []
    return " ".join([say("daily-used-up", n=number_of(view.day)), *following])


def cause_phrase(view: MatchView) -> str:
    """Return the reason as a part of a sentence; a moderator's own words if there are any."""
    return _quote_reason(view) if view.reason else uncapitalize(end_reason(view).rstrip("."))


def _quote_reason(view: MatchView) -> str:
    return quote(view.reason.rstrip("."), 200)


def unrated_line(view: MatchView) -> str:
    if not view.unrated:
        return ""
    id = f"unrated-{view.unrated}"
    return say(id if has_sentence(id) else "unrated-other")


def late_line(view: MatchView) -> str:
    """Return why a try at a daily deal is not in its ranking: it was finished after the day."""
    if view.day is None or view.ended is None or view.ended < last_moment(view.day):
        return ""
    return say("daily-late", t=format_time(last_moment(view.day)))


def seal_lines(view: MatchView) -> str:
    """Return the digits of the record, and of the opening that was shown before the first acceptance."""
    return say("both-seals", record=group_digits(view.record), opening=group_digits(view.opening))
