"""What stands behind *More* of a result: scores, deals, what was remarkable, and the digits of the record."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Seat, format_points
from bot.engine.counted import ordinal
from bot.engine.match import Termination
from bot.referee.model.views import DealView, MatchView
from bot.ui.message import Button, Message, Separator, Text, join_lines, make_rows
from bot.ui.screens.cheers import choose_cheer
from bot.ui.screens.result import hints_line, list_places, score_of_seat, seal_lines
from bot.ui.story import lines
from bot.ui.story.deals import find_biggest_gain, list_deals
from bot.ui.story.events import events_since_last_call, read_bids
from bot.ui.story.lines import deal_scores, format_lead, is_by_wins
from bot.ui.story.outcome import deciding_scores
from bot.ui.text.catalogue.numbers import ordinal_word, percent
from bot.ui.text.faces import Faces
from bot.ui.text.names import MANY, Names, make_names
from bot.ui.text.sentences import capitalize, say
from bot.ui.text.style import find_style
from bot.ui.text.terms import game_title

EVEN = 0.1
"""Most difference from 50% of a chance that is not told, because nobody was the favourite."""
MAX_DEALS = 7
"""Number of deals that get a line of their own."""


def render_details(view: MatchView, buttons: Sequence[Button]) -> Message:
    """Return what the card of a finished match has no room for, with these buttons. It is for one reader."""
    title = say("result-of", m=view.id, game=game_title(view.rules))
    text = join_lines(title, *_list_details(view)) if view.outcome and view.outcome.termination.counts else title
    return Message(body=(Text(text), Separator(), *make_rows(buttons, 3)), essence=title)


def _list_details(view: MatchView) -> list[str]:
    names, you = make_names(view), view.seat
    cheered = choose_cheer(view, names, you)
    return [
        " ".join(filter(None, (biggest_round_line(view, names, you), cheered.text))),
        *placing_lines(view, names),
        *deal_lines(view, names),
        "" if cheered.tells_chance else chance_line(view, names),
        say("nth-of-day", nth=capitalize(ordinal_word(view.nth))) if view.nth > 1 else "",
        hints_line(view, names),
        lesson_line(view, you),
        lines.small_print(
            say("lost-points", points=format_points(view.unscored)) if view.unscored else "",
            say("by-the-clock", n=view.clocked) if view.clocked else "",
        ),
        lines.small_print(seal_lines(view)),
    ]


def lesson_line(view: MatchView, you: Seat | None) -> str:
    """Return a tip for a player who lost a match that was played out. It changes from match to match."""
    outcome = view.outcome
    if you is None or outcome is None or outcome.termination is not Termination.COMPLETED:
        return ""
    tips = view.rules.tips
    if not tips or outcome.winner in (None, you):
        return ""
    return say("tip", tip=tips[sum(map(ord, view.id)) % len(tips)])


def placing_lines(view: MatchView, names: Names) -> list[str]:
    """Return one line for each seat, best first; equal seats in seat order."""
    return [_placing_line(view, names, seat, place) for seat, place in list_places(view)]


def _placing_line(view: MatchView, names: Names, seat: Seat, place: int) -> str:
    score = score_of_seat(view, seat)
    if view.rules.shows_margin and not is_by_wins(view):
        score = say("with-note", text=score, tally=format_lead(deciding_scores(view), seat))
    return say("place", place=ordinal(place), name=names[seat], score=score)


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
    best = find_biggest_gain(view)
    if best is None:
        return ""
    faces, seat = Faces(view.rules, find_style(view.cards), best.deal.rounds, best.deal.number), best.seat
    id = "biggest" if view.series.mode == "single" else "biggest-deal"
    name, prize = say("you") if seat == you else names[seat], faces.prize_list(best.prizes, best.number - 1)
    won = view.outcome is not None and view.outcome.winner is not None
    told = say("best-of-winner" if won else "best-of-draw")
    data = {"what": told, "n": best.number, "d": best.deal.number, "name": name, "prize": prize}
    bids = read_bids(events_since_last_call(best.deal.rounds[best.number - 1].events))
    if not best.is_pick and len(view.seats) == len(bids) == 2 and all(len(bid.cards) == 1 for bid in bids.values()):
        high, low = faces.bid(seat, bids[seat]), faces.bid(1 - seat, bids[1 - seat])
        return say(f"{id}-over", high=high, low=low, **data)
    return say(id, **data)
