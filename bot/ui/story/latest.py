"""What happened last: the newest reveal, and between deals how the one before ended."""

from __future__ import annotations

from itertools import accumulate

from bot.engine.cards import Points, format_points
from bot.engine.state import Round
from bot.referee.model.views import MatchView
from bot.ui.story import lines
from bot.ui.story.reveal import RoundTeller, make_round_teller
from bot.ui.text.faces import Faces
from bot.ui.text.names import Names
from bot.ui.text.sentences import say


def latest_story(view: MatchView, teller: RoundTeller) -> str:
    """The last reveal, and every one before it that nobody has seen told; after a deal, how it ended."""
    seen = view.seen
    kind = lines.round_word(view)
    story = "" if view.over else teller.tell_so_far(seen.events, seen.number)
    if story:
        told = [teller.label_story(story, seen.number, max(0, seen.sub_round - 1), kind)]
        if seen.rounds and teller.was_forced(seen.events):
            told = [*reveal_lines(teller, seen.rounds, kind), *told]
        return "\n".join(told)
    if seen.rounds:
        return "\n".join(reveal_lines(teller, seen.rounds, kind, ended=view.over))
    return "\n".join([*last_deal_lines(view, teller), deal_end_line(view, teller.names)]) if view.finished else ""


def list_rounds(view: MatchView, teller: RoundTeller, most: int) -> list[str]:
    """The rounds of the deal shown, oldest first; of those that need more than `most` characters the newest."""
    rounds = view.seen.rounds
    told = [teller.tell_line(played, number, lines.round_word(view)) for number, played in enumerate(rounds, 1)]
    lengths = list(accumulate(map(len, reversed(told))))
    return told[len(told) - sum(length <= most for length in lengths) :]


def reveal_lines(teller: RoundTeller, rounds: tuple[Round, ...], kind: str, ended: bool = False) -> list[str]:
    """The newest round; where a deal has ended, also what came before bids that were made for everybody."""
    first = len(rounds) - 1
    while ended and first > 0 and teller.was_forced(rounds[first].events):
        first -= 1
    return [teller.tell_line(played, number, kind) for number, played in enumerate(rounds[first:], first + 1)]


def last_deal_lines(view: MatchView, teller: RoundTeller) -> list[str]:
    """The reveal that ended the deal before: a board shows it only here, because the next deal begins at once."""
    rounds = view.finished[-1].rounds
    if not rounds:
        return []
    before = make_round_teller(view, Faces(view.rules, teller.faces.style, rounds), teller.you)
    return reveal_lines(before, rounds, lines.round_word(view), ended=True)


def deal_end_line(view: MatchView, names: Names) -> str:
    """Deal 1: Ana 50, Ben 41. Series: Ana 1, Ben 0 (best of 3). All cards are back in hand."""
    deal = view.finished[-1]
    told = say(
        "deal-ended", n=deal.number, scores=lines.deal_scores(deal, names), series=series_score_line(view, names)
    )
    return f"{told} {say(f'hands-{view.hands}')}" if view.hands else told


def series_score_line(view: MatchView, names: Names) -> str:
    numbers: list[Points] = [seat.wins if lines.is_by_wins(view) else seat.total for seat in view.seats]
    told = ", ".join(say("deal-score", name=names[seat], score=format_points(n)) for seat, n in enumerate(numbers))
    return say("series-wins", scores=told, series=lines.describe_series(view))
