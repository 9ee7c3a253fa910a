"""The result of a daily deal: a row of marks without cards, the server's table, and the row to share."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.state import Round
from bot.referee.house.daily import Table
from bot.referee.model.daily import Score
from bot.ui.custom_ids import learning_ids
from bot.ui.message import BLUE, GREEN, Button, Message, Node, Separator, Text, join_lines, make_row
from bot.ui.text.names import format_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_date

LINES = 10
"""Lines of the table."""

WON, TIED, LOST = "●", "◐", "○"


def daily_card(table: Table, rounds: Sequence[Round]) -> Message:
    """Return the private card of a day; `rounds` are the person's own."""
    title = say("daily-title", x=format_date(table.day))
    own, best = table.own, table.best
    if own is None:
        first = join_lines(title, say(f"daily-{table.uncounted}"))
    else:
        first = join_lines(
            title, say("daily-own", story=row_of(rounds), score=signed_margin(own.margin), tally=tally(rounds))
        )
    if best is None:
        possible = say("daily-best-soon")
    elif own is not None and own.margin == best:
        possible = say("daily-best-yours")
    else:
        possible = say("daily-best", score=signed_margin(best))
    row_of_days = say("daily-streak", n=table.streak, k=table.longest) if table.streak else ""
    body: list[Node] = [Text(join_lines(first, possible, row_of_days)), Separator(), Text(_lines(table))]
    if own is not None:
        body.append(
            make_row(Button(say("daily-share"), learning_ids.daily(table.day, "share"), BLUE, enabled=not table.shared))
        )
    return Message(body=tuple(body), essence=title)


def shared_row(name: str, table: Table, own: Score, rounds: Sequence[Round]) -> Message:
    """Return the message for everybody: the result of each round, and no cards."""
    told = say(
        "daily-shared-row",
        name=format_name(name),
        x=format_date(table.day),
        story=row_of(rounds),
        score=signed_margin(own.margin),
        tally=tally(rounds),
    )
    return Message(told, (make_row(Button(say("daily-play"), learning_ids.play(table.day), GREEN)),))


def row_of(rounds: Sequence[Round]) -> str:
    """Return one mark a round: won, tied, lost."""
    return "".join(map(_mark, rounds))


def tally(rounds: Sequence[Round]) -> str:
    """Return the counts of the marks, for people who cannot see them."""
    marks = row_of(rounds)
    return say("daily-tally", won=marks.count(WON), drawn=marks.count(TIED), lost=marks.count(LOST))


def signed_margin(margin: int) -> str:
    return f"+{margin}" if margin > 0 else f"−{-margin}" if margin < 0 else "±0"


def _mark(played: Round) -> str:
    return WON if played.winners == (0,) else LOST if played.winners == (1,) else TIED


def _lines(table: Table) -> str:
    """Return the best lines, and the person's own line if it is further down."""
    scores = [score for at, score in enumerate(table.scores) if at < LINES or score == table.own]
    if not scores:
        return say("daily-nobody")
    return "\n".join(
        say(
            "daily-line",
            place=table.place(score),
            name=format_name(score.tried.name),
            score=signed_margin(score.margin),
        )
        for score in scores
    )
