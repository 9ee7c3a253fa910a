"""What a person has to show, in words: rows of wins and days, the best win, how they like to bid, medals."""

from __future__ import annotations

from bot.referee.people.honours import Curve, Habit, Honours, Win
from bot.ui.text.catalogue.numbers import percent
from bot.ui.text.names import listed, shown
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say


def honour_lines(one: Honours) -> list[str]:
    """Line by line; nothing of what there is nothing of."""
    return [
        say("honour-wins", n=one.wins, most=one.most_wins) if one.most_wins else "",
        say("honour-days", n=one.days, most=one.most_days) if one.most_days else "",
        _best(one.best_win) if one.best_win is not None else "",
        _habit(one.habit) if one.habit is not None else "",
        say("honour-medals", list=" · ".join(say(f"medal-{key}") for key in one.medals)) if one.medals else "",
    ]


def curve_words(curve: Curve) -> str:
    """The picture, for whoever does not see it."""
    levels = [level for _, level in curve.points]
    return say(
        "honour-curve",
        pool=pool_name(curve.pool),
        n=len(levels),
        first=levels[0],
        after=levels[-1],
        low=min(levels),
        high=max(levels),
    )


def _best(win: Win) -> str:
    return say("honour-best", names=listed([shown(name) for name in win.names]), score=round(win.rating), m=win.match)


def _habit(habit: Habit) -> str:
    share = percent(round(100 * habit.count / habit.of))
    if not habit.above:
        return say("honour-habit-same", share=share)
    return say("honour-habit-above" if habit.above > 0 else "honour-habit-below", x=abs(habit.above), share=share)
