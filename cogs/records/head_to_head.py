"""The results of two people against each other, as a sentence and as a chart."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.pictures.plot import Chart, ChartLine, draw_chart, fit_name
from bot.referee.model.views import HeadToHeadView
from bot.ui.message import Attachment, Picture
from bot.ui.text.names import clean_name, format_name
from bot.ui.text.sentences import say

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
