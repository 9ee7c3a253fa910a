"""Ratings and results of a person, and their finished matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from bot.engine.cards import format_points
from bot.engine.counted import ordinal
from bot.engine.match import Termination
from bot.engine.variants import GAMES
from bot.pictures.plot import Chart, ChartLine, draw_chart, fit_name
from bot.referee.model.views import HeadToHeadView, PoolView, ProfileView, RecentView
from bot.referee.people.honours import Curve, Habit, Honours, Win
from bot.ui.custom_ids import records_ids
from bot.ui.message import Attachment, Button, Menu, MenuOption, Message, Node, Picture, Text, join_lines, make_row
from bot.ui.text.catalogue.numbers import format_change, percent, unbroken
from bot.ui.text.names import HOUSE, Names, clean_name, format_name, join_words
from bot.ui.text.offers import pool_name
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_day
from bot.ui.text.terms import rating_text, short_name

CHART = "head-to-head.png"
DRAWN = 40
"""The most matches on the chart."""
ENOUGH = 3
"""The fewest matches that have a chart."""


def chart(met: HeadToHeadView, name: str, other: str) -> str:
    """Return the chart: how many more matches the first person had won after each match. Empty for too few matches."""
    if met.played < ENOUGH:
        return ""
    leads = met.leads[-DRAWN - 1 :]
    first = met.played - len(leads) + 2
    one, two = (fit_name(clean_name(called)) or say("seat-number", n=n) for n, called in ((1, name), (2, other)))
    picture = Chart(
        title=say("met-chart"),
        under=say("met-under", a=one, b=two),
        lines=(ChartLine(say("met-lead", a=one), tuple(map(float, leads)), 0),),
        rounds=tuple(str(number) for number in range(first, first + len(leads) - 1)),
        above=say("met-ahead", name=one),
        below=say("met-ahead", name=two),
    )
    return draw_chart(picture)


@dataclass(frozen=True, slots=True)
class Meetings:
    """What is above the matches of two people; `view` is None if they never met alone."""

    other: str
    view: HeadToHeadView | None = None
    png: bytes = field(default=b"", repr=False)

    def title(self, name: str) -> str:
        return say("met-title", name=format_name(name), other=format_name(self.other))

    def summary(self, name: str) -> str:
        view = self.view
        if view is None:
            return ""
        data = {"name": format_name(name), "other": format_name(self.other)}
        return say("met", n=view.played, won=view.won, lost=view.lost, drawn=view.drawn, **data)

    def picture(self, name: str) -> tuple[Picture, ...]:
        if self.view is None or not self.png:
            return ()
        leads = self.view.leads[-DRAWN - 1 :]
        alt = say("met-alt", name=clean_name(name), n=len(leads) - 1, low=min(leads), high=max(leads), k=leads[-1])
        return (Picture(CHART, alt),)

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        return (Attachment(CHART, self.png),) if self.view is not None and self.png else ()


def honour_lines(one: Honours) -> list[str]:
    """Return the lines about wins and days in a row, the best win, the habit and medals."""
    return [
        say("honour-wins", n=one.wins, most=one.most_wins) if one.most_wins else "",
        say("honour-days", n=one.days, most=one.most_days) if one.most_days else "",
        _best(one.best_win) if one.best_win is not None else "",
        _habit(one.habit) if one.habit is not None else "",
        say("honour-medals", list=" · ".join(say(f"medal-{key}") for key in one.medals)) if one.medals else "",
    ]


def curve_words(curve: Curve) -> str:
    """Return the rating chart in words."""
    levels = [level for _, level in curve.points]
    ends = {"first": levels[0], "after": levels[-1], "low": min(levels), "high": max(levels)}
    return say("honour-curve", pool=pool_name(curve.pool), n=len(levels), **ends)


def _best(win: Win) -> str:
    return say(
        "honour-best", names=join_words([format_name(name) for name in win.names]), score=round(win.rating), m=win.match
    )


def _habit(habit: Habit) -> str:
    share = percent(round(100 * habit.count / habit.of))
    if not habit.above:
        return say("honour-habit-same", share=share)
    return say("honour-habit-above" if habit.above > 0 else "honour-habit-below", x=abs(habit.above), share=share)


GRAPH = "rating.png"
MOST_POOLS = 12


def profile(view: ProfileView, *, graph: bytes = b"", alt: str = "", public: bool = False) -> Message:
    """Return the profile; `graph` is the picture of the rating over time, `alt` its text."""
    title, share = say("profile-title", name=format_name(view.name)), view.finished_share
    pools = "\n".join(_pool(pool) for pool in view.pools[:MOST_POOLS]) or say("profile-none")
    text = join_lines(
        title,
        pools,
        say("profile-against", played=view.against[0], won=view.against[1]) if view.against is not None else "",
        say("profile-finished", share=percent(round(100 * share))) if share is not None else "",
        *honour_lines(view.honours),
        say("small", text=say("provisional")) if any(pool.provisional for pool in view.pools[:MOST_POOLS]) else "",
        say("profile-foot") if view.pools else "",
    )
    body: list[Node] = [Text(text)]
    attachments: tuple[Attachment, ...] = ()
    if graph:
        attachments = (Attachment(GRAPH, graph),)
        body.append(Picture(GRAPH, alt))
    if not public:
        history_button = Button(say("history"), records_ids.profile(view.user, "history"))
        everyone = Button(say("show-everyone"), records_ids.profile(view.user, "all"), is_public=True)
        body.append(make_row(history_button, everyone))
    return Message(body=tuple(body), attachments=attachments, essence=title)


def _pool(pool: PoolView) -> str:
    shown = rating_text(pool.shown, provisional=pool.provisional)
    data = {"pool": pool_name(pool.pool), "shown": shown, "spread": pool.spread}
    if pool.place is None:
        first = say("profile-pool-away", **data)
    else:
        first = say("profile-pool", place=ordinal(pool.place), size=pool.size, **data)
    return join_lines(first, say("profile-results", played=pool.played, won=pool.won, drawn=pool.drawn, lost=pool.lost))


# --- history -------------------------------------------------------------------------------------------------


def history(
    wanted: records_ids.Listing,
    name: str,
    matches: Sequence[RecentView],
    *,
    page: int = 0,
    more: bool = False,
    met: Meetings | None = None,
    public: bool = False,
    own: bool = False,
) -> Message:
    """Return a page of finished matches, newest first. `more`: there is another page. `own`: the person asks about
    their own matches. Against one person the page begins with `met`."""
    title = say("history-title", name=format_name(name)) if met is None else met.title(name)
    if not matches:
        return Message(
            content=say("history-nothing" if wanted != records_ids.Listing(wanted.user) else "empty-history")
        )
    rows = "\n".join(map(_match, matches))
    top: tuple[Node, ...] = (
        (Text(title),) if met is None else (Text(join_lines(title, met.summary(name))), *met.picture(name))
    )
    attachments = () if met is None else met.attachments
    if public:
        return Message(body=(*top, Text(rows)), attachments=attachments, essence=title)
    options = tuple(
        MenuOption(f"#{match.id} · {_opponents(match, plain=True)}"[:100], match.id) for match in matches[:25]
    )
    pager = make_row(
        Button(say("back"), records_ids.history(wanted, max(0, page - 1), "back"), enabled=page > 0),
        Button(say("next"), records_ids.history(wanted, page + 1, "next"), enabled=more),
        Button(say("show-everyone"), records_ids.history(wanted, page, "all"), is_public=True),
        *([Button(say("export-all"), records_ids.history(wanted, page, "export"))] if own else []),
    )
    select = make_row(Menu(records_ids.open_match(), say("open-match"), options))
    return Message(body=(*top, Text(rows), select, pager), attachments=attachments, essence=title)


def _match(one: RecentView) -> str:
    data = {"m": one.id, "t": format_day(one.ended), "game": _game(one.game), "result": _score(one)}
    if one.decided:  # perhaps against its score
        data["result"] = say("history-decided", result=data["result"])
    if one.change is None:
        counted = one.placings is not None and Termination(one.termination).counts
        return say("history-line" if one.rated or not counted else "history-unrated", **data)
    return say("history-rated", change=format_change(round(one.change.after) - round(one.change.before)), **data)


def _game(key: str) -> str:
    return next((short_name(game) for game in GAMES if game.key == key), key)


def _score(one: RecentView) -> str:
    """Example: "beat Ben 50–38", for this seat."""
    others = _opponents(one)
    if one.placings is None or not Termination(one.termination).counts:
        return say("history-none", names=others)
    place = one.placings[one.seat]
    if place == 1 and len(one.people) > 2 and Termination(one.termination) is Termination.AGREED:
        return say("history-drew-all", names=_opponents(one, place=1))
    if len(one.people) > 2:
        return say("history-place", place=ordinal(place), n=len(one.people))
    score = unbroken(_points(one.totals[one.seat]), _points(one.totals[1 - one.seat])) if one.totals else ""
    if one.placings.count(1) > 1:
        return say("history-drew", names=others, score=score)
    return say("history-beat" if place == 1 else "history-lost", names=others, score=score)


def _points(written: str) -> str:
    """Return points of the record as people write them: 91/2 is 45 1/2."""
    return format_points(Fraction(str(written)))


def _opponents(one: RecentView, plain: bool = False, place: int = 0) -> str:
    """Return the names of the others; with `place`, only of those who share it."""
    names = Names((HOUSE if user == HOUSE else 1, name) for user, name in one.people)
    pool = names.labels if plain else names.texts
    others = [seat for seat in range(len(one.people)) if seat != one.seat]
    placings = one.placings or ()
    return join_words([pool[seat] for seat in others if not place or placings[seat] == place])
