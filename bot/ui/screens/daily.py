"""The daily deal: what its result shows, its ranking, and the line that a person shares."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from bot.engine.cards import Seat, format_points
from bot.engine.state import Round
from bot.referee.model.daily import DailyRanking, Score, day_end, number_of
from bot.referee.model.daily_posts import DailyPost, WeekLine
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, GREEN, GREY, Button, Message, Node, Separator, Text, join_lines, make_row
from bot.ui.story.outcome import deciding_scores
from bot.ui.text.catalogue.numbers import format_change, unbroken
from bot.ui.text.names import Names, format_name, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_date, format_relative

YOU, HOUSE = 0, 1
"""Seats of every daily deal."""

LINES = 10
"""Most lines of the ranking, besides the person's own."""

LEADERS = 3
"""Most lines of the leaders of a week."""

WON, LOST, TIED = "🟩", "🟥", "🟨"


def describe_result(view: MatchView, names: Names, day: date) -> str:
    """Return the title of a result, for example "Daily 412 · you beat Reader 9–6"."""
    winner = None if view.outcome is None else view.outcome.winner
    score = unbroken(*(format_points(points) for points in deciding_scores(view)))
    return say(f"daily-{_result_word(winner)}", n=number_of(day), name=names.short[HOUSE], score=score)


def _result_word(winner: Seat | None) -> str:
    return "drawn" if winner is None else "won" if winner == YOU else "lost"


def story_lines(view: MatchView, ranking: DailyRanking) -> list[str]:
    """Return the squares with the streak and the rank, and the legend of the squares."""
    rounds, own = view.seen.rounds, ranking.own
    squares = make_squares(rounds)
    if own is None:
        return [squares, legend(rounds)]
    place = ranking.place(own)
    return [
        say("daily-story", story=squares, n=ranking.streak, place=place, total=len(ranking.scores)),
        legend(rounds),
    ]


def make_squares(rounds: Sequence[Round]) -> str:
    """Return a square for each round. It tells who won the prize, and no card."""
    return "".join(map(_square, rounds))


def _square(played: Round) -> str:
    return WON if played.winners == (YOU,) else LOST if played.winners == (HOUSE,) else TIED


def legend(rounds: Sequence[Round]) -> str:
    """Return what the squares mean, and how many there are of each, for people who cannot tell them apart."""
    squares = make_squares(rounds)
    return say("daily-legend", won=squares.count(WON), lost=squares.count(LOST), drawn=squares.count(TIED))


def daily_buttons(view: MatchView, day: date) -> tuple[Button, ...]:
    """Return the buttons of a result: *Share*, until it is shared, and the ranking."""
    ranking = view.daily
    share = () if ranking is None or ranking.own is None or ranking.shared else (_share_button(day),)
    return (*share, Button(say("daily-ranking"), learning_ids.daily(day, "ranking"), GREY if share else BLUE))


def _share_button(day: date) -> Button:
    return Button(say("daily-share"), learning_ids.daily(day, "share"), BLUE)


def render_ranking(ranking: DailyRanking, rounds: Sequence[Round], today: date) -> Message:
    """Return the private ranking of a day; `rounds` are the person's own."""
    title, own = say("daily-title", n=number_of(ranking.day), x=format_date(ranking.day)), ranking.own
    if own is None:
        first = [say(f"daily-{ranking.uncounted}")]
    else:
        first = [say("daily-own", story=make_squares(rounds), score=_format_margin(own.margin))]
    streak = say("daily-streak", n=ranking.streak, most=ranking.longest) if ranking.streak else ""
    last = legend(rounds) if own is not None else ""
    following = next_deal(ranking.day) if ranking.day == today else ""
    told = join_lines(title, *first, following, _best(ranking), streak, last)
    body: list[Node] = [Text(told), Separator(), Text(_list_scores(ranking))]
    if own is not None and not ranking.shared:
        body.append(make_row(_share_button(ranking.day)))
    return Message(body=tuple(body), essence=title)


def next_deal(day: date) -> str:
    """Return the line that says when the deal after this day's begins."""
    return say("daily-next", t=format_relative(day_end(day)))


def _best(ranking: DailyRanking) -> str:
    """Return what was possible; it takes a while until this is known."""
    if ranking.best is None:
        return say("daily-best-soon")
    if ranking.own is not None and ranking.own.margin == ranking.best:
        return say("daily-best-yours")
    return say("daily-best", score=_format_margin(ranking.best))


def _list_scores(ranking: DailyRanking) -> str:
    """Return the best lines, and the person's own line if it is further down."""
    scores = [score for at, score in enumerate(ranking.scores) if at < LINES or score == ranking.own]
    return "\n".join(_score_line(ranking, score) for score in scores) or say("daily-nobody")


def _score_line(ranking: DailyRanking, score: Score) -> str:
    return _place_line(ranking.place(score), score)


def _place_line(place: int, score: Score) -> str:
    name, margin = format_name(score.tried.name), _format_margin(score.margin)
    return say("daily-line", place=place, name=name, score=margin)


def _format_margin(margin: int) -> str:
    return format_change(margin) if margin else "0"


def render_post(post: DailyPost) -> Message:
    """Return the message with which a server's channel gets the deal of a day. It mentions nobody."""
    title = say("daily-title", n=number_of(post.day), x=format_date(post.day))
    body: list[Node] = [Text(join_lines(title, say("daily-post")))]
    if post.scores:
        lines = [
            _place_line(1 + sum(one.margin > score.margin for one in post.scores), score)
            for score in post.scores[:LINES]
        ]
        best = post.scores[0].tried.best
        shown = "" if best is None else say("daily-best", score=_format_margin(best))
        body.append(Text(join_lines(say("daily-yesterday", n=number_of(post.day) - 1), *lines, shown)))
    if post.week:
        body.append(Text(join_lines(say("daily-week"), *map(_week_line, post.week[:LEADERS]))))
    body.append(make_row(Button(say("daily-post-play"), learning_ids.play(post.day), GREEN)))
    return Message(body=tuple(body), essence=title)


def _week_line(line: WeekLine) -> str:
    return say("daily-week-line", name=format_name(line.name), n=line.won, score=_format_margin(line.margin))


def render_share(view: MatchView, name: str, ranking: DailyRanking, own: Score) -> Message:
    """Return the message for everyone: the number of the day, the margin and a square for each round.

    It gives no points: the points of both players tell the prizes that were tied, and others may still play the deal.
    """
    winner = YOU if own.margin > 0 else HOUSE if own.margin < 0 else None
    result = say(f"daily-shared-{_result_word(winner)}", name=make_names(view).short[HOUSE], n=abs(own.margin))
    rounds = view.seen.rounds
    told = say(
        "daily-shared-line",
        name=format_name(name),
        n=number_of(ranking.day),
        result=result,
        k=ranking.streak,
        story=make_squares(rounds),
        tally=legend(rounds),
    )
    return Message(told, (make_row(Button(say("daily-play"), learning_ids.play(ranking.day), GREEN)),))
