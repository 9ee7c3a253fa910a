"""The common options of a challenge: their choices, autocomplete, and what was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands

from bot.engine.presets import Preset, find_offer, offers
from bot.engine.refusals import Refusal
from bot.engine.variants import DEFAULT
from bot.errors import Refused
from bot.referee.setups import Wish
from cogs.option_rows import LONGEST, option_rows
from cogs.services import services_of
from cogs.ui.offers import CLOCKS, SERIES, ties_of

TIE_CHOICES = [app_commands.Choice(name=title, value=key) for key, title in ties_of(DEFAULT).items()]
CLOCK_CHOICES = [app_commands.Choice(name=words, value=seconds) for seconds, words in CLOCKS.items()]
SERIES_CHOICES = [app_commands.Choice(name=words, value=key) for key, (words, _) in SERIES.items()]

TYPED_MOST = 1000
"""characters of the rules that may be typed: a listed order of eight hands fits"""

DESCRIPTIONS = {
    "game": "Which game; type to search",
    "cards": "How many cards each hand has",
    "ties": "What happens to a prize when the highest bids are equal",
    "clock": "Time for each bid",
    "series": "One deal or several",
    "rated": "Count it for the leaderboard",
    "options": "More rules: blind, order, two cards, open prizes, win-only; type to search",
}


def wish_of(
    game: str | None,
    cards: int | None,
    ties: str | None,
    clock: int | None,
    series: str | None,
    rated: bool | None,
    options: str | None,
) -> Wish:
    """What was typed, understood."""
    return Wish(
        game=find_game(game) if game else None,
        cards=cards,
        ties=ties,
        clock=clock,
        series=SERIES[series][1].data() if series is not None and series in SERIES else None,
        rated=rated,
        words=options or "",
    )


def find_game(typed: str) -> str:
    """The key of a game or preset, by key or by name."""
    wanted = typed.strip().lower()
    for offer in offers():
        if wanted in (offer.key, offer.name.lower(), row_of(offer).lower()):
            return offer.key
    try:
        find_offer(wanted)
    except Refusal as refusal:
        raise Refused(refusal.id, **refusal.data) from refusal
    return wanted


def row_of(offer: Preset) -> str:
    """One line of the game picker."""
    game, _ = find_offer(offer.key)
    seats = f"{offer.seats}" if offer.seats else game.seat_range
    row = f"{offer.name} · {seats} seats · {offer.title}"
    return row if len(row) <= LONGEST else f"{row[: LONGEST - 1]}…"


async def complete_game(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """Games and presets that fit what is typed. Autocomplete never fails."""
    wanted = current.lower()
    fitting = [one for one in offers() if all(word in f"{one.key} {row_of(one)}".lower() for word in wanted.split())]
    return [app_commands.Choice(name=row_of(offer), value=offer.key) for offer in fitting[:25]]


# --- more rules, in words ---------------------------------------------------------------------------------


async def complete_options(interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
    """One more rule that may join those typed already; only combinations that are allowed."""
    try:
        guild = await services_of(interaction).referee.store.guild(interaction.guild_id or 0)
        typed = vars(interaction.namespace)
        series = typed.get("series")
        wish = Wish(
            game=find_game(typed["game"]) if typed.get("game") else None,
            cards=typed.get("cards"),
            ties=typed.get("ties"),
            series=SERIES[series][1].data() if isinstance(series, str) and series in SERIES else None,
        )
        lines = option_rows(wish, _seats_typed(typed), guild, current)
        return [app_commands.Choice(name=line, value=line) for line in lines]
    except Exception:  # trouble in a picker is an empty picker (ui.md 5)
        return []


def _seats_typed(typed: Mapping[str, Any]) -> int | None:
    """How many would play: those challenged and the challenger, or the seats of a table."""
    if "opponent" in typed:
        return 1 + sum(typed.get(name) is not None for name in ("opponent", *(f"player{n}" for n in range(2, 8))))
    return typed.get("seats")


def find_offer_game(typed: str) -> str:
    """The key of the game behind a name."""
    game, _ = find_offer(find_game(typed))
    return game.key
