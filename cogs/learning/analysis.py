"""Perfect play in words: what a position is worth, and how often each card is bid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from discord import app_commands

from bot.engine.cards import face
from bot.engine.variants import DEFAULT, find_game
from bot.interactions.commands import command, make_choices
from bot.interactions.context import InteractionContext
from bot.pictures.payoffs import draw_payoffs
from bot.referee.house.coach import read_position
from bot.solver.coach.advice import Analysis, Inquiry, Mix, Payoffs, PrizePlan
from bot.solver.coach.typed_position import GAMES, TypedPosition
from bot.solver.exact.endgame import Endgame, find_rank
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.ui.message import Attachment, Message, Node, Picture, Text, join_lines
from bot.ui.text.catalogue.numbers import percent, percent_of
from bot.ui.text.offers import tie_rules
from bot.ui.text.sentences import say

LITTLE = 0.05
"""Fewer points than this are written as none."""
LIKELIEST = 3
"""Cards of a mix that are listed unless the whole mix is asked for."""
MOST_WRITTEN = 6
"""The most cards of a hand that are written as a grid; larger hands have a picture only."""
PAYOFFS = "payoffs.png"


def render_analysis(found: Analysis, asked: Inquiry, png: bytes = b"") -> Message:
    """Return the answer to a typed position. It repeats the position, so that a slip is noticed."""
    here, card = asked.position, partial(name_card, asked.position)

    def best(id: str, shares: Mix) -> str:
        return say(id, mix=plan_words(shares, lambda one: in_words(card(one)))) if shares else say("analysis-all")

    told = say(
        "analysis", where=where(here, card), value=points(found.value, LITTLE), mix=best("analysis-mix", found.mix)
    )
    if found.chance is not None:
        kind = "win" if found.exact else "win-near"
        data = {"score": score(asked.lead), "chance": chance(found.chance)}
        told = join_lines(told, say(f"analysis-{kind}", mix=best(f"analysis-mix-{kind}", found.to_win), **data))
    if max(len(found.mix), len(found.to_win)) > 1:
        told = join_lines(told, say("hint-words"))
    if not found.payoffs:
        return Message(told)
    grid = _Grid(found.payoffs, *_name_hands(here), asked.payoffs == "win")
    body: list[Node] = [Text(told), Text(grid.text()), Picture(PAYOFFS, grid.alt()) if png else Text(grid.alt())]
    return Message(body=tuple(body), attachments=(Attachment(PAYOFFS, png),) if png else (), essence=told)


def render_first_bids(plans: Sequence[PrizePlan], here: Position) -> Message:
    """Return the table of the first bid for every prize. Equal hands expect no lead, so it has no values then."""
    card = partial(name_card, here)

    def named(one: int) -> str:
        return in_words(card(one))

    rows = list[str]()
    for one in plans:
        if len(one.mix) > 1:
            plan = shorten_mix(one.mix, named)
        else:
            plan = say("plan-always", card=named(one.mix[0][0])) if one.mix else say("analysis-first-any")
        id = "analysis-first-row" if here.is_even else "analysis-first-row-value"
        rows.append(say(id, prize=card(one.prize), value=points(one.value, LITTLE), plan=plan))
    return Message(join_lines(where(here, card), say("analysis-first"), *rows))


def picture(found: Analysis, asked: Inquiry) -> str:
    """Return the payoffs as SVG."""
    return draw_payoffs(*_name_hands(asked.position), found.payoffs, is_chance=asked.payoffs == "win")


def name_card(here: Position | Duel | Endgame, card: int) -> str:
    """Name a card of a position; J, Q and K only where no card is higher."""
    if isinstance(here, Endgame):
        return face(find_rank(card))
    return face(card, isinstance(here, Position) and max((*here.mine, *here.theirs, *here.prizes)) <= 13)


def _name_hands(here: Position | Duel | Endgame) -> tuple[list[str], list[str]]:
    mine, theirs = ([name_card(here, card) for card in sorted(hand)] for hand in (here.mine, here.theirs))
    return mine, theirs


@dataclass(frozen=True)
class _Grid:
    """A matrix of payoffs in words."""

    entries: Payoffs
    rows: Sequence[str]
    columns: Sequence[str]
    win: bool

    def text(self) -> str:
        """Return the whole matrix if it is narrow enough, else only its title."""
        title = say("analysis-payoffs-win" if self.win else "analysis-payoffs")
        return f"{title}\n```\n{self._table()}\n```" if self._small else title

    def alt(self) -> str:
        size = {"x": len(self.rows), "y": len(self.columns)}
        if not self._small:
            every = [entry for row in self.entries for entry in row]
            return say("analysis-alt-large", low=self._entry(min(every)), high=self._entry(max(every)), **size)
        told = [
            say("analysis-alt-row", card=card, bids=", ".join(map(self._entry, row)))
            for card, row in zip(self.rows, self.entries, strict=True)
        ]
        return say("analysis-alt", list=" ".join(told), **size)

    @property
    def _small(self) -> bool:
        return max(len(self.rows), len(self.columns)) <= MOST_WRITTEN

    def _table(self) -> str:
        lines = [["", *self.columns]]
        lines += [[card, *map(self._entry, row)] for card, row in zip(self.rows, self.entries, strict=True)]
        widths = [max(len(line[at]) for line in lines) for at in range(len(lines[0]))]
        return "\n".join(
            " ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
        )

    def _entry(self, entry: float) -> str:
        return f"{100 * entry:.0f}" if self.win else points(entry, LITTLE)


def score(lead: int) -> str:
    """Example: "With equal scores", "With a lead of 3 points"."""
    if not lead:
        return say("analysis-even")
    return say("analysis-ahead" if lead > 0 else "analysis-behind", n=abs(lead))


def where(here: Position | Duel | Endgame, card: Callable[[int], str]) -> str:
    """Return the position in words: hands, the prize turned up, what is to come, what ties do."""
    hands = {"mine": _cards(here.mine, card), "theirs": _cards(here.theirs, card)}
    if isinstance(here, Duel):
        return say("analysis-where-pico", **hands)
    if isinstance(here, Endgame):
        up, game = say("analysis-up", prize=card(here.up)), dict(GAMES)["psych" if here.circular else "bid"]
        if here.stock:
            return say("analysis-where-end", game=game, up=up, left=_cards(here.stock, card), **hands)
        return say("analysis-where-end-last", game=game, up=up, **hands)
    if here.up is None:
        return _add_ties(say("analysis-where-first", left=_cards(here.prizes, card), **hands), here)
    prize, left = card(here.up), _cards([prize for prize in here.prizes if prize != here.up], card)
    up = (
        say("analysis-up-pot", prize=prize, pot=face(here.pot, court=False))
        if here.pot
        else say("analysis-up", prize=prize)
    )
    if left:
        told = say("analysis-where-order" if here.ordered else "analysis-where", up=up, left=left, **hands)
    else:
        told = say("analysis-where-last", up=up, **hands)
    return _add_ties(told, here)


def _add_ties(told: str, here: Position) -> str:
    if here.swap:
        return say("analysis-swap" if not here.aim.carry else "analysis-swap-carry", where=told)
    if here.ties == "split":
        return say("analysis-split", where=told)
    return say("analysis-carry", where=told) if here.aim.carry else told


def chance(share: float) -> str:
    """Example: "62%". A chance below 1 is never written as 100%."""
    if 0.995 <= share < 1:
        return f">{percent(99)}"
    return percent_of(share) if share else percent(0)


def mix(shares: Sequence[tuple[int, float]], card: Callable[[int], str]) -> str:
    """Example: "K (61% of the time), 9 (21%), 5 (18%)". One of several cards never has 100%."""
    told = chance if len(shares) > 1 else percent_of
    return ", ".join(
        say("share" if place else "share-first", card=card(one), share=told(share))
        for place, (one, share) in enumerate(shares)
    )


def plan_words(shares: Mix, card: Callable[[int], str]) -> str:
    """Return a plan as a part of a sentence: "always K", "a random choice of K (61% of the time), 9 (39%)"."""
    if len(shares) == 1:
        return say("plan-always", card=card(shares[0][0]))
    return say("plan-random", mix=mix(shares, card))


def in_words(card: str) -> str:
    """Return the name of a card without a suit for a sentence, in which "A" would be read as a word."""
    return say("the-ace") if card == "A" else card


def shorten_mix(shares: Mix, card: Callable[[int], str]) -> str:
    """Return the likeliest cards of a mix, and the share of the others: "K (60% of the time), A (9%), others (31%)"."""
    if len(shares) <= LIKELIEST + 1:
        return mix(shares, card)
    others = chance(sum(share for _, share in shares[LIKELIEST:]))
    return say("hint-others", mix=mix(shares[:LIKELIEST], card), share=others)


def points(value: float, little: float = 0.005, digits: int = 1) -> str:
    """Example: "+2.3", "−0.4", "0"."""
    if abs(value) < little:
        return "0"
    return f"{'+' if value > 0 else '−'}{abs(value):.{digits}f}"


def _cards(cards: Sequence[int], card: Callable[[int], str]) -> str:
    return " ".join(map(card, cards))


TIES = make_choices({key: tie_rules(DEFAULT)[key] for key in ("discard", "split", "carry")})
SOLVED = make_choices(dict(GAMES))
PAYOFF_CHOICES = make_choices({"points": "Points", "win": "Win chance"})


# Long: discord.py reads the options of a command from its parameters.
@command(
    "analyse",
    "Best plan and win chance in a position",
    mine="Your cards, like: A 3 5 K",
    theirs="The other hand, with the same number of cards",
    prize="The prize turned up now (default: the first bid for each prize)",
    left="Other prizes left (default: none); in Bid and Psych all that can come",
    ties="What a tie does to the prize (default: nobody gets it)",
    game="Which game (default: Classic)",
    pot="What earlier ties left in the pot (default: 0)",
    lead="Your lead in points, negative if you are behind (default: 0)",
    order="Both know the order of the prizes left (default: no)",
    payoffs="Also show the value of each pair of bids (default: no)",
)
@app_commands.choices(ties=TIES, game=SOLVED, payoffs=PAYOFF_CHOICES)
async def analyse(
    context: InteractionContext,
    mine: str,
    theirs: str,
    prize: str = "",
    left: str = "",
    ties: str = "",
    game: str = DEFAULT.key,
    pot: int = 0,
    lead: int = 0,
    order: bool = False,
    payoffs: str = "",
) -> None:
    wanted = read_position(TypedPosition(mine, theirs, prize, left, ties, game, pot, lead, order, payoffs))
    services, here = context.services, wanted.position
    if isinstance(here, Position) and here.up is None:
        plans = await services.coach.plan_first_bids(services.referee.finder, context.user, here, find_game(game).name)
        await context.answer.send(render_first_bids(plans, here))
        return
    found = await services.coach.analyse(services.referee.finder, context.user, wanted, find_game(game).name)
    png = await services.painter.paint(picture(found, wanted)) if found.payoffs else b""
    await context.answer.send(render_analysis(found, wanted, png))
